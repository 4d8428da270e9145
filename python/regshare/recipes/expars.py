# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""EXPARS (TACO 15(4), 2018): tables of what was measured, as expars.yaml orders."""

import math

from . import common

SCHEDULER = "at.timing.core.scheduler"
# The policies that LTLWS has inside; it is compared with Baseline under these.
INSIDE = {"ltlws-lrr": "lrr", "ltlws-gto": "gto"}
SCHEMES = ["baseline", "warpman", "expars"]
MIXED = "operand_cache.mixed_ctas_per_sm"

# Most CTAs of an SM, which records do not have: configs/*.yaml, max_ctas.
CTA_SLOTS = {"gtx480": 8, "ltrf-maxwell": 32}
# Bytes of registers and scratchpad of an SM of gtx480.
BOTH_MEMORIES = 4 * 32768 + 49152
MACHINES = {"gtx480": "Fermi", "ltrf-maxwell": "Maxwell"}

# Which of a program's kernels is Table 3's; the others have one alone.
TABLE_3 = {
    "lbm": None,
    "stencil": None,
    "mri-q": "qKernel",
    "sgemm": None,
    "b+tree": "countRangeKernel",
    "hotspot": None,
    "leukocyte": "gicovKernel",
    "monteCarlo": None,
    "convolutionSeparable": "rowKernel",
    "mergesort": "sortChunksKernel",
    "quasirandom": "quasirandomGeneratorKernel",
}
SUITES = {
    "Rodinia": "b+tree backprop bfs cfd dwt2d gaussian heartwall hotspot hotspot3D "
    "kmeans lavaMD leukocyte mum nw particlefilter pathfinder srad".split(),
    "Parboil": "cutcp lbm mri-q sad sgemm spmv stencil tpacf".split(),
}


def average(values):
    """NaN of none."""
    return sum(values) / len(values) if len(values) else math.nan


def threads_of(block):
    """Of `16x8x1`."""
    return math.prod(map(int, block.split("x")))


