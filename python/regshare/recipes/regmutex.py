# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RegMutex (ISCA 2018): tables of what was measured, as regmutex.yaml orders.
Cycles are by those of Baseline on the whole register file, so that both of the
paper's forms, "cycle reduction" and "increase", are a change of the same figure.
"""

from . import common

# Table I's columns: what §IV-A runs on the whole file, and §IV-B on half of it.
ON_WHOLE = "bfs cutcp dwt2d hotspot3D mri-q particlefilter radixsort sad".split()
ON_HALF = "gaussian heartwall lavaMD mergesort monteCarlo spmv srad tpacf".split()
WHOLE, HALF = "x1", "x0.5"
# Columns that a frame has only if some kernel has a split.
OF_SPLITS = ["split.base", "split.extended"]
OF_SPLITS += ["sharing.units_per_sm", "sharing.attempts", "sharing.successes"]


def prepared(frame):
    """With all columns, and kernels named before some are left out."""
    there = list(frame.columns)
    frame = frame.reindex(columns=there + [c for c in OF_SPLITS if c not in there])
    return common.named(frame)


def on(frame, file):
    return frame[frame["at.registers"] == file]


def of_paper(frame, programs):
    """Of each program the kernel that has most registers under Baseline, under the
    program's name."""
    base = common.finished(on(frame, WHOLE))
    base = base[(base["run"] == "baseline") & base["program"].isin(programs)]
    largest = base.loc[base.groupby("program")["registers_per_thread"].idxmax()]
    chosen = prepared(frame)
    keys = set(zip(largest["program"], largest["kernel"]))
    is_one = [pair in keys for pair in zip(chosen["program"], chosen["kernel"])]
    return chosen[is_one].assign(what=chosen[is_one]["program"])


def limited_names(frame):
    return set(common.limited_by(frame, "registers", "baseline")["what"])


def limited_on_whole(frame):
    """The kernels that registers alone limit on the whole file."""
    frame = prepared(frame)
    return frame[frame["what"].isin(limited_names(on(frame, WHOLE)))]


def limited_on_half(frame):
    """Those that registers alone limit on half of the file, and not on all of it."""
    frame = prepared(frame)
    names = limited_names(on(frame, HALF)) - limited_names(on(frame, WHOLE))
    return frame[frame["what"].isin(names)]


def cycles(frame, file, runs):
    base = common.by(on(frame, WHOLE), "cycles")["baseline"]
    return common.by(on(frame, file), "cycles")[runs].div(base, axis=0)


def summed_up(table):
    """With the geometric mean, and the best of each column."""
    best = table.min()
    table = common.with_mean(table)
    table.loc["best"] = best
    return table


def occupancy(frame, columns="run"):
    """Shares of the warps that an SM has room for."""
    warps = common.by(frame, "occupancy.warps", columns)
    return warps / common.by(frame, "occupancy.max_warps", columns)


def success(frame, columns="run"):
    """The share of requests for the extended set that get one."""
    mine = frame[frame["sharing.attempts"] > 0]
    successes = common.by(mine, "sharing.successes", columns)
    return successes / common.by(mine, "sharing.attempts", columns)


# Table I and what its programs do.


def table_1(frame):
    import pandas

    parts = []
    for programs, file in ((ON_WHOLE, WHOLE), (ON_HALF, HALF)):
        mine = on(of_paper(frame, programs), file)
        registers = common.by(mine, "registers_per_thread")["baseline"]
        bases = {"registers": registers}
        for name, run in (("base", "published"), ("base, here", "regmutex")):
            split = mine[(mine["run"] == run) & mine["split.base"].notna()]
            base = split.set_index("what")["split.base"]
            # Without a split all are in the base set.
            bases[name] = base.reindex(registers.index).fillna(registers)
        parts.append(pandas.DataFrame(bases).reindex(programs))
    return pandas.concat(parts)


def on_whole(frame, runs):
    return cycles(of_paper(frame, ON_WHOLE), WHOLE, runs).reindex(ON_WHOLE)


def on_half(frame, runs):
    return cycles(of_paper(frame, ON_HALF), HALF, runs).reindex(ON_HALF)


def occupancy_on_whole(frame, runs):
    return occupancy(on(of_paper(frame, ON_WHOLE), WHOLE))[runs].reindex(ON_WHOLE)


def occupancy_on_half(frame, runs):
    return occupancy(on(of_paper(frame, ON_HALF), HALF))[runs].reindex(ON_HALF)


