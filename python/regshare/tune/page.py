# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ladders as one HTML page that needs nothing from elsewhere, not even a script."""

from html import escape

from .. import page
from ..table import times
from . import view

# In pixels, as wide as a phone: the chart, the height of a row, the room for a bar's
# label on its left and for its cycles on its right.
WIDTH, ROW, LEFT, ROOM = 360, 24, 120, 90

NOTE = """A rung has as many registers as let so many CTAs be resident on an SM. Cycles are of all
launches; speedup and energy are against the first rung, the program as it is. Spilled values are in
memory instead of registers; others are computed again at their uses. ptxas: the registers that it
takes with this limit. Schemes are register files that no GPU has; an arrow marks one that is
faster than every rung without."""


def label(rung):
    return f"{rung.ctas} CTAs, {rung.seen.registers if rung.seen else rung.limit} regs"


def bar(at, rung, most, kind):
    y = at * ROW
    length = (WIDTH - LEFT - ROOM) * rung.seen.cycles / most
    return (
        f'<text x="0" y="{y + 16}">{label(rung)}</text>'
        f'<rect x="{LEFT}" y="{y + 4}" width="{length:.1f}" height="{ROW - 8}" rx="3" fill="var(--{kind})"/>'
        f'<text class="value" x="{LEFT + length + 6:.1f}" y="{y + 16}">{rung.seen.cycles:,}</text>'
    )


def chart(made):
    """Cycles of each rung that ran, the shorter the better."""
    finished = [rung for rung in made.rungs if rung.seen]
    most = max(rung.seen.cycles for rung in finished) or 1
    found = made.best
    kinds = {id(made.rungs[0]): "base", id(found): "c0"}
    bars = (
        bar(at, rung, most, kinds.get(id(rung), "main")) for at, rung in enumerate(finished)
    )
    size = f"0 0 {WIDTH} {ROW * len(finished)}"
    style = f"max-width: {1.5 * WIDTH}px"
    return f'<svg viewBox="{size}" style="{style}" role="img" aria-label="cycles by rung">{"".join(bars)}</svg>'


def row(kernel, rung, is_best):
    if not rung.seen:
        cells = (str(rung.ctas), "", str(rung.limit))
        why = f'<td class="why" colspan="{len(view.COLUMNS) - len(cells)}">{escape(rung.why)}</td>'
    else:
        cells, why = view.cells(rung, kernel.seen), ""
    of = ' class="best"' if is_best else ""
    return f"<tr{of}>{''.join(f'<td>{escape(each)}</td>' for each in cells)}{why}</tr>"


def schemes(made):
    """What schemes bring, as a terminal has it."""
    if not made.schemes:
        return ""
    text = "\n".join(view.scheme_lines(made))
    return f'\n<div class="wide"><pre>{escape(text)}</pre></div>'


def section(made):
    kernel, rungs, found = made.kernel, made.rungs, made.best
    heading, *_ = view.lines(made)
    advice = "as it is"
    if found is not rungs[0]:
        gain = times(kernel.seen.cycles / found.seen.cycles)
        advice = f"{view.bounds(kernel, found)}, or -maxrregcount={found.limit}: {gain}"
    names = "".join(f"<th>{name}</th>" for name, _ in view.COLUMNS)
    rows = "\n".join(row(kernel, rung, rung is found) for rung in rungs)
    return f"""<section><h2>{escape(kernel.short)}</h2>
<p class="note">{escape(heading.removeprefix(kernel.short + ": "))}. Fastest: <code>{escape(advice)}</code></p>
{chart(made)}
<div class="wide"><table><tr>{names}</tr>
{rows}
</table></div>{schemes(made)}</section>"""


def render(program, device, found, lines, difference):
    """`found`: ladders; `lines`: what to change and what it gives; `difference`: the
    patch."""
    sections = "\n".join(map(section, found))
    advice = "".join(f"<li>{escape(line)}</li>" for line in lines)
    patch = f'<div class="wide"><pre>{escape(difference)}</pre></div>' if difference else ""
    return f"""<!doctype html>
<html lang="en">
<head>
{page.head()}<title>RegShare: registers of {escape(program)}</title>
</head>
<body>
<header><h1>{escape(program)}: how many registers are best</h1><p>On {escape(device)}, simulated.</p></header>
<main>
<section><h2>What to change</h2><ul>{advice}</ul>{patch}</section>
{sections}
<p class="note">{NOTE}</p>
</main>
</body>
</html>
"""
