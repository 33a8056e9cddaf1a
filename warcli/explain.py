"""The rule sheet: the rules of a game in plain words, to be read aloud before the deal.

Only what can happen under these rules is said. Whatever depends on how cards compare, and the
worked example, is asked of the law and not ruled again here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import TextWrapper
from typing import NamedTuple

from warcli.cards import JOKER
from warcli.contradictions import exception_pair
from warcli.events import Layer
from warcli.game import unbeaten_by
from warcli.rules import Rules
from warcli.simulation import default_players
from warcli.spoken import listed
from warcli.words import printable, say, say_count
from warcli.worked_example import worked_example


class Section(NamedTuple):
    """One matter of the rule sheet."""

    heading: str
    paragraphs: tuple[str, ...]
    numbered: bool = False
    """Whether the paragraphs are steps, taken one after another."""


def rule_sheet(rules: Rules) -> tuple[Section, ...]:
    """What these rules are, section by section, in the order in which a game meets them."""
    title = say("War: {name}", name=rules.name) if rules.name else say("War")
    war = (
        Section(say("War"), tuple(_war(rules)), numbered=True),
        _section(say("Too few cards for a war"), _shortage(rules)),
    )
    return (
        Section(title, tuple(_description(rules))),
        _section(say("The cards"), _cards(rules)),
        _section(say("The deal"), _deal(rules)),
        _section(say("A round"), _round(rules)),
        *(war if _can_tie(rules) else ()),
        _section(say("Taking up the cards"), _captured(rules), _worked_example(rules)),
        _section(say("The end"), _end(rules)),
    )


def in_short(rules: Rules) -> tuple[str, ...]:
    """What the players must know before they begin, a sentence or two each: how the cards are
    dealt, what a war takes, how the game ends."""
    war = (say("At a war: {step}", step=_laid_in_war(rules)),) if _can_tie(rules) else ()
    return (" ".join(_deal(rules)), *war, " ".join(_end(rules)))


def as_text(sections: Iterable[Section], width: int = 80) -> str:
    """The sheet as text, no line longer than `width` characters unless a single word is."""
    wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    lines: list[str] = []
    for section in sections:
        wrapper.initial_indent = wrapper.subsequent_indent = ""
        lines += wrapper.wrap(section.heading)
        for number, paragraph in enumerate(section.paragraphs, 1):
            wrapper.initial_indent = f"  {number}. " if section.numbered else "  "
            wrapper.subsequent_indent = " " * len(wrapper.initial_indent)
            lines += wrapper.wrap(paragraph)
        lines.append("")
    return "\n".join(lines[:-1])


def _section(heading: str, *paragraphs: Iterator[str]) -> Section:
    return Section(heading, tuple(filter(None, map(" ".join, paragraphs))))


def _description(rules: Rules) -> Iterator[str]:
    for paragraph in rules.description.split("\n\n"):
        if words := paragraph.split():
            yield printable(" ".join(words))


# Before the game


def _cards(rules: Rules) -> Iterator[str]:
    size = rules.deck_size
    if rules.players == 2:
        yield say("A game for two, with {size:,} cards.", size=size)
    else:
        yield say(
            "A game for {count} players, with {size:,} cards.", count=rules.players, size=size
        )
    ranks = len([rank for rank in rules.rank_order if rank != JOKER])
    if ranks and rules.suits > 1:
        yield say_count(
            "Each of the {suits} suits ({marks}) has {count} card.",
            "Each of the {suits} suits ({marks}) has {count} cards.",
            ranks,
            suits=rules.suits,
            marks=" ".join(rules.pack.suits),
        )
    elif ranks:
        yield say_count(
            "There are no suits, only {count} rank.",
            "There are no suits, only {count} ranks, each of them once.",
            ranks,
        )
    if ranks and rules.packs > 1:
        yield say("{packs} such packs are shuffled together.", packs=rules.packs)
    if rules.jokers:
        yield say_count("There is {count} joker.", "There are {count:,} jokers.", rules.jokers)
    yield from _strength(rules)


def _strength(rules: Rules) -> Iterator[str]:
    if len(rules.rank_order) == 1:
        yield say("All cards have the same rank ({rank}).", rank=rules.rank_order[0])
        return
    yield say(
        "From the highest to the lowest: {ranks}. A card beats every card of a lower rank.",
        ranks=" ".join(rules.rank_order),
    )
    if rules.pack.suits:
        yield say("Suits never count.")
    if rules.rank_exceptions:
        exceptions = [
            say("{one} beats {other}", one=winner, other=loser)
            for winner, loser in map(exception_pair, rules.rank_exceptions)
        ]
        yield say("Whatever that order says, {exceptions}.", exceptions=listed(exceptions))
    if rules.players > 2 and (circle := _circle(rules)):
        yield say(
            "When each of the cards turned up is beaten by another of them, as {ranks} are when "
            "they meet, all of them tie.",
            ranks=listed(circle),
        )


def _deal(rules: Rules) -> Iterator[str]:
    each, left = divmod(rules.deck_size, rules.players)
    yield say_count(
        "Shuffle, and deal the cards one at a time, face down, each onto the one before: "
        "{count} card for each player.",
        "Shuffle, and deal the cards one at a time, face down, each onto the one before: "
        "{count} cards for each player.",
        each,
    )
    if left and rules.leftover == "aside":
        yield say_count(
            "The card left over lies aside for the whole game.",
            "The {count} cards left over lie aside for the whole game.",
            left,
        )
    elif left:
        yield say_count(
            "The card left over goes to the first player.",
            "The {count} cards left over go to the first {count} players, one each.",
            left,
        )
    yield say("What you are dealt is your pile; nobody looks into a pile or changes its order.")


# A round


def _round(rules: Rules) -> Iterator[str]:
    if rules.players == 2:
        yield say(
            "Both players turn up the top card of their pile at the same moment. Whoever's card "
            "beats the other takes both."
        )
    else:
        yield say(
            "Everybody still in the game turns up the top card of their pile at the same moment. "
            "Whoever has the one card that no other beats takes them all."
        )
    if not _can_tie(rules):
        yield say("No two cards tie, so there is never a war.")
    elif rules.players == 2:
        yield say("Two cards of the same rank: that is war.")
    elif rules.war_between == "tied":
        yield say("If several are unbeaten, there is war between the players who tied.")
    else:
        yield say("If several are unbeaten, there is war between all the players.")


def _war(rules: Rules) -> Iterator[str]:
    """What is done in a war, step by step."""
    down = rules.war_face_down
    yield say("The cards stay on the table.")
    yield _laid_in_war(rules)
    yield (
        say("Only the cards turned up last are compared; those face down never count.")
        if down
        else say("Only the cards turned up last are compared.")
    )
    once, twice = 2 * (1 + down + 1), 2 * (1 + 2 * (down + 1))
    if rules.players > 2:
        yield say("Whoever has the one card that no other beats takes the whole table.")
        yield (
            say("If some tie again, those who do go on in the same way.")
            if rules.war_between == "tied"
            else say("If some tie again, everybody does the same once more.")
        )
    elif twice <= rules.deck_size:
        yield say(
            "Whoever's card beats the other takes the whole table: {count} cards.", count=once
        )
        yield say(
            "If they tie again, do the same once more, for {count} cards, and so on until they "
            "differ.",
            count=twice,
        )
    else:
        yield say("Whoever's card beats the other takes the whole table.")
        yield say("If they tie again, do the same once more, until they differ.")


def _laid_in_war(rules: Rules) -> str:
    down = rules.war_face_down
    if rules.players == 2:
        if not down:
            return say("Each player turns up the next card at once.")
        return say_count(
            "Each player adds {count} card face down and then turns one up.",
            "Each player adds {count} cards face down and then turns one up.",
            down,
        )
    if rules.war_between == "tied":
        if not down:
            return say("Each player who tied turns up the next card at once; the others wait.")
        return say_count(
            "Each player who tied adds {count} card face down and then turns one up; the others "
            "wait.",
            "Each player who tied adds {count} cards face down and then turns one up; the others "
            "wait.",
            down,
        )
    if not down:
        return say("Everybody still in the game, tied or not, turns up the next card at once.")
    return say_count(
        "Everybody still in the game, tied or not, adds {count} card face down and then turns one "
        "up.",
        "Everybody still in the game, tied or not, adds {count} cards face down and then turns one "
        "up.",
        down,
    )


def _shortage(rules: Rules) -> Iterator[str]:
    down = rules.war_face_down
    match rules.shortage:
        case "last-card-stands":
            if down:
                yield say(
                    "Whoever has too few cards lays fewer face down and keeps the last one to "
                    "turn up."
                )
            yield say(
                "Whoever has no card at all leaves the card turned up last standing: it is "
                "compared once more."
            )
            yield from _all_short(rules)
            return
        case _ if not down:
            yield say("Whoever has no card left to turn up is out.")
        case "short-loses":
            yield say(
                "Whoever has fewer than the {need:,} cards that it takes is out at once, and lays "
                "what is left face down on the table.",
                need=down + 1,
            )
            if rules.players > 2:
                yield say(
                    "That is done before the others lay anything, card by card, and if several are "
                    "out, by one player after the other, in the order of the seats."
                )
        case "first-out-loses":
            yield say(
                "Lay card by card. Whoever has none left when the next is to be laid is out there "
                "and then. The last card is not kept back: when a card is to go face down, it goes "
                "face down. A card turned up earlier never counts again."
            )
        case "fewer-down":
            yield say("Whoever has no card left is out.")
            yield say_count(
                "If somebody else has only one card left, nobody lays one face down.",
                "If somebody else has too few, all lay fewer face down: as many as leave whoever "
                "has the fewest cards one to turn up.",
                down,
            )
    yield from _somebody_out(rules)


def _all_short(rules: Rules) -> Iterator[str]:
    """What happens when nobody in a war can turn up a card, and all of them are out."""
    if rules.players == 2:
        yield say("If neither has a card left, the game is drawn.")
    elif rules.war_between == "everyone":
        yield say("If nobody has a card left, the game is drawn.")
    else:
        yield say(
            "If nobody in the war has a card left, all of them are out, and the table stays for "
            "whoever takes the next cards."
        )
        yield from _last_one_in(rules)


def _somebody_out(rules: Rules) -> Iterator[str]:
    """What happens when some in a war are out."""
    if rules.players == 2:
        yield (
            say("Whoever is out loses.")
            if rules.goal == "collect"
            else say("Whoever is out wins, for the other player gets all the cards.")
        )
        yield say("If both are out at the same moment, the game is drawn.")
        return
    yield say("The others go on.")
    if rules.war_between == "tied":
        yield say(
            "If only one of them is left in the war, that player takes the table without turning "
            "up another card; if none is, the table stays for whoever takes the next cards."
        )
    yield from _last_one_in(rules)


def _last_one_in(rules: Rules) -> Iterator[str]:
    yield (
        say("The last player left in the game gets all the cards and wins.")
        if rules.goal == "collect"
        else say("The last player left in the game gets all the cards and so loses.")
    )
    yield say("If nobody is left in the game, it is drawn.")


# Taking up the cards


def _captured(rules: Rules) -> Iterator[str]:
    yield from _capture_order(rules)
    match rules.won_cards:
        case "under" if rules.capture_order == "shuffled":
            yield say("They go face down under the winner's pile.")
        case "under":
            yield say(
                "In this order they go face down under the winner's pile: the one taken up first "
                "will be played first."
            )
        case "aside":
            yield say(
                "They go face down under the winner's won cards, a pile of their own. As soon as a "
                "card is wanted from an empty pile, even in the middle of a war, the won cards "
                "become the pile, and those won first will be played first."
            )
        case "aside-shuffled":
            yield say(
                "They go face down to the winner's won cards, a pile of their own. As soon as a "
                "card is wanted from an empty pile, even in the middle of a war, the won cards are "
                "shuffled and become the pile."
            )


def _capture_order(rules: Rules) -> Iterator[str]:
    two = rules.players == 2
    if rules.capture_order in ("own-first", "own-last", "seat-order"):
        yield say("The winner takes up the cards in the order in which they were laid.")
    match rules.capture_order:
        case "own-first" if two:
            yield say("Of two laid at the same moment, the winner's own comes first.")
        case "own-first":
            yield say(
                "Of those laid at the same moment, the winner's own comes first, then the others' "
                "clockwise from the winner."
            )
        case "own-last" if two:
            yield say("Of two laid at the same moment, the winner's own comes last.")
        case "own-last":
            yield say(
                "Of those laid at the same moment, the others' come first, clockwise from the "
                "winner, and the winner's own comes last."
            )
        case "seat-order" if two:
            yield say("Of two laid at the same moment, the first player's comes first, always.")
        case "seat-order":
            yield say(
                "Of those laid at the same moment, the first player's comes first, always, then "
                "the others' clockwise."
            )
        case "own-pile-first" if two:
            yield say(
                "The winner takes up all of their own cards, in the order in which they were laid, "
                "then the other player's in the same way."
            )
        case "own-pile-first":
            yield say(
                "The winner takes up all of their own cards, in the order in which they were laid, "
                "then each other player's in the same way, clockwise from the winner."
            )
        case "own-pile-last" if two:
            yield say(
                "The winner takes up all of the other player's cards, in the order in which they "
                "were laid, then their own in the same way."
            )
        case "own-pile-last":
            yield say(
                "The winner takes up each other player's cards, in the order in which they were "
                "laid, clockwise from the winner, then their own in the same way."
            )
        case "shuffled":
            yield say("The winner shuffles the cards from the table.")


def _worked_example(rules: Rules) -> Iterator[str]:
    """A small table captured by the first player, and how the second would take it up."""
    players = default_players(rules)
    first, second = worked_example(rules, winner=0), worked_example(rules, winner=1)
    if first is None or second is None:
        return
    yield say("For example:")
    for layer in first.layers:
        yield _laid(layer, players)
    if rules.capture_order == "shuffled":
        yield say("{player} takes them all.", player=players[0])
        return
    yield say(
        "{player} takes them in the order {cards}.",
        player=players[0],
        cards=" ".join(first.captured),
    )
    names, cards = _who_and_what(second.layers[-1], players)
    yield say(
        "Had {players} turned up {cards} instead, {player} would take {block}.",
        players=names,
        cards=cards,
        player=players[1],
        block=" ".join(second.captured),
    )


def _laid(layer: Layer, players: Sequence[str]) -> str:
    names, cards = _who_and_what(layer, players)
    if layer.face == "down":
        return say("{players} lay {cards} face down.", players=names, cards=cards)
    return say("{players} turn up {cards}.", players=names, cards=cards)


def _who_and_what(layer: Layer, players: Sequence[str]) -> tuple[str, str]:
    """The players who lay cards in this layer, and the cards, each as a list in words."""
    laid = [(player, card) for player, card in zip(players, layer.cards, strict=True) if card]
    return listed([player for player, _ in laid]), listed([card for _, card in laid])


# The end


def _end(rules: Rules) -> Iterator[str]:
    if rules.players > 2:
        yield say("Whoever has no card left after a round is out.")
    if rules.goal == "collect":
        yield say("Whoever has all the cards wins.")
    elif rules.players == 2:
        yield say("Whoever has all the cards loses: the other player wins.")
    else:
        yield say("Whoever has all the cards loses: all the other players win.")
    if not rules.shuffles:
        yield _repetition(rules)
    yield from _limits(rules)


def _repetition(rules: Rules) -> str:
    if rules.repetition == "play-on":
        return say("It changes nothing that the cards lie as they lay before: play on.")
    if rules.won_cards == "under":
        return say(
            "If before a round all piles lie exactly, card by card, as before an earlier round, "
            "the game is drawn, for it would go round for ever."
        )
    return say(
        "If before a round all piles and all won cards lie exactly, card by card, as before an "
        "earlier round, the game is drawn, for it would go round for ever."
    )


def _limits(rules: Rules) -> Iterator[str]:
    rounds, seconds = rules.last_round, rules.seconds
    if rounds is not None:
        yield say_count(
            "The game stops after {count} round; a war with all its repetitions belongs to it.",
            "The game stops after {count:,} rounds; a war with all its repetitions is one round.",
            rounds,
        )
    if seconds is not None:
        yield say(
            "After {time} the game stops; the round being played is finished, with all its wars.",
            time=_time(seconds),
        )
    if rounds is None and seconds is None:
        yield (
            say("There is no limit of rounds or time, and a game may never end.")
            if rules.can_run_for_ever
            else say("There is no limit of rounds or time.")
        )
    elif rules.limit_result == "draw":
        yield say("It is then drawn, whoever has more cards.")
    elif rules.goal == "collect":
        yield say("Whoever then has the most cards wins; if several have as many, it is drawn.")
    elif rules.players == 2:
        yield say("Whoever then has fewer cards wins; if both have as many, it is drawn.")
    else:
        yield say(
            "Whoever is still in and then has the fewest cards wins; if several have as few, it "
            "is drawn."
        )


def _time(seconds: int) -> str:
    hours, minutes = divmod(seconds // 60, 60)
    seconds %= 60
    parts = [
        say_count("{count} hour", "{count} hours", hours) if hours else "",
        say_count("{count} minute", "{count} minutes", minutes) if minutes else "",
        say_count("{count} second", "{count} seconds", seconds) if seconds else "",
    ]
    return listed([part for part in parts if part])


# What the law says


def _circle(rules: Rules) -> tuple[str, str, str] | None:
    """Three ranks of which each is beaten by another, if the exceptions make any."""
    unbeaten = unbeaten_by(rules)
    for one, other in map(exception_pair, rules.rank_exceptions):
        for third in rules.rank_order:
            if len(unbeaten((one, other, third))) == 3:
                return one, other, third
    return None


def _can_tie(rules: Rules) -> bool:
    """Whether there can be a war at all."""
    if any(rules.pack.copies[rank] > 1 for rank in rules.rank_order):
        return True
    return rules.players > 2 and _circle(rules) is not None