def figure_7(frame):
    return summed_up(on_whole(frame, ["regmutex", "published"]))


def figure_7_occupancy(frame):
    return occupancy_on_whole(frame, ["baseline", "regmutex", "published"])


def figure_8(frame):
    return common.with_mean(on_half(frame, ["baseline", "regmutex", "published"]))


def figure_8_occupancy(frame):
    return occupancy_on_half(frame, ["baseline", "regmutex", "published"])


def figure_9a(frame):
    return common.with_mean(on_whole(frame, ["owf", "rfv", "regmutex"]))


def figure_9b(frame):
    return common.with_mean(on_half(frame, ["baseline", "owf", "rfv", "regmutex"]))


def figure_12a(frame):
    return common.with_mean(on_whole(frame, ["regmutex-paired", "regmutex"]))


def figure_12a_occupancy(frame):
    return occupancy_on_whole(frame, ["baseline", "regmutex-paired"])


def figure_12b(frame):
    runs = ["baseline", "regmutex-paired", "regmutex"]
    return common.with_mean(on_half(frame, runs))


def figure_12b_occupancy(frame):
    return occupancy_on_half(frame, ["baseline", "regmutex-paired"])


def figure_13(frame):
    """Over the kernels of both selections that acquire anything."""
    import pandas

    whole = on(limited_on_whole(frame), WHOLE)
    half = on(limited_on_half(frame), HALF)
    half = half.assign(what=half["what"] + ", half")
    both = pandas.concat([whole, half])
    runs = ["regmutex", "regmutex-paired"]
    return success(both[both["run"].isin(runs)]).reindex(columns=runs)


# The size of the extended set.


def by_size(frame):
    """The kernels that registers limit, with a column `size`: `6`, `chosen` or
    `baseline`. Kernels that cannot have a size are left out there."""
    frame = prepared(frame)
    frame = frame[frame["what"].isin(limited_names(frame))]
    is_size = frame["run"] == "size"
    frame = frame[~is_size | frame["split.base"].notna()]
    size = [
        str(int(at)) if run == "size" else run
        for run, at in zip(frame["run"], frame["at.es"])
    ]
    return frame.assign(size=size)


def ordered_sizes(table, first=()):
    numbers = sorted((c for c in table.columns if c.isdigit()), key=int)
    return table.reindex(columns=[*first, *numbers, "chosen"])


def figure_10(frame):
    table = common.by(by_size(frame), "cycles", "size")
    return ordered_sizes(table.div(table["baseline"], axis=0))


def figure_11a(frame):
    return ordered_sizes(occupancy(by_size(frame), "size"), first=["baseline"])


def figure_11b(frame):
    return ordered_sizes(success(by_size(frame), "size"))


# All programs.

SCHEMES = ["regmutex", "published", "regmutex-paired", "rfv", "owf"]


def limited(frame):
    return summed_up(cycles(limited_on_whole(frame), WHOLE, [*SCHEMES, "ideal"]))


def half(frame):
    frame = limited_on_half(frame)
    return common.with_mean(cycles(frame, HALF, ["baseline", *SCHEMES]))


def splits(frame):
    """Of a file: registers and resident warps under Baseline, and what RegMutex
    makes of them where it splits a kernel."""
    import pandas

    order = list(dict.fromkeys(frame["what"]))

    def column(figure, run):
        mine = common.by(frame[frame["run"] == run], figure)
        return mine.reindex(index=order, columns=[run])[run]

    return pandas.DataFrame({
        "registers": column("registers_per_thread", "baseline"),
        "warps": column("occupancy.warps", "baseline"),
        "base": column("split.base", "regmutex"),
        "extended": column("split.extended", "regmutex"),
        "sections": column("sharing.units_per_sm", "regmutex"),
        "warps then": column("occupancy.warps", "regmutex"),
        "warps, paired": column("occupancy.warps", "regmutex-paired"),
        "warps, RFV": column("occupancy.average_warps", "rfv"),
    })  # fmt: skip


def limited_splits(frame):
    return splits(on(limited_on_whole(frame), WHOLE))


def half_splits(frame):
    return splits(on(limited_on_half(frame), HALF))


def storage(frame):
    """What an SM has more, in bits, and by it what RFV has."""
    import pandas

    schemes = ["regmutex", "regmutex-paired", "rfv"]
    bits = frame.groupby("run")["storage_bits"].max().reindex(schemes)
    return pandas.DataFrame({"bits": bits, "times less than RFV": bits["rfv"] / bits}).T
