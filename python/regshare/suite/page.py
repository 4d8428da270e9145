# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of a suite's programs and how their runs ended."""

import collections
import dataclasses

from .. import records
from . import constants

# In the order in which they are counted.
OUTCOMES = ("built", "verified", "wrong", "refused", "failed", "not built", "left out")


@dataclasses.dataclass(frozen=True)
class Row:
    program: object
    device: str
    scheme: str
    outcome: str
    why: str = ""
    launches: int | None = None
    instructions: int | None = None
    cycles: int | None = None
    is_estimate: bool = False


def rows_without_runs(programs, refused):
    """Of programs that are left out or did not compile."""
    rows = []
    for each in programs:
        if each.left_out:
            rows.append(Row(each, "", "", "left out", each.left_out))
        elif each.name in refused:
            rows.append(Row(each, "", "", "not built", refused[each.name]))
    return rows


def smaller(given):
    """What was built is not quite what is public."""
    return f"with {constants.said(given.constants)}" if given.constants else ""


def row_of(run, record):
    kernels = record["kernels"].values()
    cycles = [each["cycles"] for each in kernels]
    configuration = record["configuration"]
    return Row(
        run.program,
        records.device_name(configuration),
        records.label(configuration),
        record["outcome"],
        record["why"] or smaller(run.input),
        sum(each["launches"] for each in kernels),
        sum(each["warp_instructions"] for each in kernels),
        sum(cycles) if cycles and None not in cycles else None,
        any("estimated" in each for each in kernels),
    )


def in_order(programs, rows):
    place = {each.name: n for n, each in enumerate(programs)}
    return sorted(rows, key=lambda row: place[row.program.name])


HEADER = ("program", "device", "scheme", "outcome", "launches", "warp instr.", "cycles")


def number(value):
    return "" if value is None else f"{value:,}"


def cells(row):
    counts = map(number, (row.launches, row.instructions))
    cycles = f"~{number(row.cycles)}" if row.is_estimate else number(row.cycles)
    return (row.program.full_name, row.device, row.scheme, row.outcome, *counts, cycles)


def table(rows):
    """Aligned for a terminal; columns that are empty throughout are left out."""
    lines = [HEADER, *map(cells, rows)]
    used = [n for n in range(len(HEADER)) if any(line[n] for line in lines[1:])]
    widths = {n: max(len(line[n]) for line in lines) for n in used}
    text = []
    for line, why in zip(lines, ["", *(row.why for row in rows)]):
        parts = [
            line[n].rjust(widths[n]) if n > 3 else line[n].ljust(widths[n]) for n in used
        ]
        text.append("  ".join([*parts, why]).rstrip())
    return "\n".join(text)


def counted(count, what):
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def counts(rows):
    """One line: how many of each outcome."""
    found = collections.Counter(row.outcome for row in rows)
    parts = [f"{found[each]} {each}" for each in OUTCOMES if found[each]]
    programs = len({row.program.name for row in rows})
    runs = sum(bool(row.device) for row in rows)
    what = f", {counted(runs, 'run')}" if runs else ""
    return f"{counted(programs, 'program')}{what}: {', '.join(parts)}"


def summed(rows):
    """`verified`, or `8 of 17 verified`, of runs on one device; and the first reason
    of another outcome, or which constants were changed."""
    good = sum(row.outcome == "verified" for row in rows)
    rest = [row.why for row in rows if row.outcome != "verified"]
    outcome = rows[0].outcome if len(rows) == 1 else f"{good} of {len(rows)} verified"
    if good == len(rows):
        outcome = "verified"
    why = next(iter(rest or [row.why for row in rows]), "")
    return outcome, why.replace("|", "\\|")


def markdown(rows):
    """A line for each program, and a column for each device. Nothing in it changes
    from run to run."""
    devices = list(dict.fromkeys(row.device for row in rows if row.device)) or [""]
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        groups[row.program.full_name][row.device].append(row)
    names = " | ".join(each or "outcome" for each in devices)
    lines = [f"| program | {names} | remark |", "|---" * (len(devices) + 2) + "|"]
    for name, found in groups.items():
        whole = [summed(found[each]) for each in devices if each in found]
        whole = whole or [summed(found[""])] * len(devices)
        why = next((why for _, why in whole if why), "")
        lines.append(f"| {name} | {' | '.join(outcome for outcome, _ in whole)} | {why} |")
    return "\n".join([*lines, "", counts(rows), ""])
