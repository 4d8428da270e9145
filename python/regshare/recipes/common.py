# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the recipes' tables are made with. A kernel is known by `what`: its
program's name, with its own after it where the program has several."""

import math

KEY = ["program", "kernel"]


def finished(frame):
    return frame[frame["outcome"] == "finished"]


def named(frame):
    """With a column `what`, unless it has one."""
    if "what" in frame:
        return frame
    if "kernel" not in frame:
        return frame.assign(what=frame["program"])
    counts = frame.groupby("program")["kernel"].nunique()
    several = frame["program"].map(counts) > 1
    names = frame["program"].where(~several, frame["program"] + ", " + frame["kernel"])
    return frame.assign(what=names)


def by(frame, figure, columns="run"):
    """A table of a figure: a row for each program or kernel, a column for each
    value of `columns`, both in the order of the frame. Runs that were refused
    leave their cell empty."""
    rows = named(finished(frame))
    table = rows.pivot_table(index="what", columns=columns, values=figure, sort=False)
    table.columns.name = table.index.name = None
    table.columns = [str(each) for each in table.columns]
    return table


def geomean(values):
    values = [each for each in values if each == each]
    if not values:
        return math.nan
    return math.exp(sum(map(math.log, values)) / len(values))


def with_mean(table, mean=geomean, row="mean"):
    """With the mean of each column as the last row, over the rows that have all
    columns: means that stand side by side are of the same kernels."""
    whole = table.dropna()
    table = table.copy()
    table.loc[row] = [mean(whole[column]) for column in whole.columns]
    return table


def speedups(frame, base, columns="run"):
    """Cycles of the run `base` by those of each other, with the geometric mean."""
    cycles = by(frame, "cycles", columns)
    others = [column for column in cycles.columns if column != base]
    return with_mean(cycles[others].rdiv(cycles[base], axis=0))


def limited_by(frame, what, run):
    """The rows of kernels that `what` alone limits under a run: `registers`."""
    mine = finished(frame)
    mine = mine[(mine["run"] == run) & (mine["occupancy.limited_by"] == what)]
    keys = set(zip(mine["program"], mine["kernel"]))
    return frame[[pair in keys for pair in zip(frame["program"], frame["kernel"])]]
