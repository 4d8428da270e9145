# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison for a terminal, in 100 columns."""

import functools
import textwrap

from . import records

WIDTH = 100
LABEL = 22  # Width of the first column, at most.


def short_name(kernel):
    """`scale<float>` for `void scale<float>(float *, int)`."""
    return records.without_parameters(kernel["demangled"]).removeprefix("void ")


def times(ratio):
    return f"{ratio:.2f}x"


def signed(number):
    return f"{number:+,}" if number else "0"


COLUMNS = (
    ("CTAs", 5),
    ("warps", 6),
    ("mean", 6),
    ("cycles", 13),
    ("speedup", 8),
    ("energy", 7),
    ("instr", 7),
    ("marks", 6),
    ("storage", 8),
)


def storage(bits):
    """Nothing where a scheme adds nothing, a dash where nobody can say."""
    return "-" if bits is None else f"{bits:,}" if bits else ""


def cells(figures, base):
    """A row's columns. `figures` and `base` are of a kernel or of a run."""
    occupancy = figures.get("occupancy")
    energy = base and base["energy"] and figures["energy"]
    mean = occupancy["average_warps"] if occupancy else figures["average_warps"]
    code, old = figures["code"], base and base["code"]
    return (
        str(occupancy["ctas"]) if occupancy else "",
        str(occupancy["warps"]) if occupancy else "",
        f"{mean:.1f}",
        f"{'~' if 'estimated' in figures else ''}{figures['cycles']:,}",
        times(base["cycles"] / figures["cycles"]) if base else "",
        f"{figures['energy']['total'] / base['energy']['total']:.2f}" if energy else "",
        signed(code["instructions"] - old["instructions"]) if base else "",
        signed(code["statements"] - old["statements"]) if base else "",
        storage(figures["storage_bits"]),
    )


def row(name, width, columns, scheduler):
    """A line; two where the name takes more than its column."""
    if len(name) >= width:
        name = f"{name}\n{'':{width}}"
    parts = [f"{cell:>{size}}" for cell, (_, size) in zip(columns, COLUMNS)]
    return f"{name:{width}}{''.join(parts)} {scheduler}".rstrip()


def schedulers(figures):
    return figures.get("scheduler") or "+".join(figures["schedulers"])


def kernel_of(record, name):
    found = (k for k in record["kernels"] if k["name"] == name)
    return next(found, None)


def heading(kernel):
    """What holds for a kernel whatever the scheme."""
    launches = kernel["launches"]
    count = f"{launches:,} launch{'es' if launches > 1 else ''}"
    size = "x".join(map(str, kernel["block"]))
    text = f"{short_name(kernel)}: {count}, CTAs of {size} threads, "
    return text + f"{kernel['registers_per_thread']} registers a thread"


def width_of(runs):
    labels = (len(records.label(run["configuration"])) for run in runs)
    return min(LABEL, max(labels) + 1)


def table(title, runs, figures_of):
    """Lines: a title, column heads, a row a run. `figures_of` a run's record
    gives what is compared; None where it did not finish."""
    width = width_of(runs)
    yield title
    yield row("", width, [name for name, _ in COLUMNS], "scheduler")
    baseline = baseline_of(runs)
    base = baseline and figures_of(baseline)
    for run in runs:
        name = records.label(run["configuration"])
        figures = figures_of(run)
        if figures:
            yield row(name, width, cells(figures, base), schedulers(figures))
        elif run["outcome"] == "finished":
            yield f"{name:{width - 1}} did not launch it"
        else:
            text = f"{name:{width - 1}} {run['outcome']}: {run['why']}"
            indent = " " * (width + 2)
            yield from textwrap.wrap(text, WIDTH, subsequent_indent=indent)


def baseline_of(runs):
    """The finished run under baseline, or None."""
    found = (
        run
        for run in runs
        if records.is_baseline(run["configuration"]) and run["total"]
    )
    return next(found, None)


def kernel_names(runs):
    """Of the kernels that any run launched, as they came."""
    names = {}
    for run in runs:
        for kernel in run["kernels"]:
            names.setdefault(kernel["name"], kernel)
    return names


def by_device(runs):
    groups = {}
    for run in runs:
        groups.setdefault(records.device_name(run["configuration"]), []).append(run)
    return groups


def estimates(total):
    """What sampling has done, in a line; nothing if all launches were timed."""
    found = total.get("estimated")
    if not found:
        return
    error = "unknown" if found["error"] is None else f"{100 * found['error']:.1f}%"
    yield (
        f"~ cycles are an estimate: {found['timed_launches']:,} of {total['launches']:,} launches "
        f"were timed, {found['timed_in_part']:,} in part; error as far as these tell: {error}"
    )


def notes(runs):
    """What the runtime said of runs that finished, where Baseline's did not say
    it too."""
    baseline = baseline_of(runs)
    known = set(baseline["notes"]) if baseline else set()
    for run in runs:
        if run["total"]:
            name = records.label(run["configuration"])
            yield from (f"{name}: {note}" for note in run["notes"] if note not in known)
            yield from (f"{name}: {note}" for note in estimates(run["total"]))


NOTES = """\
CTAs, warps: resident on an SM; mean: warps on average; speedup, energy: against baseline; instr,
marks: instructions added, and statements that take no issue slot; storage: bits added to an SM."""


def render(runs):
    """The whole comparison; `runs` in the order of its rows."""
    lines = []
    for device, group in by_device(runs).items():
        lines += [f"== {device}", ""]
        names = kernel_names(group)
        # With several kernels what did not run is told once, in the last table.
        shown = [run for run in group if run["total"]] if len(names) > 1 else group
        for name, kernel in names.items():
            of_kernel = functools.partial(kernel_of, name=name)
            lines += [*table(heading(kernel), shown, of_kernel), ""]
        if len(names) != 1:
            title = f"all {len(names)} kernels" if names else "no kernel ran"
            lines += [*table(title, group, lambda run: run["total"]), ""]
        for note in notes(group):
            lines += [*textwrap.wrap(note, WIDTH, subsequent_indent="  "), ""]
    return "\n".join([*lines, NOTES]) + "\n"
