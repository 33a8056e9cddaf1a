"""Rules that are valid, but may surprise whoever wrote them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from warcli.contradictions import Remark, exception_pair
from warcli.game import unbeaten_by
from warcli.rules import Rules
from warcli.spoken import either
from warcli.words import say, say_count


def surprises(rules: Rules, stated: Collection[str] = ()) -> Iterator[Remark]:
    """What is valid in these rules, but may surprise whoever wrote them.

    `stated`: the keys that were written down, even with the value that they have anyway.
    """
    limited = rules.last_round is not None or rules.seconds is not None
    if rules.can_run_for_ever and rules.seconds is None:
        yield Remark(
            ("repetition", "round_limit", "time_limit"),
            say("a game by these rules can run for ever"),
            advice=say(
                "any of these ends it: {keys}",
                keys="repetition: draw, round_limit: 1000, time_limit: 30m",
            ),
        )
    if not limited and ("limit_result" in stated or rules.limit_result != "draw"):
        yield Remark(
            ("limit_result",),
            say("there is no limit, so limit_result never applies"),
            advice=say("give a limit ({keys}), or leave it out", keys="round_limit, time_limit"),
        )
    if rules.repetition == "draw" and rules.shuffles:
        yield Remark(
            ("repetition", "capture_order", "won_cards"),
            say(
                "cards are shuffled during the game, so {key} never applies", key="repetition: draw"
            ),
            advice=say("{key} ends a long game here", key="round_limit"),
        )
    if rules.won_cards == "aside" and rules.repetition == "play-on":
        yield Remark(
            ("won_cards",),
            say(
                "taken up in the order in which they were won, the cards come as they would from "
                "under the pile; this changes nothing"
            ),
            advice=say("{key} makes a difference", key="won_cards: aside-shuffled"),
        )
    yield from _surprising_ranks(rules)
    yield from _surprising_exceptions(rules)
    yield from _surprising_seats(rules)


def _surprising_ranks(rules: Rules) -> Iterator[Remark]:
    numbers = [int(rank) for rank in rules.rank_order if rank.isdecimal()]
    if len(numbers) > 2 and numbers == sorted(numbers):
        first, last = rules.rank_order[0], rules.rank_order[-1]
        yield Remark(
            ("rank_order",),
            say("the highest rank stands first, so {first} beats {last}", first=first, last=last),
            advice=say("turn the order round if that is not meant"),
        )
    if rules.suits > 1:
        for entry, rank in enumerate(rules.rank_order):
            if len(readings := rules.pack.readings(rank)) > 1:
                both = either(readings)
                message = say(
                    "{rank} typed by a player can be read as {both}", rank=rank, both=both
                )
                yield Remark(("rank_order",), message, entry, say("choose another label"))
    step = rules.war_face_down + 1
    needs_all = rules.shortage in ("short-loses", "first-out-loses")
    can_tie = len({rules.pack.rank[card] for card in rules.pack.cards}) < rules.deck_size
    if can_tie and needs_all and 2 * (1 + step) > rules.deck_size:
        yield Remark(
            ("war_face_down", "shortage", "deck_size", "rank_order", "suits"),
            say(
                "no war can be played out: two players need {cards} cards for it",
                cards=2 * (1 + step),
            ),
            advice=say("fewer cards face down, or {line}", line="shortage: fewer-down")
            if rules.war_face_down
            else "",
        )


def _surprising_exceptions(rules: Rules) -> Iterator[Remark]:
    place = {rank: place for place, rank in enumerate(rules.rank_order)}
    excepted: dict[str, list[str]] = {rank: [] for rank in place}
    for winner, loser in rules.exceptions:
        excepted[winner].append(loser)
        excepted[loser].append(winner)

    unbeaten = unbeaten_by(rules)

    def beats(one: str, other: str) -> bool:
        return unbeaten((one, other)) == (0,)

    for entry, text in enumerate(rules.rank_exceptions):
        winner, loser = exception_pair(text)
        if place[winner] < place[loser]:
            message = say("{exception} by rank_order already", exception=text)
            yield Remark(("rank_exceptions", "rank_order"), message, entry, say("leave it out"))
            continue
        # Where there is a longer circle there is also one of three, by this exception or another.
        between = (rules.rank_order[each] for each in range(place[loser] + 1, place[winner]))
        for third in chain(between, excepted[loser], excepted[winner]):
            if beats(loser, third) and beats(third, winner):
                circle = " beats ".join((winner, loser, third, winner))
                yield Remark(
                    ("rank_exceptions", "players", "rank_order"),
                    say("this makes a circle: {circle}", circle=circle),
                    entry,
                    say("where every card is beaten, all of them tie")
                    if rules.players > 2
                    else say("two cards always differ: it shows only with three players or more"),
                )
                break


def _surprising_seats(rules: Rules) -> Iterator[Remark]:
    over = rules.deck_size % rules.players
    if over and rules.leftover == "aside":
        yield Remark(
            ("leftover", "players", "deck_size"),
            say_count(
                "{count} card of {size} doesn't divide among {players} players and lies aside "
                "for the whole game",
                "{count} cards of {size} don't divide among {players} players and lie aside "
                "for the whole game",
                over,
                size=rules.deck_size,
                players=rules.players,
            ),
            advice=say("{key} deals them to the first seats", key="leftover: dealt"),
        )
    if rules.players == 2 and rules.war_between == "everyone":
        yield Remark(
            ("war_between", "players"),
            say("with two players both are always in a war; this changes nothing"),
            advice=say("leave it out"),
        )
