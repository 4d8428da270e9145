# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Register and scratchpad sharing ("Improving GPU Performance Through Resource
Sharing"): tables of what was measured, as sharing.yaml orders."""

import collections

import pandas

from . import common

# A kind of sharing: the paper's kernels in its order (its Set-1 and Set-2), what
# records call the limit, and what tables do.
Kind = collections.namedtuple("Kind", "kernels limit label verb")
REGISTERS = Kind(
    (
        ("backprop", "adjustKernel"), ("b+tree", "countRangeKernel"),
        ("hotspot", "hotspotKernel"), ("lib", "pathKernel"), ("mum", "matchKernel"),
        ("mri-q", "qKernel"), ("sgemm", "sgemmKernel"), ("stencil", "stencilKernel"),
    ),
    "registers", "registers", "limit",
)  # fmt: skip
SCRATCHPAD = Kind(
    (
        ("convolutionSeparable", "rowKernel"), ("convolutionSeparable", "columnKernel"),
        ("lavaMD", "forceKernel"), ("nw", "alignKernel"),
        ("srad", "coefficientKernel"), ("srad", "diffuseKernel"),
    ),
    "shared memory", "scratchpad", "limits",
)  # fmt: skip
KINDS = (REGISTERS, SCRATCHPAD)
# Set-3, which something else limits.
OTHERS = (
    ("backprop", "forwardKernel"), ("bfs", "expandKernel"), ("gaussian", "fan2Kernel"),
    ("nn", "executeSecondLayer"),
)  # fmt: skip

# Names of runs in sharing.yaml: Baseline, and sharing with all of the paper's
# optimisations.
BASE, WHOLE = "lrr", "owf"
# t of the latter.
WHOLE_SHARE = 0.1
# The paper's stalls: an instruction is ready, and finds no operand collector,
# pipe or room in the load/store unit. Idle is a slot with warps, none of them with
# a ready instruction.
STALLS = (
    "operands", "pipe", "mem-bank-conflict", "mem-transactions", "mem-mshr",
    "mem-reservation", "mem-store-credits", "mem-queue",
)  # fmt: skip


def in_order(frame, kernels):
    """The rows of these kernels, in their order, and then all others."""
    places = {pair: place for place, pair in enumerate(kernels)}
    pairs = zip(frame["program"], frame["kernel"])
    rank = [places.get(pair, len(places)) for pair in pairs]
    return frame.assign(rank=rank).sort_values("rank", kind="stable")


def chosen(frame, kind):
    """The rows of the paper's kernels and of those that the resource alone
    limits, with `what` and `limited`."""
    frame = common.named(common.finished(frame))
    limited = common.limited_by(frame, kind.limit, BASE)["what"]
    frame = in_order(frame, kind.kernels)
    frame = frame.assign(limited=frame["what"].isin(limited))
    return frame[(frame["rank"] < len(kind.kernels)) | frame["limited"]]


def with_means(table, mine, kind):
    """With the geometric mean and the largest, over the kernels that the resource
    limits here: in the paper it limits all of its list."""
    names = mine["what"][mine["limited"]].unique()
    limited = table[table.index.isin(names)]
    for row, of in (("mean", common.geomean), ("most", max_of)):
        last = common.with_mean(limited, of, f"{row} where {kind.label} {kind.verb}")
        table = pandas.concat([table, last.iloc[-1:]])
    return table


def max_of(values):
    return max(values, default=float("nan"))


def faster(frame, kind, base, runs):
    """Cycles of `base` by those of other runs. IPC is the same ratio, as both
    execute the same instructions but for releases."""
    mine = chosen(frame, kind)
    cycles = common.by(mine, "cycles").reindex(columns=[base, *runs])
    return with_means(cycles[runs].rdiv(cycles[base], axis=0), mine, kind)


def unused(frame, kind, figure):
    """What the CTAs that fit leave of the resource."""
    mine = chosen(frame, kind)
    mine = mine[mine["run"] == BASE]
    return 1 - common.by(mine, f"utilisation.{figure}").set_axis(["unused"], axis=1)


def resident(frame, kind):
    table = common.by(chosen(frame, kind), "occupancy.ctas")[[BASE, WHOLE]]
    return table.set_axis(["baseline", "sharing"], axis=1)


def size_of(dimensions):
    """Threads of `16x16x1`."""
    size = 1
    for each in dimensions.split("x"):
        size *= int(each)
    return size


def needs(frame, kind):
    """What a kernel's CTAs need."""
    mine = chosen(frame, kind)
    mine = mine[mine["run"] == BASE]
    mine = mine.assign(
        threads=mine["block"].map(size_of),
        bytes=mine["static_shared_bytes"] + mine["dynamic_shared_bytes"],
    )
    figure = "registers_per_thread" if kind is REGISTERS else "bytes"
    columns = [common.by(mine, each)[BASE] for each in ("threads", figure)]
    names = ["threads", "registers" if kind is REGISTERS else "bytes"]
    return pandas.concat(columns, axis=1).set_axis(names, axis=1)


def slots(frame, kind):
    """Stall and idle slots under sharing by those of Baseline, and the least that
    is left of them."""
    mine = chosen(frame, kind)
    uses = [name for name in mine if name.startswith("slots.")]
    stalls = [f"slots.{name}" for name in STALLS]
    idle = set(uses) - {"slots.issued", "slots.no-warp", *stalls}
    mine = mine.assign(
        stalls=mine[stalls].sum(axis=1), idle=mine[sorted(idle)].sum(axis=1)
    )
    columns = {}
    for figure in ("stalls", "idle"):
        counts = common.by(mine, figure)
        # Where Baseline has none there is no ratio.
        columns[figure] = counts[WHOLE] / counts[BASE].where(counts[BASE] > 0)
    table = pandas.DataFrame(columns)
    names = mine["what"][mine["limited"]].unique()
    least = table[table.index.isin(names)].min()
    table.loc[f"least where {kind.label} {kind.verb}"] = least
    return table


