# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choosing for each kernel, before it is run whole, a scheme or a limit of registers: by a
model of occupancy, by timing a small input (the sample), or by the model where the sample
agrees. What they gain is read from the runs of the whole input."""

import dataclasses

from .measured import ALIKE, BASE, BOUND, Table, at_most, geomean

# So many of the model's schemes are timed on the sample.
GUARDED = 3
# Slots that more warps cannot fill: there were no warps for them.
EMPTY = ("no-warp", "drain")
# What a slot was lost to that more warps wait for as well: a unit that is busy.
BUSY = ("pipe", "operands", "mem-")


def predicted(table, kernel, name):
    """The speed-up that a scheme or limit promises. Of Baseline's slots, what issues grows
    with the instructions that are added; what is lost to busy units stays; the rest is
    latency, which as many more warps share as are resident. None if the sample has no
    such run."""
    base = table.get(kernel, BASE)
    if not base or not table.get(kernel, name):
        return None
    total = sum(n for cause, n in base.slots.items() if cause not in EMPTY)
    issued = base.slots["issued"] / total if total else 1.0
    busy = sum(n for cause, n in base.slots.items() if cause.startswith(BUSY))
    busy = busy / total if total else 0.0
    more_warps = table.ratio(kernel, name, "warps")
    added = table.ratio(kernel, name, "executed")
    return 1 / (issued * added + busy + (1 - issued - busy) / more_warps)


class Chooser:
    """Of a device's kernels that count. `whole` and `sample`: Tables of both inputs."""

    def __init__(self, study, device, found):
        self.study, self.device = study, device
        self.whole = Table(study, found)
        small = [
            dataclasses.replace(kernel, input=name)
            for kernel in study.kernels
            for name in study.samples
        ]
        smaller = dataclasses.replace(study, kernels=tuple(small))
        self.sample = Table(smaller, found, study.sample_device)
        self.schemes = [x for x in study.schemes if x not in (BASE, BOUND)]
        self.limits = [at_most(limit, scheme) for scheme, limit in study.limited_on(device)]
        self.all = [*self.schemes, *self.limits]
        kernels = filter(study.counts, self.whole.kernels(device))
        self.kernels = [x for x in kernels if self.small(x)]

    def small(self, kernel):
        """The kernel with the input of its sample; None if that was not run, or is the
        whole, so that there is nothing to choose before."""
        if kernel.input in self.study.samples:
            return None
        inputs = (dataclasses.replace(kernel, input=x) for x in self.study.samples)
        return next((x for x in inputs if self.sample.get(x, BASE)), None)

    def gain(self, kernel, name):
        """On the whole input; a scheme that does not take it leaves it as it is, and so
        does a limit above its registers."""
        return self.whole.ratio(kernel, name, "cycles") or 1.0

    def promises(self, kernel):
        """Pairs of what the model promises and a scheme or limit, the best first."""
        small = self.small(kernel)
        pairs = [(predicted(self.sample, small, each), each) for each in self.all]
        known = [pair for pair in pairs if pair[0] is not None]
        return sorted(known, key=lambda pair: -pair[0])

    def by_model(self, kernel):
        promised = self.promises(kernel)
        return promised[0][1] if promised and promised[0][0] >= 1 + ALIKE else BASE

    def best_of_sample(self, kernel, names):
        small = self.small(kernel)
        gains = [(self.sample.ratio(small, each, "cycles") or 0, each) for each in names]
        best = max(gains, default=(0, BASE), key=lambda pair: pair[0])
        return best[1] if best[0] >= 1 + ALIKE else BASE

    def by_sample(self, kernel):
        return self.best_of_sample(kernel, self.all)

    def by_both(self, kernel):
        """What both promise: of the model's and the sample's gain the smaller counts."""
        small = self.small(kernel)
        least = {
            name: min(promise, self.sample.ratio(small, name, "cycles"))
            for promise, name in self.promises(kernel)
        }
        best = max(least, key=least.get, default=BASE)
        return best if least.get(best, 0) >= 1 + ALIKE else BASE

    def guarded_names(self, kernel):
        """Those that the model puts first, and that it promises something of."""
        first = [each for promise, each in self.promises(kernel) if promise >= 1 + ALIKE]
        return first[:GUARDED]

    def guarded(self, kernel):
        return self.best_of_sample(kernel, self.guarded_names(kernel))

    def best_of(self, kernel, names):
        return max([BASE, *names], key=lambda each: self.gain(kernel, each))

    def oracle(self, kernel):
        return self.best_of(kernel, self.all)

    def best_single(self):
        """The scheme with the best mean over all, in hindsight."""
        return max([BASE, *self.schemes], key=self.mean_of)

    def mean_of(self, scheme):
        return geomean(self.gain(kernel, scheme) for kernel in self.kernels)

    def ways(self):
        """By name: what each way chooses for each kernel."""
        single = self.best_single()
        ways = {
            f"{single} for all": lambda _: single,
            "model": self.by_model,
            "model, guarded": self.guarded,
            "sample": self.by_sample,
            "model and sample": self.by_both,
            "best scheme": lambda kernel: self.best_of(kernel, self.schemes),
            "best limit": lambda kernel: self.best_of(kernel, self.limits),
            "oracle": self.oracle,
        }
        return {
            name: {kernel: choose(kernel) for kernel in self.kernels}
            for name, choose in ways.items()
        }

    def effort(self, way):
        """Warp instructions that are timed in order to choose, by those of the whole
        input under Baseline."""
        timed = {
            "model": lambda kernel: [],
            "model, guarded": self.guarded_names,
            "sample": lambda kernel: self.all,
            "model and sample": lambda kernel: self.all,
            "best scheme": lambda kernel: self.schemes,
            "best limit": lambda kernel: self.limits,
            "oracle": lambda kernel: self.all,
        }.get(way)
        if not timed:
            return 0.0
        is_whole = way in ("best scheme", "best limit", "oracle")
        table, place = (self.whole, lambda x: x) if is_whole else (self.sample, self.small)
        runs = [
            table.get(place(kernel), scheme)
            for kernel in self.kernels
            for scheme in [BASE, *timed(kernel)]
        ]
        whole = sum(self.whole.get(kernel, BASE).executed for kernel in self.kernels)
        return sum(run.executed for run in runs if run) / whole
