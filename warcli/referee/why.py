"""Why the referee ruled so: the rules that a ruling rests on, each by its name in a rules file."""

from __future__ import annotations

from collections.abc import Iterator

from warcli.contradictions import exception_pair
from warcli.events import Result
from warcli.referee.ruling import Ruling
from warcli.rules import Rules
from warcli.words import say, say_count


def rules_of_ruling(rules: Rules, ruling: Ruling) -> Iterator[str]:
    """The rules that a ruling rests on."""
    ranks = {rules.pack.rank[card] for card in ruling.compared.values()}
    yield say(
        "rank_order: {ranks}, the highest first. Suits never count.",
        ranks=" ".join(rules.rank_order),
    )
    for text in rules.rank_exceptions:
        if ranks.issuperset(exception_pair(text)):
            yield say("rank_exceptions: {exception}.", exception=text)
    if not ruling.is_last or ruling.out:
        yield _war(rules)
    if ruling.out or ruling.still_standing or ruling.stood:
        yield say("shortage: {rule}", rule=_shortage(rules))
    if ruling.winner is not None:
        yield say("capture_order: {rule}", rule=_capture(rules))
    if ruling.taken_up:
        yield say("won_cards: {rule}", rule=rules.won_cards)


def rules_of_end(rules: Rules, result: Result) -> Iterator[str]:
    """The rules that the end of a game rests on."""
    match result.reason:
        case "collected" | "shortage":
            yield (
                say("goal: collect: whoever has collected every card wins.")
                if rules.goal == "collect"
                else say("goal: shed: whoever has collected every card loses.")
            )
        case "repetition":
            yield say("repetition: draw: the same position again is a draw.")
        case "round-limit" | "time-limit":
            limit = rules.round_limit if result.reason == "round-limit" else rules.time_limit
            key = result.reason.replace("-", "_")
            yield say(
                "{key}: {limit}. limit_result: {rule}", key=key, limit=limit, rule=_limit(rules)
            )
        case "endless" | "abandoned":
            yield say("The players stopped; no rule decides that.")


def _war(rules: Rules) -> str:
    down = say_count(
        "{count} card face down, then one turned up",
        "{count} cards face down, then one turned up",
        rules.war_face_down,
    )
    if rules.players == 2:
        return say("war_face_down: {count}: {step}.", count=rules.war_face_down, step=down)
    return say(
        "war_face_down: {count}: {step}. war_between: {between}.",
        count=rules.war_face_down,
        step=down,
        between=rules.war_between,
    )


def _shortage(rules: Rules) -> str:
    """The shortage policy, its name first."""
    sentences = {
        "short-loses": say("short-loses: who has too few cards for the whole war is out at once."),
        "first-out-loses": say(
            "first-out-loses: cards are laid one by one, and who has none to lay is out."
        ),
        "last-card-stands": say(
            "last-card-stands: everybody keeps one card to turn up; without any, the last one "
            "turned up counts again."
        ),
        "fewer-down": say(
            "fewer-down: all lay as few face down as leaves the shortest one card to turn up."
        ),
    }
    return sentences[rules.shortage]


def _capture(rules: Rules) -> str:
    """The order in which the table is taken up, its name first."""
    sentences = {
        "own-first": say(
            "own-first: as the cards were laid; of those laid together the winner's own first, "
            "then the others' in turn from the winner."
        ),
        "own-last": say(
            "own-last: as the cards were laid; of those laid together the others' in turn from "
            "the winner, then the winner's own."
        ),
        "seat-order": say(
            "seat-order: as the cards were laid; of those laid together in the order of the seats."
        ),
        "own-pile-first": say(
            "own-pile-first: all the winner's own cards as laid, then all of each other player's, "
            "in turn from the winner."
        ),
        "own-pile-last": say(
            "own-pile-last: all of each other player's cards as laid, in turn from the winner, "
            "then the winner's own."
        ),
        "shuffled": say("shuffled: in random order."),
    }
    return sentences[rules.capture_order]


def _limit(rules: Rules) -> str:
    if rules.limit_result == "draw":
        return say("draw: nobody wins.")
    if rules.goal == "collect":
        return say("most-cards: whoever holds most cards wins; equal is a draw.")
    return say("most-cards: under shed, whoever holds fewest cards wins; equal is a draw.")