def over_sharing(frame, kind, figure):
    """A figure over how much is shared, 1 - t, and the rows it is of."""
    mine = chosen(frame, kind)
    mine = mine[mine["run"].isin(("shares", WHOLE))]
    shares = mine["at.private-share"].fillna(WHOLE_SHARE).astype(float)
    mine = mine.assign(shared=[f"{round(100 * (1 - share))}%" for share in shares])
    table = common.by(mine, figure, "shared")
    return table[sorted(table.columns, key=lambda each: int(each[:-1]))], mine


def faster_over_sharing(frame, kind):
    cycles, mine = over_sharing(frame, kind, "cycles")
    others = [column for column in cycles if column != "0%"]
    return with_means(cycles[others].rdiv(cycles["0%"], axis=0), mine, kind)


def of_kind(frame, kind):
    """Of the sweep `unlimited`, in which runs are `registers lrr`."""
    start = f"{kind.label} "
    mine = frame[frame["run"].str.startswith(start)]
    return mine.assign(run=mine["run"].str.removeprefix(start))


# Sharing without more CTAs, and what has to take the same cycles.
SAME = {"lrr-opt": "lrr", "gto-opt": "gto"}


def others(frame, kind):
    """Set-3 under sharing against Baseline with the same scheduler; OWF against
    GTO, which orders warps in the same way where no CTA has a partner."""
    mine = common.named(common.finished(of_kind(frame, kind)))
    mine = in_order(mine, OTHERS)
    cycles = common.by(mine[mine["rank"] < len(OTHERS)], "cycles")
    pairs = {**SAME, WHOLE: "gto"}
    table = {new: cycles[old] / cycles[new] for new, old in pairs.items()}
    return pandas.DataFrame(table).set_axis(["LRR", "GTO", "OWF and GTO"], axis=1)


def unlimited(frame):
    """How many of the kernels that a resource limits nowhere take exactly
    Baseline's cycles. Kernels of programs in which another kernel shares are not
    counted: what that leaves in the caches reaches those after it."""
    rows, same, total = {}, 0, 0
    for kind in KINDS:
        mine = common.named(common.finished(of_kind(frame, kind)))
        base = mine[mine["run"] == BASE]
        limits = base["occupancy.limited_by"].str.split("+")
        shares = base["program"][[kind.limit in each for each in limits]]
        cycles = common.by(mine[~mine["program"].isin(shares)], "cycles")
        for new, old in SAME.items():
            equal = int((cycles[new] == cycles[old]).sum())
            name = f"{kind.label}, {old.upper()}: {equal} of {len(cycles)}"
            rows[name] = equal / len(cycles)
            same, total = same + equal, total + len(cycles)
    rows["all"] = same / total
    return pandas.Series(rows).to_frame("exactly Baseline's cycles")


def figure_1b(frame):
    return unused(frame, REGISTERS, "registers")


def figure_1d(frame):
    return unused(frame, SCRATCHPAD, "scratchpad")


def table_2(frame):
    return needs(frame, REGISTERS)


def table_3(frame):
    return needs(frame, SCRATCHPAD)


def figure_8a(frame):
    return resident(frame, REGISTERS)


def figure_8b(frame):
    return resident(frame, SCRATCHPAD)


def figure_8c(frame):
    return faster(frame, REGISTERS, BASE, [WHOLE])


def figure_8d(frame):
    return faster(frame, SCRATCHPAD, BASE, [WHOLE])


def figure_9a(frame):
    return faster(frame, REGISTERS, BASE, ["no-opt", "unroll", "dyn", WHOLE])


def figure_9b(frame):
    return faster(frame, SCRATCHPAD, BASE, ["no-opt", WHOLE])


def figure_9c(frame):
    return slots(frame, REGISTERS)


def figure_9d(frame):
    return slots(frame, SCRATCHPAD)


def figure_10a(frame):
    return faster(frame, REGISTERS, "gto", [WHOLE])


def figure_10b(frame):
    return faster(frame, SCRATCHPAD, "gto", [WHOLE])


def figure_10c(frame):
    return faster(frame, REGISTERS, "two-level", [WHOLE])


def figure_10d(frame):
    return faster(frame, SCRATCHPAD, "two-level", [WHOLE])


def figure_11a(frame):
    return faster(frame, REGISTERS, BASE, [WHOLE, "double"])


def figure_11b(frame):
    return faster(frame, SCRATCHPAD, BASE, [WHOLE, "double"])


def figure_12a(frame):
    return others(frame, REGISTERS)


def figure_12b(frame):
    return others(frame, SCRATCHPAD)


def table_5(frame):
    return faster_over_sharing(frame, REGISTERS)


def table_6(frame):
    return over_sharing(frame, REGISTERS, "occupancy.ctas")[0]


def table_7(frame):
    return faster_over_sharing(frame, SCRATCHPAD)


def table_8(frame):
    return over_sharing(frame, SCRATCHPAD, "occupancy.ctas")[0]


def more_registers(frame):
    return faster(frame, REGISTERS, BASE, ["gto", "gto-opt", WHOLE, "early"])


def more_scratchpad(frame):
    return faster(frame, SCRATCHPAD, BASE, ["gto", "gto-opt", WHOLE, "early"])
