# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LTRF (ASPLOS 2018): tables of what was measured, as ltrf.yaml orders."""

import math
import statistics

from . import common

LATENCY = "at.regfile.latency"
DESIGN = "at.regfile.design"
# Against which everything is measured: Baseline with the cache's bytes added to
# its own file, as fast as that.
REFERENCE = "baseline 1x"
CACHED = ("rfc", "shrf", "ltrf-strand", "ltrf", "ltrf-plus")
LOSSES = (0.01, 0.05, 0.10)
# Of an instruction and of a vector of 256 registers: sm_75 (Base/LTRF.h).
INSTRUCTION_BYTES, VECTOR_BYTES = 16, 32
LANE_BYTES = 4  # of a register


def labels(frame):
    """Rows of files at the cache's own size, with a column `label`: `rfc 2x` for a scheme over a
    latency, `rfc 7` on a design, `ideal` on its own file, `baseline own`."""

    def label(row):
        if row["run"] == "latency":
            return f"{row['scheme']} {row[LATENCY]:g}x"
        if row["run"] == "design":
            return f"{row['scheme']} {row[DESIGN]:g}"
        return "ideal" if row["scheme"] == "ideal" else f"{row['scheme']} own"

    frame = frame[frame["run"].isin(["latency", "design", "own file"])]
    return frame.assign(label=[label(row) for _, row in frame.iterrows()])


def on_maxwell(frame):
    return frame[frame["device"].str.startswith("ltrf-maxwell")]


def table_of(frame, figure):
    return common.by(labels(frame), figure, "label")


def ipc(frame):
    """Of Baseline's instructions, so that PREFETCHes are no work done."""
    cycles = table_of(frame, "cycles")
    return cycles.rdiv(cycles[REFERENCE], axis=0)


def with_extremes(table, mean=common.geomean):
    """With the mean, the least and the most of each column as the last rows."""
    whole = common.with_mean(table, mean)
    whole.loc["least"], whole.loc["most"] = table.min(), table.max()
    return whole


def summed(rows, figure, columns):
    """Of all of a program's kernels, each once."""
    table = rows.pivot_table(
        index="program", columns=columns, values=figure, aggfunc="sum", sort=False
    )
    table.columns.name = table.index.name = None
    return table


def latencies(frame):
    return sorted(each for each in frame[LATENCY].unique() if each == each)


def arithmetic(values):
    values = [each for each in values if each == each]
    return statistics.fmean(values) if values else math.nan


def harmonic(values):
    """Of ratios whose inverse may be nothing."""
    values = [each for each in values if each == each]
    left = sum(1 / each for each in values)
    return len(values) / left if left else math.nan


def table_1(frame):
    """Of a program's kernels the one that needs most counts."""
    import pandas

    rows = common.finished(frame)
    rows = rows[rows["scheme"] == "baseline"]
    threads = 32 * rows["occupancy.max_warps"]
    rows = rows.assign(
        needed=rows["registers_per_thread"] * threads * LANE_BYTES / 1024,
        name=rows["device"].str.split(",").str[0],
    )
    needed = rows.groupby(["name", "program"], sort=False)["needed"].max()
    sizes = {"gtx480": "128 KB", "ltrf-maxwell": "256 KB"}
    table = {
        f"{name} ({sizes[name]})": {"average": each.mean(), "most": each.max()}
        for name, each in needed.groupby(level="name", sort=False)
    }
    return pandas.DataFrame.from_dict(table, orient="index")


def sensitive_programs(rows):
    """Programs with a kernel that has more warps where registers do not limit."""
    mine = rows[rows["label"].isin(["ideal", "baseline own"])]
    keys = ["program", "kernel", "label"]
    warps = mine.set_index(keys)["occupancy.warps"].unstack()
    more = warps["ideal"] > warps["baseline own"]
    return set(more[more].index.get_level_values("program"))


def figure_3(frame):
    """Of kernels, which know what limits them; cycles are of all of a program's."""
    import pandas

    rows = labels(common.finished(frame))
    cycles = summed(rows, "cycles", "label")
    base = cycles["baseline own"]
    table = pandas.DataFrame(
        {"ideal": base / cycles["ideal"], "design 6": base / cycles["baseline 6"]}
    )
    sensitive = table.index.isin(sensitive_programs(rows))
    mine, others = table[sensitive], table[~sensitive]
    table = pandas.concat([mine, others])
    table.loc["sensitive, mean"] = mine.apply(common.geomean)
    table.loc["sensitive, least"], table.loc["sensitive, most"] = mine.min(), mine.max()
    table.loc["insensitive, mean"] = others.apply(common.geomean)
    return table


def figure_4(frame):
    operands = table_of(frame, "register_file.bank_reads")
    hits = table_of(frame, "register_cache.cache_reads")
    columns = {f"{scheme} 1x": scheme for scheme in ("rfc", "shrf")}
    shares = hits[list(columns)] / operands[list(columns)]
    return with_extremes(shares.rename(columns=columns), arithmetic)


def figure_9(frame):
    schemes = ("baseline", "rfc", "ltrf", "ltrf-plus")
    columns = [f"{scheme} {design}" for design in (6, 7) for scheme in schemes]
    table = ipc(frame)[[*columns, "ideal"]]
    table["ltrf-plus 7 by ideal"] = table["ltrf-plus 7"] / table["ideal"]
    return with_extremes(table)


def figure_10(frame):
    parts = ("registers", "register cache")
    energy = sum(table_of(frame, f"energy.parts.{part}") for part in parts)
    power = energy / table_of(frame, "cycles")
    power = power.div(power["baseline own"], axis=0)
    columns = {"rfc 7": "rfc 7", "ltrf 7": "ltrf 7", "ltrf-plus 7": "ltrf-plus 7"}
    columns["ltrf 1x"] = "ltrf 1"
    return common.with_mean(power[list(columns)].rename(columns=columns))


