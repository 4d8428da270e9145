# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ladders for a terminal, in 100 columns, and as JSON."""

import dataclasses
import textwrap

from ..table import WIDTH, times
from . import ladder

COLUMNS = (
    ("CTAs", 6),
    ("warps", 7),
    ("limit", 7),
    ("registers", 11),
    ("ptxas", 7),
    ("spilled", 9),
    ("again", 7),
    ("local", 7),
    ("cycles", 14),
    ("speedup", 9),
    ("energy", 8),
)

# Of a table of schemes, before which their names stand.
SCHEME_NAME = 27
SCHEME_COLUMNS = tuple(
    each for each in COLUMNS if each[0] not in ("ptxas", "spilled", "again")
)


def ratio(part, whole):
    return f"{part / whole:.2f}" if part and whole else ""


def cells(rung, base):
    seen, compiled = rung.seen, rung.compiled
    limit = str(rung.limit) if rung.limit else "-"
    counts = (None, None, None)
    if compiled:
        counts = (compiled.ptxas, compiled.spilled, compiled.recomputed)
    ptxas, spilled, again = ("" if each is None else str(each) for each in counts)
    return (
        str(seen.ctas),
        str(seen.warps),
        limit,
        str(seen.registers),
        ptxas,
        spilled,
        again,
        str(seen.local_bytes),
        f"{seen.cycles:,}",
        times(base.cycles / seen.cycles) if seen.cycles else "",
        ratio(seen.energy, base.energy),
    )


def columns(words, of=COLUMNS):
    return "".join(f"{word:>{width}}" for word, (_, width) in zip(words, of))


def row(rung, base, is_best):
    """Of a table; under a scheme without the columns that have nothing to say."""
    names = [name for name, _ in COLUMNS]
    words = dict(zip(names, cells(rung, base)))
    of = SCHEME_COLUMNS if rung.scheme else COLUMNS
    text = columns((words[name] for name, _ in of), of)
    return f"{text}{' <--' if is_best else ''}".rstrip()


def lines(found):
    """The tables of a kernel; an arrow marks the best rung, and the best one under a scheme
    if that is better."""
    kernel = found.kernel
    count = f"{kernel.launches:,} launch{'es' if kernel.launches > 1 else ''}"
    size = "x".join(map(str, kernel.block))
    yield f"{kernel.short}: {count}, CTAs of {size} threads"
    yield columns(name for name, _ in COLUMNS)
    for rung in found.rungs:
        if rung.seen:
            yield row(rung, kernel.seen, rung is found.best)
        else:
            text = f"{rung.ctas:>6}{'':7}{rung.limit:>7}  {rung.why}"
            yield from textwrap.wrap(text, WIDTH, subsequent_indent=" " * 22)
    if found.schemes:
        yield from scheme_lines(found)


def scheme_lines(found):
    yield f"{'under a scheme':{SCHEME_NAME}}" + columns(
        (name for name, _ in SCHEME_COLUMNS), SCHEME_COLUMNS
    )
    for rung in found.schemes:
        is_long = len(rung.scheme) >= SCHEME_NAME
        if is_long and not rung.limit:
            yield rung.scheme
        name = "" if is_long else rung.scheme
        if rung.seen:
            yield f"{name:{SCHEME_NAME}}{row(rung, found.kernel.seen, rung is found.best_scheme)}"
        else:
            limit = str(rung.limit) if rung.limit else "-"
            text = f"{name:{SCHEME_NAME}}{'':13}{limit:>7}  {rung.why}"
            yield from textwrap.wrap(text, WIDTH, subsequent_indent=" " * (SCHEME_NAME + 22))


def advice(found):
    """What gives the best rung."""
    kernel, rung = found.kernel, found.best
    return (
        f"{kernel.short}: {bounds(kernel, rung)}, or -maxrregcount={rung.limit} for all "
        f"kernels: {times(kernel.seen.cycles / rung.seen.cycles)}"
    )


def scheme_advice(found):
    kernel, rung = found.kernel, found.best_scheme
    limit = f" with at most {rung.limit} registers" if rung.limit else ""
    gain, more = (times(x.seen.cycles / rung.seen.cycles) for x in (found.rungs[0], found.best))
    than = "" if found.best is found.rungs[0] else f", {more} of the best bounds"
    return f"{kernel.short}: under {rung.scheme}{limit}, which no GPU has: {gain}{than}"


def bounds(kernel, rung):
    """`__launch_bounds__(256, 4)`, which limits registers as the rung does."""
    return f"__launch_bounds__({kernel.threads}, {rung.ctas})"


def as_json(device, found):
    """`found`: ladders."""
    return {
        "version": 1,
        "device": device,
        "kernels": [
            {
                "name": each.kernel.name,
                "demangled": each.kernel.demangled,
                "launches": each.kernel.launches,
                "block": each.kernel.block,
                "rungs": [dataclasses.asdict(rung) for rung in each.rungs],
                "best": each.rungs.index(each.best),
                "launch_bounds": None
                if each.best is each.rungs[0]
                else bounds(each.kernel, each.best),
                "schemes": [dataclasses.asdict(rung) for rung in each.schemes],
                "best_scheme": each.schemes.index(each.best_scheme) if each.best_scheme else None,
            }
            for each in found
        ],
    }
