# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures from frames of records (regshare.records.load), with matplotlib.

    frame = regshare.records.load("records.jsonl", totals=True)
    regshare.figures.speedups(frame).savefig("speedups.svg")

Each function draws what it is given, so choose rows first: one device, or one
kernel. It returns a matplotlib Figure.
"""

import textwrap

from . import records

# Where bars of changes are cut off.
HIGHEST_CHANGE = 2

# Colours of families of issue slots, from what issues to what is idle. What is
# in none of them is "other".
SLOTS = {
    "issued": ("#2f8f5b", ("issued",)),
    "pipes and operands": ("#8a63c9", ("operands", "pipe")),
    "load/store unit": ("#d98324", ("mem-*",)),
    "held back by the scheme": ("#c9407a", ("scheme-gate", "parked")),
    "arithmetic results": ("#2563b0", ("dependency",)),
    "memory results": ("#56a3d9", ("dependency-*",)),
    "barriers and branches": ("#b59a1c", ("control", "fence", "barrier")),
    "no warp": ("#aab2be", ("no-warp", "drain")),
    "other": ("#6b7280", ("*",)),
}


def new_figure(width, height):
    # Not pyplot: nothing is to be shown or kept.
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    # Twenty colours, as there are more schemes than ten: the full ones first.
    pairs = matplotlib.colormaps["tab20"].colors
    axes.set_prop_cycle(color=pairs[::2] + pairs[1::2])
    return figure, axes


def legend_beside(axes, *entries):
    """To the right of the drawing, where it hides nothing."""
    axes.legend(*entries, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))


def family(use):
    """`load/store unit` for `mem-mshr`."""
    for name, (_, patterns) in SLOTS.items():
        for pattern in patterns:
            stem = pattern.removesuffix("*")
            if use == pattern or (stem != pattern and use.startswith(stem)):
                return name
    raise ValueError(use)


def groups(frame):
    """What bars stand together for: programs, or their kernels, with the
    device where there are several."""
    names = frame["program"].astype(str)
    if "kernel" in frame and frame["kernel"].notna().any():
        names = names + " " + frame["kernel"].fillna("").astype(str)
    if frame["device"].nunique() > 1:
        names = names + " on " + frame["device"].astype(str)
    return names


def finished(frame):
    rows = frame[frame["outcome"] == "finished"]
    if rows.empty:
        raise ValueError("no run of these has finished: there is nothing to draw")
    return rows


def speedups(frame, labels=None):
    """Bars of speedups over Baseline, a group for each program or kernel, a
    colour for each scheme (`labels`: which, in their order; all but baseline
    unless given)."""
    rows = finished(records.against_baseline(frame))
    rows = rows.assign(group=groups(rows))
    known = list(rows[~rows["is_baseline"].astype(bool)]["label"].unique())
    labels = list(labels or known)
    names = list(rows["group"].unique())
    figure, axes = new_figure(max(5, 1.2 + 0.18 * len(names) * len(labels)), 3.5)
    width = 0.8 / max(1, len(labels))
    for number, label in enumerate(labels):
        values = rows[rows["label"] == label].set_index("group")["speedup"]
        if values.index.has_duplicates:
            name = values.index[values.index.duplicated()][0]
            raise ValueError(f"'{label}' has several rows of {name}: choose one")
        places = [n - 0.4 + (number + 0.5) * width for n in range(len(names))]
        axes.bar(places, [values.get(name, 0) for name in names], width, label=label)
    axes.axhline(1, color="#7a8494", linewidth=1, linestyle="--")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_ylabel("speedup over baseline")
    legend_beside(axes)
    return figure


def cpi_stacks(frame):
    """A bar for each row: issue slots for each issued instruction, by families
    of what became of them."""
    rows = finished(frame)
    uses = [name for name in rows if name.startswith("cpi.")]
    names = rows["label"].astype(str)
    if groups(rows).nunique() > 1:
        names = groups(rows) + ", " + names
    figure, axes = new_figure(7, 1 + 0.3 * len(rows))
    left = [0.0] * len(rows)
    for name, (color, _) in SLOTS.items():
        mine = [use for use in uses if family(use.removeprefix("cpi.")) == name]
        values = rows[mine].fillna(0).sum(axis=1).tolist()
        if not any(values):
            continue
        places = list(range(len(rows)))
        axes.barh(places, values, left=left, color=color, label=name)
        left = [begin + value for begin, value in zip(left, values)]
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlabel("issue slots for each issued instruction")
    legend_beside(axes)
    return figure


def sweep(frame, setting, figure_name="cycles"):
    """A figure over a setting, a curve for each scheme and program or kernel:
    sweep(frame, "tau") has cycles over EXPARS' τ."""
    column = f"setting.{setting}"
    if column not in frame:
        raise ValueError(f"the frame has no setting '{setting}'")
    rows = finished(frame)
    rows = rows.assign(group=groups(rows), x=rows[column].astype(float))
    figure, axes = new_figure(6, 3.5)
    for (group, scheme), curve in rows.groupby(["group", "scheme"], sort=False):
        curve = curve.sort_values("x")
        axes.plot(curve["x"], curve[figure_name], marker="o", label=f"{group}, {scheme}")
    axes.set_xlabel(setting)
    axes.set_ylabel(figure_name)
    legend_beside(axes)
    return figure