def tolerated(curve, least):
    """The latency up to which a curve of pairs (latency, IPC) stays at `least` or
    above, between measured ones on a straight line; the last if it always does,
    and 1 if it never is."""
    if curve[0][1] < least:
        return 1.0
    for (before, high), (after, low) in zip(curve, curve[1:]):
        if low < least:
            return before + (after - before) * (high - least) / (high - low)
    return curve[-1][0]


def tolerance_table(frame, schemes, loss, against_itself=True):
    import pandas

    table, steps = ipc(frame), latencies(frame)

    def cell(row, scheme):
        curve = [(step, row[f"{scheme} {step:g}x"]) for step in steps]
        if any(value != value for _, value in curve):
            return math.nan
        whole = curve[0][1] if against_itself else 1
        return tolerated(curve, whole * (1 - loss))

    cells = {s: [cell(row, s) for _, row in table.iterrows()] for s in schemes}
    return common.with_mean(pandas.DataFrame(cells, index=table.index))


def figure_11(frame):
    return tolerance_table(frame, ("baseline", "rfc", "ltrf", "ltrf-plus"), 0.05)


def tolerance(frame):
    import pandas

    schemes = ("baseline", *CACHED)
    lines = {}
    for against_itself, suffix in ((True, ""), (False, ", of Baseline's")):
        for loss in LOSSES:
            table = tolerance_table(frame, schemes, loss, against_itself)
            lines[f"{loss:.0%}{suffix}"] = table.loc["mean"]
    return pandas.DataFrame(lines).T


def over_latency(frame, runs):
    """Geometric means of LTRF's IPC with caches of several sizes, a line for each
    run, at latencies that all have. `latency` is the size that others have too."""
    import pandas

    is_ltrf = frame["scheme"] == "ltrf"
    sizes = frame[is_ltrf & frame["run"].isin(runs)]
    steps = set.intersection(*(set(each[LATENCY]) for _, each in sizes.groupby("run")))
    steps = [f"{latency:g}x" for latency in sorted(steps)]
    names = [f"{run} {step:g}x" for run, step in zip(sizes["run"], sizes[LATENCY])]
    cycles = common.by(sizes.assign(label=names), "cycles", "label")
    base = table_of(frame, "cycles")[REFERENCE]
    mean = common.with_mean(cycles.rdiv(base, axis=0)).loc["mean"]
    lines = {run: [mean[f"{run} {step}"] for step in steps] for run in runs}
    return pandas.DataFrame.from_dict(lines, orient="index", columns=steps)


def figure_12(frame):
    table = over_latency(frame, ["8 registers", "latency", "32 registers"])
    return table.rename(index={"latency": "16 registers"})


def figure_13(frame):
    table = over_latency(frame, ["4 warps", "latency", "16 warps"])
    table = table.rename(index={"latency": "8 warps"})
    table.loc["8 warps by 4"] = table.loc["8 warps"] / table.loc["4 warps"]
    return table


def figure_14(frame):
    import pandas

    mean = common.with_mean(ipc(frame)).loc["mean"]
    steps = [f"{latency:g}x" for latency in latencies(frame)]
    schemes = ("baseline", *CACHED)
    lines = {s: [mean[f"{s} {step}"] for step in steps] for s in schemes}
    return pandas.DataFrame.from_dict(lines, orient="index", columns=steps)


def lengths(rows, kind):
    """Mean length of a program's intervals under a scheme."""
    sums = [f"register_cache.{kind}.{name}" for name in ("instructions", "runs")]
    sums = rows.groupby("program", sort=False)[sums].sum()
    return sums.iloc[:, 0] / sums.iloc[:, 1]


def table_4(frame):
    import pandas

    rows = on_maxwell(common.finished(frame))
    ltrf, strands = (rows[rows["scheme"] == s] for s in ("ltrf", "ltrf-strand"))
    optimal = lengths(ltrf, "optimal_intervals")
    lines = {
        "ltrf": lengths(ltrf, "intervals"),
        "ltrf-strand": lengths(strands, "intervals"),
        "optimal": optimal,
    }

    def line(each):
        return {
            "average": each.mean(),
            "geometric mean": common.geomean(each),
            "least": each.min(),
            "most": each.max(),
        }

    table = pandas.DataFrame.from_dict(
        {name: line(each) for name, each in lines.items()}, orient="index"
    )
    table.loc["ltrf by optimal"] = table.loc["ltrf"] / table.loc["optimal"]
    shares = line(lines["ltrf"] / optimal)
    table.loc["ltrf by optimal, by program"] = pandas.Series(shares)
    return table


def code_size(frame):
    import pandas

    sizes = summed(on_maxwell(common.finished(frame)), "code.instructions", "scheme")
    added = (sizes["ltrf"] - sizes["baseline"]) / sizes["baseline"]
    vector = VECTOR_BYTES / INSTRUCTION_BYTES
    table = {"vector": 1 + added * vector, "instruction": 1 + added * (vector + 1)}
    return common.with_mean(pandas.DataFrame(table))


def accesses(frame):
    reads, writes = (table_of(frame, f"register_file.bank_{n}") for n in ("reads", "writes"))
    named = reads[REFERENCE] + writes[REFERENCE]
    moved = table_of(frame, "register_cache.main_accesses")
    columns = {f"{scheme} 1x": scheme for scheme in CACHED}
    saved = (1 / moved[list(columns)]).mul(named, axis=0).rename(columns=columns)
    return with_extremes(saved, harmonic)
