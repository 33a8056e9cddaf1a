"""A table, line by line: what is ruled, asked, refused and told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import structs

from warcli import rulesfile
from warcli.deal import deal
from warcli.generator import Generator
from warcli.record import Entry, Flip, Note, Outcome
from warcli.referee.commands import COMMANDS
from warcli.referee.table import Answer, Table
from warcli.rules import Rules

ENGLISH = rulesfile.load("english")


def table(*lines: str, rules: Rules = ENGLISH, players: Sequence[str] = ("Ana", "Luis")) -> Table:
    """A table at which these lines were accepted."""
    begun = Table(rules, players)
    for line in lines:
        answer = begun.enter(line)
        assert answer.kind == "ruled", (line, answer.lines)
    return begun


def words(answer: Answer) -> str:
    return " ".join(answer.lines)


# Rulings


def test_a_round() -> None:
    answer = table().enter("k9")
    assert answer.kind == "ruled"
    assert answer.lines == (
        "Round 1: Ana K, Luis 9.",
        "Ana takes 2 cards: K beats 9.",
        "Under Ana's pile, the first named to be played first: K, 9.",
        "Now: Ana 27, Luis 25.",
    )


def test_the_loser_takes_too_and_the_order_is_said_the_right_way_round() -> None:
    answer = table().enter("9d ks")
    assert "Luis takes 2 cards: K beats 9." in answer.lines
    assert "the first named to be played first: K♠, 9♦." in words(answer)


def test_a_war_says_what_everybody_lays_and_then_who_takes_it() -> None:
    at = table()
    war = at.enter("9c9h")
    assert war.lines == (
        "Round 1: Ana 9♣, Luis 9♥.",
        "War between Ana and Luis!",
        "Ana and Luis each lay 1 card face down.",
        "Ana and Luis each turn up the next card.",
    )
    taken = at.enter("qd7c")
    assert "Ana takes 6 cards: Q beats 7." in taken.lines
    assert "9♣, 9♥, Ana's face-down card, Luis's face-down card, Q♦, 7♣." in words(taken)
    assert at.game.sizes() == (29, 23)


def test_three_players_and_a_war_between_two_of_them() -> None:
    at = Table(rulesfile.load("three-players"), ("Ana", "Luis", "Mia"))
    answer = at.enter("9 9 5")
    assert "War between Ana and Luis!" in answer.lines
    assert at.due == (0, 1)
    assert at.enter("2 3 4").kind == "refused"
    assert "Luis takes 7 cards: 3 beats 2." in at.enter("2 3").lines


def small(shortage: str = "first-out-loses", **changes: object) -> Rules:
    """Rules for the four cards A and K in two suits."""
    four = {"deck_size": 4, "rank_order": ("A", "K"), "suits": 2, "shortage": shortage}
    return structs.replace(ENGLISH, **{**four, **changes})


def test_a_shortage_is_ruled_by_the_policy_and_ends_the_game_with_its_reason() -> None:
    at = Table(small(), ("Ana", "Luis"), [["?", "?"], ["?"]])
    answer = at.enter("a a")
    assert answer.lines[1:3] == (
        "War between Ana and Luis!",
        "Luis has no card to lay and is out.",
    )
    assert answer.lines[-1] == (
        "The game is over in round 1: there are too few cards for the war. Ana wins!"
    )
    assert at.due == ()
    assert words(at.enter("why")).count("first-out-loses") == 1


def test_both_run_out_at_once() -> None:
    answer = table("a a", rules=small()).enter("undo")
    assert answer.kind == "ruled"
    at = Table(small("short-loses"), ("Ana", "Luis"))
    assert at.enter("aa").lines[-1].endswith("It is a draw.")
    assert at.result is not None
    assert at.result.winners == ()


def test_a_card_that_counts_again_is_said_to_stand() -> None:
    rules = small("last-card-stands", deck_size=6, rank_order=("A", "K", "Q"))
    at = Table(rules, ("Ana", "Luis"), [["?"], ["?", "?", "?"]])
    war = at.enter("k k")
    assert "Ana has no card left, so the last one turned up stands." in war.lines
    assert at.due == (1,)
    ruled = at.enter("a")
    assert "Ana's K stands." in ruled.lines
    assert "Luis takes 4 cards: A beats K." in ruled.lines


def test_who_went_out_in_a_war_is_told_so_once() -> None:
    rules = structs.replace(rulesfile.load("three-players"), shortage="short-loses")
    at = Table(rules, ("Ana", "Luis", "Mia"), [["?"] * 8, ["?"] * 8, ["?", "?"]])
    told = [line for typed in ("9 9 9", "5 5", "8 7") for line in at.enter(typed).lines]
    assert [line for line in told if line.endswith("is out.")] == [
        "Mia has too few cards: lays the last one face down and is out.",
    ]


def test_an_exception_is_named() -> None:
    at = Table(rulesfile.load("pyanitsa"), ("Ana", "Luis"))
    assert "Ana takes 2 cards: 6 beats A, by an exception in these rules." in at.enter("6a").lines
    assert "rank_exceptions: 6 beats A." in at.enter("why").lines


@pytest.mark.parametrize("profile", ["english", "krig", "shuffled-captures"])
def test_why_names_the_rules_of_the_last_ruling(profile: str) -> None:
    at = Table(rulesfile.load(profile), ("Ana", "Luis"))
    assert at.enter("why").lines == ("Nothing was ruled yet.",)
    at.enter("k9")
    why = words(at.enter("why"))
    assert "rank_order: A K Q" in why
    assert f"capture_order: {at.rules.capture_order}" in why
    at.enter("3 3")
    assert "war_face_down: 1" in words(at.enter("why"))


def test_why_names_what_ended_the_game() -> None:
    at = Table(structs.replace(ENGLISH, time_limit="30m"), ("Ana", "Luis"))
    at.enter("k9")
    at.time_up()
    told = words(at.enter("why"))
    assert "K beats 9" in told
    assert "Time is up, after 1 round. It is a draw." in told
    assert "time_limit: 30m. limit_result: draw: nobody wins." in told
    assert "no rule decides that" in words(table("stop").enter("why"))


def test_shuffled_captures_are_to_be_shuffled() -> None:
    at = Table(rulesfile.load("shuffled-captures"), ("Ana", "Luis"))
    assert "Shuffle them, and put them under Ana's pile." in at.enter("k9").lines


def test_won_cards_that_become_the_pile_are_announced() -> None:
    rules = structs.replace(small(), won_cards="aside-shuffled")
    at = Table(rules, ("Ana", "Luis"))
    at.enter("a k")
    answer = at.enter("k a")
    assert "Ana shuffles the won cards (2): they are the pile now." in answer.lines
    assert "Luis shuffles the won cards (2): they are the pile now." in answer.lines


def test_the_game_is_stopped_after_the_rounds_that_were_played() -> None:
    answer = table("k 9", "q 8").enter("stop")
    assert answer.lines == ("The game is stopped; 2 rounds were played. Nobody wins.",)


SIX = {"deck_size": 6, "rank_order": ("A", "K", "Q"), "suits": 2}


@pytest.mark.parametrize(
    ("goal", "words_said"),
    [
        ("collect", "Mia has no card left and is out."),
        ("shed", "Mia has no card left, and cannot lose any more."),
    ],
)
def test_who_lost_the_last_card_is_told(goal: str, words_said: str) -> None:
    rules = structs.replace(rulesfile.load("three-players"), goal=goal, **SIX)
    at = Table(rules, ("Ana", "Luis", "Mia"), [["?", "?"], ["?", "?", "?"], ["?"]])
    answer = at.enter("a k q")
    assert words_said in answer.lines
    assert words(answer).count("no card left") == 1
    assert "no card left" not in words(at.enter("q k"))  # it was said


def test_who_holds_every_card_loses_where_cards_are_shed() -> None:
    at = Table(small(goal="shed"), ("Ana", "Luis"), [["?", "?", "?"], ["?"]])
    assert at.enter("a k").lines[-1] == (
        "The game is over after 1 round: Ana holds every card, and so loses. Luis wins!"
    )


def test_who_holds_fewest_cards_wins_by_a_limit_where_cards_are_shed() -> None:
    rules = structs.replace(ENGLISH, goal="shed", round_limit=1, limit_result="most-cards")
    assert Table(rules, ("Ana", "Luis")).enter("k 9").lines[-1] == (
        "The game is over: 1 round is played. Luis wins, with the fewest cards!"
    )


def test_a_war_for_everybody_names_those_who_tied() -> None:
    rules = structs.replace(rulesfile.load("three-players"), war_between="everyone")
    at = Table(rules, ("Ana", "Luis", "Mia"))
    assert "Ana and Luis tie: everybody is in this war!" in at.enter("9 9 5").lines
    assert at.due == (0, 1, 2)


# Refusals


@pytest.mark.parametrize(
    ("before", "line", "reason"),
    [
        ((), "1 9", "'1' is not a card of this pack"),
        ((), "k", "That is 1 card, but 2 cards are wanted: Ana and Luis, in this order."),
        ((), "k 9 2", "That is 3 cards, but 2 cards are wanted"),
        ((), "k 9 8 7", "That is 4 cards, but 2 cards are wanted"),
        ((), "5678", "That is 4 cards, but 2 cards are wanted"),
        ((), "hello", "Type 2 cards, in this order: Ana and Luis; or help."),
        ((), "z" * 40, f"'{'z' * 30}…' is not a card of this pack."),
        ((), "9 " * 20, "That is too much for one line."),
        (("stop",), "10 9", "The game is over, so no card is wanted; type leave"),
        (("stop",), "hello", "The game is over, and hello is no command; type leave"),
        ((), "ks ks", "That would be a second K♠."),
        (("k 9", "9 2", "9 3", "q 9"), "9 2", "That would be a fifth nine"),
        (("ks 9d",), "9d 2", "9♦ lies in Ana's pile, taken in round 1."),
        (("ks ah", "2c 2d"), "ah 3", "A♥ lies in Luis's pile, taken in round 1."),
        (("9s 9d",), "9s 2", "9♠ lies on the table."),
        (
            ("kh 2", "kd 2", "ks 3", "k 3"),
            "kc 4",
            "That would be a fifth king: K♥ lies in Ana's pile, taken in round 1; K♦ lies in Ana's "
            "pile, taken in round 2; K♠ lies in Ana's pile, taken in round 3; K lies in Ana's "
            "pile, taken in round 4.",
        ),
        (
            ("k 9", "k 9", "k k"),
            "ks 3",
            "That would be a fifth king: K lies in Ana's pile, taken in round 1; K lies in Ana's "
            "pile, taken in round 2; 2 of them lie on the table.",
        ),
        (("q 9h", "unordered ana"), "6 9h", "9♥ lies in Ana's pile."),
        (
            ("k9", "k9", "k9", "k9", "unordered ana"),
            "q9",
            "That would be a fifth nine: 4 of them lie in Ana's pile.",
        ),
        (
            ("k9", "k9", "kk", "10h 9", "t9", "unordered ana"),
            "k9",
            "That would be a fifth nine: 4 of them lie in Ana's pile.",
        ),
    ],
)
def test_a_card_that_cannot_be_there_is_refused_with_the_reason(
    before: Sequence[str], line: str, reason: str
) -> None:
    at = table(*before)
    answer = at.enter(line)
    assert answer.kind == "refused"
    assert reason in words(answer)
    assert answer.entries == ()


def test_of_a_shuffled_card_it_is_told_in_whose_pile_it_lies() -> None:
    at = table("kh 9c", rules=rulesfile.load("shuffled-captures"))
    assert "K♥ lies in Ana's pile." in words(at.enter("kh 9c"))
    assert "9♣ lies in Ana's pile." in words(at.enter("kd 9c"))


EIGHT = structs.replace(ENGLISH, deck_size=8, rank_order=("A", "K", "Q", "J"), suits=2)


def test_a_card_whose_place_is_known_is_the_only_one_taken_there() -> None:
    at = table("ac kc", "qc jc", "qd jd", "kd ad", rules=EIGHT)  # what Ana won comes again
    assert at.enter("qc ad").kind == "refused"
    refused = at.enter("ad ac")
    assert "The next card here must be A♣." in words(refused)
    assert at.hints() == ("A♣", "A♦")


def test_where_there_is_no_short_reason_that_is_said() -> None:
    """Ana's ace must be the other one, as A♣ lies in Luis's pile; which may be it, for all that is
    known of his top card."""
    at = table("k ac", "unordered luis", rules=EIGHT)
    assert "No single card tells why" in words(at.enter("a ad"))
    at = table("k jc", "unordered ana", "q k", "a j", rules=EIGHT)
    assert "The next card here is one of A♣ A♦ K♣ K♦ Q♣ Q♦ J♣." in words(at.enter("jd ad"))


def test_hints_take_an_empty_line() -> None:
    at = Table(EIGHT, ("Ana", "Luis"), hints=True)
    for line in ["ac kc", "qc jc", "qd jd", "kd ad"]:
        at.enter(line)
    answer = at.enter("")
    assert answer.kind == "ruled"
    assert answer.lines[0] == "Round 5: Ana A♣, Luis A♦."


def test_without_hints_an_empty_line_says_what_is_wanted() -> None:
    answer = table("k 9").enter("  ")
    assert (answer.kind, answer.lines) == ("told", ("Round 2: Ana, Luis",))


def test_a_shuffled_block_is_known_as_a_set() -> None:
    rules = structs.replace(EIGHT, capture_order="shuffled")
    at = table("ac kc", "qc jc", "qd jd", "kd ad", rules=rules)
    assert at.possible()[0] == {"A♣", "K♣"}
    refused = at.enter("qc ad")
    assert refused.kind == "refused"
    assert "The next card here is one of A♣ K♣." in words(refused)


def test_the_future_is_told_as_such_by_foretell_and_by_odds() -> None:
    table = Table(EIGHT, ("Ana", "Luis"), [["A♣", "A♦", "K♣", "K♦"], ["Q♣", "Q♦", "J♣", "J♦"]])
    told = table.enter("foretell").lines
    assert told == (
        "Every card is known. 4 rounds to go.",
        "It will end after round 4, and Ana will win.",
    )
    assert table.enter("odds").lines == told


# What isn't certain is asked

NUMBERS = structs.replace(ENGLISH, deck_size=8, rank_order=("11", "1"), suits=4)


def test_a_line_with_two_meanings_is_asked_about_and_a_number_answers() -> None:
    at = table(rules=NUMBERS)
    asked = at.enter("111")
    assert asked.kind == "asked"
    assert asked.entries == ()
    assert asked.lines[1:] == ("1: Ana 1, Luis 11", "2: Ana 11, Luis 1")
    assert at.asking == 2
    answer = at.enter("2")
    assert answer.lines[0] == "Round 1: Ana 11, Luis 1."
    assert at.asking == 0


def test_a_question_can_be_left_unanswered() -> None:
    at = table(rules=NUMBERS)
    at.enter("111")
    assert at.enter("1 1").lines[0] == "Round 1: Ana 1, Luis 1."
    at = table(rules=NUMBERS)
    at.enter("111")
    assert at.enter("3").kind == "refused"
    assert at.enter("1").kind == "refused"  # nothing is asked any more


def test_a_meaning_that_cannot_be_drops_out() -> None:
    at = Table(NUMBERS, ("Ana", "Luis"), [["1", "1"], ["11", "1"]])
    assert at.enter("111").lines[0] == "Round 1: Ana 1, Luis 11."


def test_a_command_that_is_also_a_card_is_asked_about() -> None:
    rules = structs.replace(
        ENGLISH, deck_size=8, rank_order=("Stop", "K"), suits=4, shortage="last-card-stands"
    )
    at = Table(rules, ("Ana", "Luis"), [["?"], ["?", "?", "?"]])
    at.enter("k k")
    asked = at.enter("stop")
    assert asked.lines[1:] == ("1: Luis Stop", "2: the command stop")
    assert at.enter("1").kind == "ruled"
    assert at.result is not None
    assert at.result.reason == "collected"


@pytest.mark.parametrize(
    "line", ["undo x", "undo 1 2", "count", "count x", "why not", "stop 1", "history 0"]
)
def test_a_command_typed_wrong_is_explained(line: str) -> None:
    answer = table("k 9").enter(line)
    assert answer.kind == "refused"
    assert "Type it so" in words(answer)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("acept", "accept"),
        ("unod 2", "undo"),
        ("why?", "why"),
        ("back", "undo"),
        ("exit now", "leave"),
    ],
)
def test_a_slip_in_a_command_is_told_the_nearest(line: str, command: str) -> None:
    for at in (table("k 9"), table("stop")):
        answer = at.enter(line)
        assert answer.kind == "refused"
        assert f"Did you mean {command}?" in words(answer)


def test_leave_alone_leaves() -> None:
    assert "leave: saves the game and leaves" in words(table().enter("leave now"))


def test_a_question_mark_asks_for_help() -> None:
    at = table()
    assert at.enter("?").lines == at.enter("help").lines


def test_a_number_can_stick_to_its_command() -> None:
    at = table("k 9", "q 8", "7 6")
    assert at.enter("history2").lines == at.enter("history 2").lines
    assert at.enter("undo3").lines[0] == "3 lines are taken back, from Ana K, Luis 9 on."
    assert at.enter("redo1").lines[0] == "1 line is played again."
    assert at.enter("count30 22").lines[0] == "Now: Ana 30, Luis 22."


def test_after_the_game_it_is_said_how_to_leave() -> None:
    at = table("stop")
    assert "leave" in words(at.enter(""))
    assert "type leave" in words(at.enter("k 9"))


def test_a_line_with_very_many_meanings_wants_spaces() -> None:
    rules = structs.replace(
        rulesfile.load("three-players"), deck_size=16, rank_order=("111", "11", "1", "1111")
    )
    at = Table(rules, ("Ana", "Luis", "Mia"))
    answer = at.enter("1111111")
    assert answer.kind == "refused"
    assert "Put spaces between the cards." in words(answer)
    assert at.enter("111 1 111").kind == "ruled"


@pytest.mark.parametrize(
    "line", ["x" * 100_000, "k" * 100_000, "9 " * 50_000, "\x1b[2Jk9", "9\x00"]
)
def test_a_line_that_nobody_can_mean_is_refused_in_a_few_plain_words(line: str) -> None:
    for at in (table(), table("stop")):
        answer = at.enter(line)
        assert answer.kind == "refused"
        assert len(words(answer)) < 300
        assert words(answer).isprintable()


# Taking back


def test_undo_takes_back_across_wars_and_the_end_of_the_game() -> None:
    at = table("k 9", "9 9", "q 7", "stop")
    assert at.result is not None
    assert at.enter("undo 3").kind == "ruled"
    assert at.due == (0, 1)
    assert at.number == 2
    assert at.game.sizes() == (27, 25)
    assert at.enter("redo 2").kind == "ruled"
    assert at.game.sizes() == (30, 22)
    assert at.enter("redo").kind == "ruled"
    assert at.result is not None
    assert at.enter("redo").kind == "refused"


@pytest.mark.parametrize("line", ["undo", "undo 0", "undo 999999", "redo"])
def test_there_is_nothing_to_take_back(line: str) -> None:
    assert table().enter(line).kind == "refused"


def test_what_was_undone_cannot_come_again_after_something_else() -> None:
    at = table("k 9", "undo", "q 8")
    assert at.enter("redo").kind == "refused"


def test_a_slip_that_was_taken_back_is_forgotten() -> None:
    at = table("ks 9d", "undo", "kh 9d", "9s 2c")
    assert at.enter("ks 3c").kind == "ruled"


# Real life


def test_accept_forgets_the_order_of_the_pile_and_the_record_says_so() -> None:
    at = table("ac kc", "qc jc", "qd jd", "kd ad", rules=EIGHT)
    assert at.enter("accept").kind == "refused"
    assert at.enter("qc ad").kind == "refused"
    answer = at.enter("accept")
    assert answer.lines[0] == "Accepted: the order of Ana's pile is forgotten."
    assert answer.entries[0] == Note("accept", "Ana")
    assert at.possible()[0] == {"A♣", "K♣", "J♣", "Q♦", "J♦"}


def test_a_card_of_the_other_pile_can_be_accepted_too() -> None:
    at = table("ac kc", "qc jc", "qd jd", "kd ad", rules=EIGHT)
    assert at.enter("kd ad").kind == "refused"
    assert "who holds which card is forgotten" in words(at.enter("accept"))


def test_an_unordered_pile_is_known_as_a_set() -> None:
    at = table("ac kc", "qc jc", "qd jd", "kd ad", "unordered lu", rules=EIGHT)
    assert [set(cards) for cards in at.possible()] == [{"A♣"}, {"A♦", "K♦"}]


@pytest.mark.parametrize(
    ("named", "noted"),
    [
        ("all", "Ana, Luis, Mia"),
        ("ALL", "Ana, Luis, Mia"),
        ("Mia,Ana", "Ana, Mia"),
        ("Ana, Mia", "Ana, Mia"),
        ("an mi", "Ana, Mia"),
        ("Ana, Ana", "Ana"),
    ],
)
def test_several_piles_are_unordered_at_once(named: str, noted: str) -> None:
    at = Table(rulesfile.load("three-players"), ["Ana", "Luis", "Mia"])
    answer = at.enter(f"unordered {named}")
    assert answer.entries == (Note("unordered", noted),)
    said = [f"The order of {player}'s pile is forgotten." for player in noted.split(", ")]
    assert list(answer.lines[:-1]) == said
    again = Table(rulesfile.load("three-players"), ["Ana", "Luis", "Mia"])
    assert again.apply(*answer.entries).lines == answer.lines
    assert at.enter("undo").lines[0] == f"1 line is taken back: unordered {noted}."


def test_a_player_can_be_called_all() -> None:
    at = Table(rulesfile.load("three-players"), ["Ana", "All", "Alla"])
    assert at.enter("unordered all").entries == (Note("unordered", "All"),)
    assert at.enter("unordered alla").entries == (Note("unordered", "Alla"),)
    other = Table(rulesfile.load("three-players"), ["Ana", "Luis", "Alla"])
    assert other.enter("unordered all").entries == (Note("unordered", "Ana, Luis, Alla"),)


def test_a_count_says_who_is_out_and_who_is_in_again() -> None:
    at = Table(rulesfile.load("three-players"), ["Ana", "Luis", "Mia"])
    assert at.enter("count 0 40 11").lines[:2] == (
        "Now: Ana 0, Luis 40, Mia 11.",
        "Ana has no card left and is out.",
    )
    assert at.enter("unordered all").entries == (Note("unordered", "Luis, Mia"),)
    assert at.enter("count 10 30 11").lines[:2] == (
        "Now: Ana 10, Luis 30, Mia 11.",
        "Ana is in again.",
    )


@pytest.mark.parametrize("named", ["mia", "ana, mia", "ana mia", ",", "ana,"])
def test_unordered_wants_names(named: str) -> None:
    assert "Whose pile?" in words(table().enter(f"unordered {named}"))


def test_unordered_wants_a_name() -> None:
    assert "Ana, Luis" in words(table().enter("unordered mia"))


def test_a_recount_forgets_how_the_cards_lie_that_changed_hands() -> None:
    at = table("ac kc", "qc jc", "qd jd", "kd ad", rules=EIGHT)
    answer = at.enter("count 5 3")
    assert answer.lines[0] == "Now: Ana 5, Luis 3."
    assert len(at.possible()[0]) == 8


def test_a_card_that_is_lost_can_be_found_again() -> None:
    at = table("k 9", "count 26 25")
    assert at.game.sizes() == (26, 25)
    assert at.enter("count 26 27").kind == "refused"
    assert at.enter("count 27 25").kind == "ruled"


@pytest.mark.parametrize("line", ["count 26", "count 26 27", "count 0 0", "count 1 2 3"])
def test_a_count_that_cannot_be_is_refused(line: str) -> None:
    at = table()
    assert at.enter(line).kind == "refused"
    assert at.game.sizes() == (26, 26)


def test_nobody_counts_in_the_middle_of_a_war() -> None:
    assert "Finish this round first" in words(table("9 9").enter("count 26 24"))


def test_pause_and_resume() -> None:
    at = table("pause")
    assert at.paused
    assert at.enter("pause").kind == "refused"
    assert at.enter("resume").kind == "ruled"
    assert not at.paused


def test_when_time_is_up_the_round_is_finished_first() -> None:
    rules = structs.replace(ENGLISH, time_limit="30m", limit_result="most-cards")
    at = table("k 9", "9 9", rules=rules)
    assert at.time_up().lines == ("Time is up: this round is the last.",)
    answer = at.enter("q 7")
    assert answer.lines[-1] == "Time is up, after 2 rounds. Ana wins!"
    assert answer.entries[-1] == Outcome((0,), "time-limit", 2)
    at.enter("undo")
    assert at.result is None


def test_when_time_is_up_between_rounds_the_game_is_over() -> None:
    rules = structs.replace(ENGLISH, time_limit="30m")
    at = table("k 9", rules=rules)
    assert at.time_up().lines == ("Time is up, after 1 round. It is a draw.",)


def test_piles_tell_what_is_known() -> None:
    at = table("ks 9", "9c9h", "qd7c")
    assert at.enter("piles").lines == (
        "Ana (30): ?×22 K♠ 9 9♣ 9♥ ?×2 Q♦ 7♣",
        "Luis (22): ?×22",
    )


def test_history_tells_the_last_rounds() -> None:
    at = table("ks 9", "9c9h", "qd7c")
    assert at.enter("history").lines == ("1. K♠ 9 > Ana", "2. 9♣ 9♥ | (?) (?) | Q♦ 7♣ > Ana")
    assert at.enter("history 1").lines == ("2. 9♣ 9♥ | (?) (?) | Q♦ 7♣ > Ana",)


def test_a_count_of_fewer_cards_says_how_many_are_missing() -> None:
    at = table("k 9")
    assert "That is 12 cards fewer than before." in words(at.enter("count 20 20"))
    assert "fewer" not in words(at.enter("count 22 20"))
    assert "fewer" not in words(at.enter("count 20 22"))


def test_a_count_that_ends_the_game_can_be_taken_back_and_says_so() -> None:
    at = table("k 9")
    answer = at.enter("count 0 52")
    assert "Luis holds every card. Luis wins!" in words(answer)
    assert "type undo" in words(answer)
    at.enter("undo")
    assert (at.result, at.game.sizes()) == (None, (27, 25))


def test_a_round_that_is_stopped_in_its_middle_was_not_played() -> None:
    at = table("k 9", "10 10")
    stopped = at.enter("stop")
    assert stopped.lines == ("The game is stopped; 1 round was played. Nobody wins.",)
    assert stopped.entries == (Outcome((), "abandoned", 1),)
    assert (len(at.rounds), at.number) == (1, 1)
    at.enter("undo")
    assert at.wanted() == "Round 2, war: Ana, Luis"


def test_who_is_out_is_counted_as_none() -> None:
    at = Table(rulesfile.load("three-players"), ("Ana", "Luis", "Mia"), [["?"] * 4, ["?"] * 4, []])
    at.enter("k 9")
    assert "0 for who holds none, in this order: Ana, Luis, Mia" in words(at.enter("count 4 4"))
    assert at.enter("count 4 4 0").lines[0] == "Now: Ana 4, Luis 4, Mia 0."


def test_help_names_every_command() -> None:
    told = words(table().enter("help"))
    assert all(command in told for command in COMMANDS)


# The record


def entries(*lines: str, rules: Rules = ENGLISH) -> tuple[list[Entry], Table]:
    at = Table(rules, ("Ana", "Luis"))
    return [entry for line in lines for entry in at.enter(line).entries], at


@pytest.mark.parametrize(
    "lines",
    [
        ("ks 9d", "9c9h", "qd7c", "undo", "q 7", "undo 2", "redo 2", "piles"),
        ("k 9", "pause", "resume", "count 26 26", "unordered ana", "10 q", "stop", "undo"),
        ("ks 9d", "2c 2d", "3c 4c", "ks 5h", "9d 5h", "accept", "undo", "redo", "undo 3", "redo"),
    ],
)
def test_entries_tell_another_table_all_that_happened(lines: Sequence[str]) -> None:
    told, at = entries(*lines)
    other = Table(ENGLISH, ("Ana", "Luis"))
    for entry in told:
        assert other.apply(entry).kind != "refused"
    assert other.game.position() == at.game.position()
    assert other.knowledge.seen == at.knowledge.seen
    assert other.knowledge.mixings == at.knowledge.mixings
    assert (other.result, other.due, other.number) == (at.result, at.due, at.number)
    assert other.rounds == at.rounds
    assert other.enter("redo 9").lines == at.enter("redo 9").lines


def test_what_changes_nothing_is_not_recorded() -> None:
    told, _ = entries("hello", "why", "k", "accept", "undo", "help", "", "odds")
    assert told == []


def test_a_flip_has_what_was_laid_before_it() -> None:
    told, _ = entries("9c9h", "qd7c")
    war, end = told
    assert isinstance(war, Flip)
    assert isinstance(end, Flip)
    assert (war.begins, war.ended, [layer.face for layer in war.layers]) == (True, False, ["up"])
    assert (end.begins, end.ended, end.winner) == (False, True, 0)
    assert [layer.cards for layer in end.layers] == [("?", "?"), ("Q♦", "7♣")]


# Equal cards


def test_equal_cards_repeat_a_position_whichever_of_them_lies_where() -> None:
    """With equal cards a position can come back with one of them in the other's place."""
    rules = structs.replace(
        ENGLISH, deck_size=4, rank_order=("A", "K"), suits=1, packs=2, capture_order="seat-order"
    )
    at = Table(rules, ("Ana", "Luis"), [["A", "K"], ["K", "A"]])
    lines = ["a k", "k a"]
    while at.result is None:
        for line in lines:
            if at.result is None:
                assert at.enter(line).kind == "ruled"
    assert at.result.reason == "repetition"
    assert (at.result.rounds, at.result.first_seen) == (2, 1)


# Cards that the program shuffles


@pytest.mark.parametrize("profile", ["shuffled-captures", "aside"])
def test_what_is_taken_back_is_shuffled_again_as_it_was(profile: str) -> None:
    rules = rulesfile.load(profile)
    generator = Generator(4)
    at = Table(rules, ("Ana", "Luis"), deal(rules, generator).piles, shuffle=generator.shuffle)

    def play(flips: int) -> None:
        for _ in range(flips):
            if at.result is None:
                assert at.turn_up_known() is not None

    play(60)
    there = at.game.position()
    at.enter("undo 40")
    at.enter("redo 40")
    assert at.game.position() == there
    at.enter("undo 40")
    play(40)
    assert at.game.position() == there
