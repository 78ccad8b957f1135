"""Numbers addresses by the rule of the feed: FNV-1a over the lower-cased parts."""
import functools


def fnv(text, state=0xCBF29CE484222325):
    for byte in text.encode("utf-8"):
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return state


def folded(text):
    text = text.lower().replace("и\u0306", "й").replace("е\u0308", "ё")
    return text.replace("ё", "е")


@functools.cache
def street_state(locality, street):
    """Streets come again and again: what they give is worth keeping."""
    return fnv(folded(f"{locality}\x1f{street}\x1f"))


def number(locality, street, house, building, letter):
    state = fnv(folded(f"{house}\x1f{building}\x1f{letter}"), street_state(locality, street))
    return f"{state:016x}"
