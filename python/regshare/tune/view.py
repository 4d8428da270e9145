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


def columns(words):
    return "".join(f"{word:>{width}}" for word, (_, width) in zip(words, COLUMNS))


def lines(kernel, rungs):
    """The table of a kernel; an arrow marks the best rung."""
    count = f"{kernel.launches:,} launch{'es' if kernel.launches > 1 else ''}"
    size = "x".join(map(str, kernel.block))
    yield f"{kernel.short}: {count}, CTAs of {size} threads"
    yield columns(name for name, _ in COLUMNS)
    found = ladder.best(rungs)
    for rung in rungs:
        if rung.seen:
            arrow = " <--" if rung is found else ""
            yield f"{columns(cells(rung, kernel.seen))}{arrow}".rstrip()
        else:
            text = f"{rung.ctas:>6}{'':7}{rung.limit:>7}  {rung.why}"
            yield from textwrap.wrap(text, WIDTH, subsequent_indent=" " * 22)


def bounds(kernel, rung):
    """`__launch_bounds__(256, 4)`, which limits registers as the rung does."""
    return f"__launch_bounds__({kernel.threads}, {rung.ctas})"


def as_json(device, found):
    """`found`: pairs of a kernel and its rungs."""
    return {
        "version": 1,
        "device": device,
        "kernels": [
            {
                "name": kernel.name,
                "demangled": kernel.demangled,
                "launches": kernel.launches,
                "block": kernel.block,
                "rungs": [dataclasses.asdict(rung) for rung in rungs],
                "best": rungs.index(ladder.best(rungs)),
                "launch_bounds": None
                if ladder.best(rungs) is rungs[0]
                else bounds(kernel, ladder.best(rungs)),
            }
            for kernel, rungs in found
        ],
    }
