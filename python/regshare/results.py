# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recipes measured, beside what the papers have: as text, as figures, and
as one page (docs/results.md)."""

import dataclasses

from . import recipes


@dataclasses.dataclass
class Result:
    """A recipe's table of what was measured."""

    paper: recipes.Paper
    recipe: recipes.Recipe
    table: object  # a pandas frame

    def paper_figure(self, row, column):
        """What the paper has there, or None."""
        return (self.recipe.paper.get(row) or {}).get(column)

    def measured(self, row, column):
        return self.table.loc[row, column]

    def check(self):
        """The cells that the paper has and the table has not: for tests."""
        for row, cells in self.recipe.paper.items():
            for column in cells:
                if row not in self.table.index or column not in self.table.columns:
                    yield row, column


def text_of(value, unit):
    """`+3.2%` for a change of 1.032; nothing for what is not there."""
    if value is None or value != value:
        return ""
    if unit == "change":
        # Not -0.0%.
        return f"{round(100 * (value - 1), 1) + 0:+.1f}%"
    if unit == "share":
        return f"{100 * value:.1f}%"
    if unit == "ratio":
        return f"{value:.2f}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def cell(result, row, column):
    """What was measured, and after it in brackets what the paper has."""
    unit = result.recipe.unit
    ours = text_of(result.measured(row, column), unit)
    theirs = text_of(result.paper_figure(row, column), unit)
    return f"{ours} ({theirs})".strip() if theirs else ours


def cells(result):
    rows, columns = list(result.table.index), list(result.table.columns)
    heading = ["", *map(str, columns)]
    return [heading, *([str(r), *(cell(result, r, c) for c in columns)] for r in rows)]


def markdown(result):
    heading, *rows = cells(result)
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain(result):
    """For a terminal."""
    lines = cells(result)
    widths = [max(len(line[n]) for line in lines) for n in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            word.ljust(width) if number == 0 else word.rjust(width)
            for number, (word, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    )


def comma_separated(result):
    """Both figures of every cell, unrounded: row, column, measured, paper."""
    lines = ["row,column,measured,paper"]
    for row in result.table.index:
        for column in result.table.columns:
            value = result.measured(row, column)
            theirs = result.paper_figure(row, column)
            measured = "" if value != value else repr(float(value))
            lines.append(f'"{row}","{column}",{measured},{"" if theirs is None else theirs}')
    return "\n".join(lines) + "\n"


HEAD = """# Results

Each paper's headlines beside what RegShare measures, then every table and figure of their evaluations that the
models cover. `regshare-reproduce --all --page=docs/results.md` writes this page from records of runs;
[evaluation.md](evaluation.md) tells how to run one again, and what is run. In brackets is what the paper has, where its
text or tables give a figure. The programs are [RegShare's own](kernels.md), written from the algorithms, so the same
figures are not to be expected; where and why conclusions differ stands under each table. Means are geometric unless a
recipe says otherwise; RegMutex's and LTRF's papers do not say which theirs are.

These are the papers' machines, and PTX as it is. [then.md](then.md) has all schemes there on public programs, [why.md](why.md) papers' kernels with as
many registers as the papers say, and [today.md](today.md) all schemes on a GV100 and an H100 with native code.
"""


def headline_table(results):
    """The headlines of papers whose recipes were measured."""
    by_name = {result.recipe.name: result for result in results}
    lines = ["| paper | | paper | RegShare | |", "|---|---|---|---|---|"]
    for paper in dict.fromkeys(result.paper.name for result in results):
        for headline in next(r.paper for r in results if r.paper.name == paper).headlines:
            result = by_name.get(headline.recipe)
            if not result:
                continue
            unit = result.recipe.unit
            theirs = result.paper_figure(headline.row, headline.column)
            ours = result.measured(headline.row, headline.column)
            link = f"[{result.recipe.place}](#{result.recipe.name})"
            lines.append(
                f"| {paper} | {headline.text} | {text_of(theirs, unit)} "
                f"| {text_of(ours, unit)} | {link} |"
            )
    return "\n".join(lines)


def described(result):
    """The table, and where and why it differs from the paper's."""
    return "\n\n".join(filter(None, (markdown(result), result.recipe.differs.strip())))


def page(results):
    parts = [HEAD, "## Headlines\n", headline_table(results) + "\n"]
    paper = None
    for result in results:
        if result.paper.name != paper:
            paper = result.paper.name
            parts.append(f"## {result.paper.title}\n")
        recipe = result.recipe
        parts.append(f"### {recipe.name}\n")
        parts.append(f"{recipe.title} ({recipe.place}).\n")
        parts.append(described(result) + "\n")
    return "\n".join(parts)