def recipe(result):
    """A recipe's table (results.Result), what the paper has as diamonds: bars with
    a group for each row, or lines over the columns with one for each row."""
    draw = recipe_lines if result.recipe.draw == "lines" else recipe_bars
    figure = draw(result)
    axes = figure.axes[0]
    if result.recipe.unit in ("change", "ratio"):
        axes.axhline(1, color="#7a8494", linewidth=1, linestyle="--")
    if result.recipe.unit == "change":
        axes.yaxis.set_major_formatter(lambda y, _: f"{100 * (y - 1):+.0f}%")
    if result.recipe.unit == "share":
        axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f}%")
    width = int(13 * figure.get_figwidth())
    axes.set_title(textwrap.fill(result.recipe.title, width), fontsize="medium")
    handles, labels = axes.get_legend_handles_labels()
    # The paper's sign once, and not for each column.
    kept = dict(zip(labels, handles))
    legend_beside(axes, kept.values(), kept)
    return figure


def recipe_bars(result):
    table = result.table
    rows, columns = list(table.index), list(table.columns)
    wide = 1.5 + 0.16 * len(rows) * (len(columns) + 1)
    figure, axes = new_figure(min(40, max(7, wide)), 3.5)
    width = 0.8 / len(columns)
    # A change is a bar up or down from none.
    is_change = result.recipe.unit == "change"
    floor = 1 if is_change else 0
    for number, column in enumerate(columns):
        places = [n - 0.4 + (number + 0.5) * width for n in range(len(rows))]
        heights = table[column].fillna(floor) - floor
        axes.bar(places, heights, width, bottom=floor, label=str(column))
        draw_paper(axes, [
            (place, result.paper_figure(row, column))
            for place, row in zip(places, rows)
        ])  # fmt: skip
        if is_change:
            cut_off(axes, zip(places, table[column]))
    axes.set_xticks(range(len(rows)), rows, rotation=30, ha="right")
    return figure


def cut_off(axes, bars):
    """Ends the axis at twice the cycles: bars beyond have their figure on them, so
    that one does not make all others flat."""
    for place, value in bars:
        if value > HIGHEST_CHANGE:
            axes.set_ylim(top=HIGHEST_CHANGE)
            text = f"{100 * (value - 1):+.0f}%"
            axes.text(place, HIGHEST_CHANGE, text, rotation=90, fontsize="x-small",
                      ha="center", va="top")  # fmt: skip


def recipe_lines(result):
    table = result.table
    columns = list(table.columns)
    figure, axes = new_figure(6, 3.5)
    for row in table.index:
        axes.plot(range(len(columns)), table.loc[row], marker="o", label=str(row))
        draw_paper(axes, [
            (n, result.paper_figure(row, column)) for n, column in enumerate(columns)
        ])  # fmt: skip
    axes.set_xticks(range(len(columns)), columns)
    return figure


def draw_paper(axes, pairs):
    pairs = [(x, y) for x, y in pairs if y is not None]
    if pairs:
        axes.plot(*zip(*pairs), "D", color="black", markersize=4, label="paper", zorder=3)