def warps_of(rows):
    """Of a CTA."""
    return rows["block"].map(lambda block: -(-threads_of(block) // 32))


def scratchpad_of(rows):
    """Of a CTA, in bytes."""
    return rows["static_shared_bytes"] + rows["dynamic_shared_bytes"]


def limited(frame):
    """Kernels that registers alone limit."""
    return common.limited_by(frame, "registers", "baseline")


def by_system(frame, figure):
    """What does not depend on the scheduler."""
    return common.by(frame[frame["run"].isin(SCHEMES)], figure)


def with_average(table):
    return common.with_mean(table, average)


# What is resident.


def oracle_ctas(bytes_, warps, max_warps, slots):
    """Equations 4 and 5: as many CTAs as both memories taken as one, the warps and
    the slots of an SM have room for."""
    room = (BOTH_MEMORIES // bytes_).clip(upper=slots)
    return room.clip(upper=max_warps // warps)


def oracle(frame):
    """Of kernels under Baseline, by name: CTAs, the bytes that one takes of both
    memories, and the oracle's CTAs. Registers are whole, and not rounded: rows in
    scratchpad are not either."""
    rows = common.finished(limited(frame))
    rows = rows[rows["run"] == "baseline"]
    warps = warps_of(rows)
    taken = 128 * warps * rows["registers_per_thread"] + scratchpad_of(rows)
    slots = CTA_SLOTS["gtx480"]
    more = oracle_ctas(taken, warps, rows["occupancy.max_warps"], slots)
    rows = rows.assign(taken=taken, more=more)
    figures = ("occupancy.ctas", "taken", "more")
    return [common.by(rows, figure)["baseline"] for figure in figures]


def figure_1(frame):
    frame = limited(frame)
    table = by_system(frame, "utilisation.registers")[["baseline"]]
    table.columns = ["register file"]
    table["scratchpad"] = by_system(frame, "utilisation.scratchpad")["baseline"]
    return with_average(table)


def figure_2_ctas(frame):
    ctas, _, more = oracle(frame)
    return with_average(ctas.to_frame("baseline").assign(oracle=more))


def figure_2_use(frame):
    _, taken, more = oracle(frame)
    overall = by_system(limited(frame), "utilisation.overall")["baseline"]
    table = overall.to_frame("baseline")
    return with_average(table.assign(oracle=taken * more / BOTH_MEMORIES))


def figure_10_registers(frame):
    return with_average(by_system(limited(frame), "utilisation.registers"))


def figure_10_scratchpad(frame):
    return with_average(by_system(limited(frame), "utilisation.scratchpad"))


def figure_10_overall(frame):
    return with_average(by_system(limited(frame), "utilisation.overall"))


def figure_11(frame):
    rows = common.finished(limited(frame))
    mixed = rows[(rows["run"] == "expars") & (rows[MIXED] > 0)]
    share = mixed["operand_cache.start_reg"] / mixed["registers_per_thread"]
    table = common.by(mixed.assign(share=share), "share")
    table.columns = ["in the register file"]
    table["in scratchpad"] = 1 - table["in the register file"]
    return with_average(table)


def figure_12_ctas(frame):
    frame = limited(frame)
    table = by_system(frame, "occupancy.ctas")
    mixed = frame[frame["run"] == "expars"].fillna({MIXED: 0})
    return with_average(table.assign(mixed=common.by(mixed, MIXED)["expars"]))


def figure_12_warps(frame):
    return with_average(by_system(limited(frame), "occupancy.warps"))


# Speed and energy.


def base_of(series):
    """`baseline gto` for `expars ltlws-gto`."""
    scheduler = series.rsplit(" ", 1)[1]
    return f"baseline {INSIDE.get(scheduler, scheduler)}"


def against_baseline(frame, figure):
    """Figures of each scheme and scheduler by those of Baseline under the same or
    the policy inside: columns `expars gto`."""
    frame = limited(frame)
    series = frame["run"] + " " + frame[SCHEDULER]
    table = common.by(frame.assign(series=series), figure, "series")
    others = [name for name in table if not name.startswith("baseline ")]
    bases = table[[base_of(name) for name in others]]
    return table[others] / bases.set_axis(others, axis=1)


def figure_13(frame):
    plain = ["lrr", "gto", "two-level"]
    speed = 1 / against_baseline(frame, "cycles")
    schemes = {"warpman": plain, "expars": plain, "ideal": ["gto"]}
    table = speed[[f"{run} {each}" for run, all_ in schemes.items() for each in all_]]
    return common.with_mean(table)


def figure_14(frame):
    speed = 1 / against_baseline(frame, "cycles")
    return common.with_mean(speed[[f"expars {scheduler}" for scheduler in INSIDE]])


def larger_file(frame):
    frame = limited(frame)
    cycles = common.by(frame[frame[SCHEDULER] == "gto"], "cycles")
    schemes = ["baseline", "warpman"]
    larger = cycles[[f"{scheme} with 2 KB more" for scheme in schemes]]
    return common.with_mean(cycles[schemes] / larger.set_axis(schemes, axis=1))


def energy(frame, figure):
    ratios = against_baseline(frame, figure)
    real = [name for name in ratios if name.split()[0] in SCHEMES and "2 KB" not in name]
    return common.with_mean(ratios[real])


def figure_15(frame):
    return energy(frame, "energy.total")


def energy_accounts(frame):
    """With ten times as much for an instruction, and nothing for a cycle of an SM.
    The parts have no other events than these (docs/energy.md)."""
    total, parts = frame["energy.total"], "energy.parts."
    accounts = {
        "as they are": total,
        "instructions tenfold": total + 9 * frame[f"{parts}issue"],
        "no constant part": total - frame[f"{parts}constant"],
    }
    means = {
        name: energy(frame.assign(account=account), "account").loc["mean"]
        for name, account in accounts.items()
    }
    return means.pop("as they are").to_frame("as they are").assign(**means)


def short_grids(frame):
    means = common.with_mean(1 / against_baseline(frame, "cycles")).loc["mean"]
    table = means.to_frame("speed")
    words = [name.rsplit(" ", 1) for name in means.index]
    table["run"], table["scheduler"] = zip(*words)
    table = table.pivot_table("speed", "run", "scheduler", sort=False)
    table.columns.name = table.index.name = None
    return table


# What CTAs take.


def on(frame, machine):
    return frame[frame["device"].str.split(",").str[0] == machine]


def of_suite(frame, suite):
    return frame[frame["program"].isin(SUITES[suite])]


def table_3(frame):
    rows = common.finished(on(frame, "gtx480"))
    rows = rows[rows["run"] == "baseline"]
    wanted = rows["program"].map(TABLE_3)
    is_one = wanted.isna() | (wanted == rows["kernel"])
    rows = rows[rows["program"].isin(TABLE_3) & is_one].set_index("program")
    warps = warps_of(rows)
    table = rows[["occupancy.ctas"]].set_axis(["CTAs of an SM"], axis=1)
    table["warps"] = warps
    table["scratchpad bytes"] = scratchpad_of(rows)
    table["registers"] = 32 * warps * rows["registers_per_thread"]
    return table.reindex(TABLE_3)


def required(rows, memory):
    """The share of a memory that the CTAs would take that warps and slots of an SM
    alone allow: above 1 if they have no room."""
    ctas = rows["occupancy.ctas"]
    slots = rows["device"].str.split(",").str[0].map(CTA_SLOTS)
    by_warps = rows["occupancy.max_warps"] // (rows["occupancy.warps"] // ctas)
    return rows[f"utilisation.{memory}"] / ctas * by_warps.clip(upper=slots)


def table_4(frame):
    import pandas

    table = {}
    for machine, name in MACHINES.items():
        here = common.finished(on(frame, machine))
        here = here[here["run"] == "baseline"]
        for suite in SUITES:
            every = of_suite(here, suite)
            for kind, rows in (("all", every), ("register-sensitive", limited(every))):
                for memory in ("registers", "scratchpad"):
                    cells = table.setdefault(f"{memory} {name}", {})
                    cells[f"{suite}, {kind}"] = average(required(rows, memory))
    # Machines side by side, as in the paper.
    return pandas.DataFrame(table)[sorted(table)]


def on_maxwell(frame, figure):
    """Of kernels that registers limit there, suite by suite."""
    return {
        suite: common.by(limited(of_suite(on(frame, "ltrf-maxwell"), suite)), figure)
        for suite in SUITES
    }


def with_averages(tables):
    """One table of several, the means of each below it."""
    import pandas

    return pandas.concat(
        common.with_mean(table, average, f"mean, {name}")
        for name, table in tables.items()
    )


def figure_16(frame):
    ctas = on_maxwell(frame, "occupancy.ctas")
    gains = {
        suite: table[["expars"]].div(table["baseline"], axis=0)
        for suite, table in ctas.items()
    }
    return with_averages(gains)


def figure_17(frame):
    return with_averages(on_maxwell(frame, "utilisation.overall"))
