"""Trying rules out: some games on the law, to warn of what would only be found out at the table.

It takes about half a second, and needs nothing that isn't always installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from time import process_time

from msgspec import Struct, field
from msgspec.structs import replace

from warcli.contradictions import Remark
from warcli.events import Result, Round
from warcli.rules import Rules
from warcli.simulation import simulate
from warcli.words import say, say_count

_ROUNDS = 60_000
"""How many rounds are played at most: some 240 games of a common pack, and enough to tell how long
games are with the largest."""

SECONDS = 0.7
"""How long a trial takes at most, in seconds of the processor's time, on whatever machine."""

_ENOUGH = 10
"""Games that must be over before anything is said of their shares."""

_LONG = 2_000
"""Rounds, some two and a half hours at a table, that are more than most people want to play."""

_SEED = 0


class _Tried(Struct):
    """What came of some games."""

    ended: Counter[str] = field(default_factory=Counter)
    """How many games ended for each reason."""
    rounds: int = 0
    """The rounds of all, one that was broken off included."""

    @property
    def games(self) -> int:
        return self.ended.total()

    def share(self, reason: str) -> float:
        return self.ended[reason] / self.games if self.games else 0.0


def trial(rules: Rules, seconds: float = SECONDS) -> list[Remark]:
    """Play the first games of seed 0 and say what is surprising about them, and what would mend it.

    After so many seconds no further round is played. Nothing is said of rules under which too few
    games were over by then."""
    begun = process_time()
    tried = _try(rules, _ROUNDS, begun + 0.7 * seconds)  # the rest is for what might mend it
    return [
        *_never_ending(rules, tried, begun + seconds),
        *_ending_oddly(rules, tried),
        *_long(rules, tried),
    ]


def _try(rules: Rules, most: int, deadline: float) -> _Tried:
    """Games 0, 1, 2 … for so many rounds; the one that is broken off isn't counted."""
    tried = _Tried()
    for game in range(most):
        for event in simulate(rules, _SEED, game):
            if isinstance(event, Round):
                tried.rounds += 1
                if tried.rounds == most or process_time() > deadline:
                    return tried
            elif isinstance(event, Result):
                tried.ended[event.reason] += 1
    return tried


def _never_ending(rules: Rules, tried: _Tried, deadline: float) -> Iterator[Remark]:
    """Games that never end, where no clock ends them, or are drawn because they wouldn't."""
    reason = "endless" if tried.ended["endless"] else "repetition"
    if tried.games < _ENOUGH or tried.share(reason) <= (0 if reason == "endless" else 0.3):
        return
    if reason == "endless" and rules.seconds is not None:
        return
    parts = _parts(tried, reason)
    message = (
        say("{share} deals never end with {key} ({tried})", key=_order(rules), **parts)
        if reason == "endless"
        else say(
            "{share} deals repeat and are drawn with {key} ({tried})", key=_order(rules), **parts
        )
    )
    if rules.capture_order != "own-first":
        mended = replace(rules, capture_order="own-first")
        other = _try(mended, _ROUNDS // 4, deadline)
        if other.games >= _ENOUGH and other.share(reason) < tried.share(reason) / 4:
            advice = say(
                "{key} mends that ({count} of {games} tried)",
                key=_order(mended),
                count=other.ended[reason],
                games=other.games,
            )
            yield Remark(("capture_order",), message, advice=advice)
            return
    if reason == "endless":
        advice = say("{key} ends such games, and so does a round_limit", key="repetition: draw")
        yield Remark(("repetition",), message, advice=advice)


def _ending_oddly(rules: Rules, tried: _Tried) -> Iterator[Remark]:
    """Games that mostly end before they are decided by the cards that were turned up."""
    if tried.games < _ENOUGH:
        return
    if tried.share("round-limit") > 0.75 and rules.limit_result == "draw":
        yield Remark(
            ("round_limit",),
            say("{share} games are drawn at this limit ({tried})", **_parts(tried, "round-limit")),
            advice=say(
                "a higher round_limit lets more of them be played out; {key} gives them a winner",
                key="limit_result: most-cards",
            ),
        )
    if tried.share("shortage") > 0.5:
        yield Remark(
            ("war_face_down", "shortage"),
            say(
                "{share} games end in a war that somebody has too few cards for ({tried})",
                **_parts(tried, "shortage"),
            ),
            advice="; ".join(_against_shortage(rules)),
        )


def _against_shortage(rules: Rules) -> Iterator[str]:
    """What lets wars be fought to their end, where that can still be changed."""
    if rules.war_face_down:
        yield say("with fewer cards face down that is rarer")
    if rules.shortage != "last-card-stands":
        yield say("with {key} players fight on", key="shortage: last-card-stands")


def _long(rules: Rules, tried: _Tried) -> Iterator[Remark]:
    """Games that take longer than people like to sit at a table, where no clock ends them."""
    # three games more, so that one or two long ones don't do
    if rules.seconds is None and tried.rounds > _LONG * (tried.games + 3):
        message = (
            say_count(
                "games are very long: {count} was over after {rounds} rounds",
                "games are very long: {count} were over after {rounds} rounds together",
                tried.games,
                rounds=f"{tried.rounds:,}",
            )
            if tried.games
            else say(
                "games are very long: the first was not over after {rounds} rounds",
                rounds=f"{tried.rounds:,}",
            )
        )
        yield Remark(("round_limit",), message, advice=say("a round_limit stops it sooner"))


def _order(rules: Rules) -> str:
    return f"capture_order: {rules.capture_order}"


def _parts(tried: _Tried, reason: str) -> dict[str, str]:
    """For a message: the `share` of the games that ended so, and how many were `tried`."""
    tenths = round(10 * tried.share(reason))
    if tenths == 0:
        share = say("a few")
    elif tenths == 10:
        share = say("nearly all")
    else:
        share = say("about {tenths} in 10", tenths=tenths)
    return {
        "share": share,
        "tried": say("{count} of {games} tried", count=tried.ended[reason], games=tried.games),
    }
