# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a study's runs measured, by kernel and scheme, and what that says."""

import collections
import dataclasses
import math

from .. import records

BASE, BOUND = "baseline", "ideal"
# Cycles that differ by less are alike: another order of warps does as much.
ALIKE = 0.02
# The variable that bounds the registers of a thread.
LIMIT = "REGSHARE_MAX_REGISTERS"


@dataclasses.dataclass(frozen=True)
class Figures:
    """Of a kernel under a scheme: all of its launches."""

    cycles: int
    warps: int  # resident on an SM
    average_warps: float
    energy: float
    instructions: int  # of its code, with those of the scheme
    executed: int  # by warps
    storage_bits: int | None
    slots: dict  # issue slots by what took them

    def share(self, *causes):
        """Of the issue slots, by the beginning of a cause's name."""
        taken = (n for name, n in self.slots.items() if name.startswith(causes))
        return sum(taken) / max(1, sum(self.slots.values()))


def figures_of(kernel):
    """Of a kernel of a record of regshare-suite that was timed."""
    timed = kernel["timed"]
    return Figures(
        kernel["cycles"],
        timed["occupancy"]["warps"],
        timed["occupancy"]["average_warps"],
        timed["energy"]["total"],
        kernel["shape"]["code"]["instructions"],
        kernel["warp_instructions"],
        timed["storage_bits"],
        timed["issue_slots"],
    )


def changed(device, figures):
    """A device with other figures, as commands take it: `gv100,sms=5`."""
    return ",".join([device, *(f"{key}={value}" for key, value in figures.items())])


def at_most(limit, scheme=BASE):
    """The name of a scheme for threads of so many registers, which stands where schemes
    do."""
    return f"at most {limit}" if scheme == BASE else f"{scheme}, at most {limit}"


class Table:
    """Figures by device, kernel and scheme, or at_most(). `why` has the reason where there are
    none."""

    def __init__(self, study, found, device=None):
        """`device` gives the part that a device's runs are on; the study's own, if not
        given."""
        self.study, self.cells, self.why = study, {}, {}
        device = device or study.device
        listed = collections.defaultdict(list)
        for each in study.kernels:
            if each.device in study.parts:
                where = device(each.device), each.suite, each.program, each.input
                listed[where].append(each)
        for record in found:
            made = record["configuration"]
            where = records.device_name(made), made["suite"], made["program"]["name"]
            limit = int(made["given"].get(LIMIT, 0))
            for kernel in listed[*where, made["input"]]:
                if limit and limit not in study.limits_of(kernel):
                    continue
                scheme = made["scheme"]
                place = kernel, at_most(limit, scheme) if limit else scheme
                if record["outcome"] == "verified":
                    # A smaller input may not launch it.
                    if measured := record["kernels"].get(kernel.kernel):
                        self.cells[place] = figures_of(measured)
                else:
                    self.why[place] = f"{record['outcome']}: {record['why']}"

    def kernels(self, device):
        """Those that were measured under Baseline."""
        listed = self.study.kernels_on(device)
        return [each for each in listed if (each, BASE) in self.cells]

    def devices(self):
        return [each for each in self.study.parts if self.kernels(each)]

    def get(self, kernel, scheme):
        return self.cells.get((kernel, scheme))

    def take_base(self, other):
        """Baseline of another Table, where what differs does not change it."""
        bases = {place: each for place, each in other.cells.items() if place[1] == BASE}
        self.cells |= bases

    def ratio(self, kernel, scheme, of):
        """Baseline's by the scheme's for cycles, else the scheme's by Baseline's; None
        where there is none."""
        base, mine = self.get(kernel, BASE), self.get(kernel, scheme)
        if not mine:
            return None
        if of == "cycles":
            return base.cycles / mine.cycles
        return getattr(mine, of) / getattr(base, of)

    def ratios(self, device, scheme, of):
        """Of the kernels that count and that the scheme takes."""
        counted = filter(self.study.counts, self.kernels(device))
        found = ((each, self.ratio(each, scheme, of)) for each in counted)
        return {kernel: ratio for kernel, ratio in found if ratio is not None}

    def verdict(self, kernel, scheme):
        """What became of a kernel, as one of VERDICTS."""
        gain = self.ratio(kernel, scheme, "cycles")
        if gain is None:
            return "not taken"
        is_raised = self.ratio(kernel, scheme, "warps") > 1
        if gain >= 1 + ALIKE:
            return "faster" if is_raised else "faster, as few warps"
        if gain <= 1 - ALIKE:
            return "slower" if is_raised else "slower, as few warps"
        if not is_raised:
            return "alike, as few warps"
        bound = self.ratio(kernel, BOUND, "cycles")
        has_bound = bound is not None and bound >= 1 + ALIKE
        return "alike, bound not reached" if has_bound else "alike, nothing to gain"

    def verdicts(self, device, scheme):
        counted = filter(self.study.counts, self.kernels(device))
        return collections.Counter(self.verdict(each, scheme) for each in counted)


VERDICTS = {
    "faster": "more warps are resident, and it is faster",
    "faster, as few warps": "as many warps as under Baseline, and it is faster",
    "alike, nothing to gain": "more warps, but eight times the registers would not help either",
    "alike, bound not reached": "more warps, but nothing of what eight times the registers would bring",
    "alike, as few warps": "as many warps as under Baseline",
    "slower": "more warps are resident, and it is slower",
    "slower, as few warps": "as many warps as under Baseline, and it is slower",
    "not taken": "the scheme does not take it",
}


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def markdown(heading, rows):
    lines = [heading, ["---"] + ["--:"] * (len(heading) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def ratio(value):
    return "" if value is None or value != value else f"{value:.2f}"
