"""A table under everything that happens at one, beside a game whose cards are all known.

The hidden game is played by the law on the true cards. What people do to it is done to both:
cards are turned up and typed, with and without suits; typing slips are made and taken back; piles
are dropped, cards change hands, and sometimes somebody picks cards up in the wrong order and
nobody notices until a card is doubted.
"""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import structs
from strategies import rules as random_rules

from warcli.cards import Card, ascii_form
from warcli.deal import deal
from warcli.game import Game, Mark
from warcli.generator import Generator
from warcli.referee.table import Table
from warcli.rules import Rules
from warcli.simulation import default_players

# After a mixing the referee can't see a repetition of what lay before it, which the hidden game
# would; `test_games_at_the_table` compares repetitions.
usual_rules = random_rules(players=st.integers(2, 4)).map(
    lambda rules: structs.replace(rules, repetition="play-on", round_limit=80)
)


class RealLife(RuleBasedStateMachine):
    """What people do at a table."""

    def __init__(self) -> None:
        super().__init__()
        self.nobody_blundered = True
        self.nothing_was_mixed = True
        self.shown: set[Card] = set()

    @initialize(rules=usual_rules, seed=st.integers(0, 2**32))
    def begin(self, rules: Rules, seed: int) -> None:
        generator = Generator(seed)
        dealt = deal(rules, generator)
        self.random = Random(seed)
        self.house_rules = rules
        self.hidden = Game(rules, dealt.piles, generator.shuffle)
        self.table = Table(rules, default_players(rules))
        self.back: list[tuple[Mark, frozenset[Card]]] = []

    # What people do

    @precondition(lambda self: self.hidden.due)
    @rule(many=st.integers(1, 15), names_suit=st.sampled_from([0.0, 0.5, 1.0]))
    def play(self, many: int, names_suit: float) -> None:
        """A while of play, suits typed or left out."""
        for _ in range(many):
            if self.hidden.due is not None:
                self.turn_up(names_suit)

    def turn_up(self, names_suit: float) -> None:
        """The next cards are turned up and typed. The referee never refuses a card that is truly
        there, unless cards were picked up wrongly; and then the players can insist."""
        assert self.hidden.due is not None
        cards = self.hidden.due.slots
        suits = [self.random.random() < names_suit for _ in cards]
        line = " ".join(
            ascii_form(card) if suit else self.house_rules.pack.rank[card]
            for card, suit in zip(cards, suits, strict=True)
        )
        answer = self.table.enter(line)
        if answer.kind == "refused":
            assert not self.nobody_blundered, (line, answer.lines)
            answer = self.table.enter("accept")
            self.nothing_was_mixed = False
        assert answer.kind == "ruled", (line, answer.lines)
        self.keep()
        self.shown |= {card for card, suit in zip(cards, suits, strict=True) if suit}
        ended = self.hidden.turn_up(cards)
        assert (answer.round is None) == (ended is None)
        if ended is not None:
            assert answer.round is not None
            assert answer.round.winner == ended.winner
            assert answer.round.sizes == ended.sizes
            assert answer.round.out == ended.out

    @precondition(lambda self: self.hidden.due)
    @rule(data=st.data())
    def slip(self, data: st.DataObject) -> None:
        """Wrong cards are typed. If the referee can't tell, they are taken back."""
        cards = st.sampled_from(self.house_rules.pack.cards)
        due = len(self.table.due)
        line = " ".join(data.draw(st.lists(cards, min_size=due, max_size=due)))
        self.try_and_take_back(line)

    @rule(line=st.text(alphabet="akq1029chd♠*j?x -", max_size=12))
    def mistype(self, line: str) -> None:
        """Anything is typed."""
        self.try_and_take_back(line)

    def try_and_take_back(self, line: str) -> None:
        before = self.standing()
        if self.table.enter(line).kind == "ruled":
            assert self.table.enter("undo").kind == "ruled"
        assert self.standing() == before

    @precondition(lambda self: self.back)
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        """The last cards are taken back, on the table too."""
        many = data.draw(st.integers(1, len(self.back)))
        assert self.table.enter(f"undo {many}").kind == "ruled"
        for _ in range(many):
            mark, shown = self.back.pop()
        self.hidden.back_to(mark)
        self.shown = set(shown)

    @precondition(lambda self: self.back)
    @rule(data=st.data())
    def take_back_and_play_again(self, data: st.DataObject) -> None:
        """The last cards are taken back and played again, as they were."""
        many = data.draw(st.integers(1, len(self.back)))
        before = self.standing()
        self.table.enter(f"undo {many}")
        assert self.table.enter(f"redo {many}").kind == "ruled"
        assert self.standing() == before

    @precondition(lambda self: self.hidden.due)
    @rule(data=st.data())
    def drop_a_pile(self, data: st.DataObject) -> None:
        """Somebody's pile is dropped, and the referee is told."""
        seat = data.draw(st.integers(0, self.house_rules.players - 1))
        assert self.table.enter(f"unordered {self.table.players[seat]}").kind == "ruled"
        self.keep()
        self.nothing_was_mixed = False
        self.shuffle_pile(seat)

    @precondition(lambda self: self.hidden.due and not self.hidden.laid)
    @rule(data=st.data())
    def find_a_card_in_another_pile(self, data: st.DataObject) -> None:
        """A card slid from one pile into another; it shows when they are counted."""
        giver, taker = data.draw(
            st.lists(
                st.integers(0, self.house_rules.players - 1), min_size=2, max_size=2, unique=True
            )
        )
        piles = [list(pile) for pile in self.hidden.piles]
        if len(piles[giver]) < 2:
            return
        card = piles[giver].pop(self.random.randrange(len(piles[giver])))
        piles[taker].insert(self.random.randint(0, len(piles[taker])), card)
        asides = self.hidden.asides
        counted = [len(pile) + len(aside) for pile, aside in zip(piles, asides, strict=True)]
        assert self.table.enter(f"count {' '.join(map(str, counted))}").kind == "ruled"
        self.keep()
        self.nothing_was_mixed = False
        self.hidden.disturb(piles, asides)

    @precondition(lambda self: self.hidden.due)
    @rule(data=st.data())
    def blunder(self, data: st.DataObject) -> None:
        """Somebody mixes up a pile, and nobody notices."""
        self.nobody_blundered = False
        self.shuffle_pile(data.draw(st.integers(0, self.house_rules.players - 1)))

    @rule(command=st.sampled_from(["why", "piles", "history", "help", "foretell", ""]))
    def ask(self, command: str) -> None:
        before = self.standing()
        answer = self.table.enter(command)
        assert answer.kind == "told"
        assert answer.lines
        assert self.standing() == before

    # What holds at any time

    @invariant()
    def the_referee_counts_right(self) -> None:
        if not hasattr(self, "table"):
            return
        assert self.table.game.sizes() == self.hidden.sizes()
        assert self.table.due == (self.hidden.due.seats if self.hidden.due else ())
        hidden, ruled = self.hidden.result, self.table.result
        assert (ruled and ruled.reason, ruled and ruled.winners) == (
            hidden and hidden.reason,
            hidden and hidden.winners,
        )

    @invariant()
    def the_referee_forgets_no_card(self) -> None:
        """As long as nobody blunders, whatever it says it knows is so; and as long as nothing is
        mixed, it knows where every card lies that it was shown."""
        if not hasattr(self, "table") or not self.nobody_blundered:
            return
        known = self.table.knowledge
        unmixed = self.nothing_was_mixed and not self.house_rules.shuffles
        for pile, truth in zip(self.table.game.piles, self.hidden.piles, strict=True):
            for slot, card in zip(pile, truth, strict=True):
                seen = known.seen.get(slot)
                assert seen in (card, self.house_rules.pack.rank[card], None)
                if unmixed and card in self.shown and self.house_rules.pack.copies[card] == 1:
                    assert seen == card

    # How they do it

    def keep(self) -> None:
        self.back.append((self.hidden.mark(), frozenset(self.shown)))

    def shuffle_pile(self, seat: int) -> None:
        piles = [list(pile) for pile in self.hidden.piles]
        self.random.shuffle(piles[seat])
        self.hidden.disturb(
            piles, [self.shuffled_aside(seat, other) for other in range(len(piles))]
        )

    def shuffled_aside(self, seat: int, other: int) -> list[Card]:
        aside = list(self.hidden.asides[other])
        if other == seat:
            self.random.shuffle(aside)
        return aside

    def standing(self) -> tuple[object, ...]:
        """Everything about the table that a mistake must not change."""
        table = self.table
        game = table.game
        return (
            game.position(),
            game.laid,
            game.carried,
            game.due,
            game.result,
            table.knowledge.seen,
            table.knowledge.mixings,
            table.rounds[:],
            table.ruling,
        )


TestRealLife = RealLife.TestCase
TestRealLife.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
