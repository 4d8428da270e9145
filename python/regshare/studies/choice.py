# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choosing a scheme for each kernel before it is run whole: by a model of occupancy,
by timing a small input (the sample), or by the model where the sample agrees. What
they gain is read from the runs of the whole input."""

import dataclasses

from .measured import ALIKE, BASE, BOUND, Table, geomean

# So many of the model's schemes are timed on the sample.
GUARDED = 3
# Slots that more warps cannot fill: there were no warps for them.
EMPTY = ("no-warp", "drain")


def predicted(table, kernel, scheme):
    """The speed-up that a scheme promises: what does not issue under Baseline waits,
    and is shared by as many more warps as the scheme holds; what issues grows with the
    instructions that the scheme adds. It knows neither caches nor the pipes' limits.
    None if the sample has no such run."""
    base = table.get(kernel, BASE)
    if not base or not table.get(kernel, scheme):
        return None
    total = sum(n for cause, n in base.slots.items() if cause not in EMPTY)
    issued = base.slots["issued"] / total if total else 1.0
    more_warps = table.ratio(kernel, scheme, "warps")
    added = table.ratio(kernel, scheme, "executed")
    return 1 / (issued * added + (1 - issued) / more_warps)


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
        kernels = filter(study.counts, self.whole.kernels(device))
        self.kernels = [x for x in kernels if self.small(x)]

    def small(self, kernel):
        """The kernel with the input of its sample; None if that was not run, or is the
        whole, so that there is nothing to choose before."""
        if kernel.input in self.study.samples:
            return None
        inputs = (dataclasses.replace(kernel, input=x) for x in self.study.samples)
        return next((x for x in inputs if self.sample.get(x, BASE)), None)

    def gain(self, kernel, scheme):
        """On the whole input; a scheme that does not take it leaves it as it is."""
        return self.whole.ratio(kernel, scheme, "cycles") or 1.0

    def promises(self, kernel):
        """Pairs of what the model promises and a scheme, the best first."""
        small = self.small(kernel)
        pairs = [(predicted(self.sample, small, each), each) for each in self.schemes]
        known = [pair for pair in pairs if pair[0] is not None]
        return sorted(known, key=lambda pair: -pair[0])

    def by_model(self, kernel):
        promised = self.promises(kernel)
        return promised[0][1] if promised and promised[0][0] >= 1 + ALIKE else BASE

    def best_of_sample(self, kernel, schemes):
        small = self.small(kernel)
        gains = [(self.sample.ratio(small, each, "cycles") or 0, each) for each in schemes]
        best = max(gains, default=(0, BASE), key=lambda pair: pair[0])
        return best[1] if best[0] >= 1 + ALIKE else BASE

    def by_sample(self, kernel):
        return self.best_of_sample(kernel, self.schemes)

    def guarded_schemes(self, kernel):
        """Those that the model puts first, and that it promises something of."""
        first = [each for promise, each in self.promises(kernel) if promise >= 1 + ALIKE]
        return first[:GUARDED]

    def guarded(self, kernel):
        return self.best_of_sample(kernel, self.guarded_schemes(kernel))

    def oracle(self, kernel):
        return max([BASE, *self.schemes], key=lambda each: self.gain(kernel, each))

    def best_single(self):
        """The scheme with the best mean over all, in hindsight."""
        return max([BASE, *self.schemes], key=self.mean_of)

    def mean_of(self, scheme):
        return geomean(self.gain(kernel, scheme) for kernel in self.kernels)

    def ways(self):
        """By name: the scheme that each way chooses for each kernel."""
        single = self.best_single()
        ways = {
            f"{single} for all": lambda _: single,
            "model": self.by_model,
            "model, guarded": self.guarded,
            "sample": self.by_sample,
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
            "model, guarded": self.guarded_schemes,
            "sample": lambda kernel: self.schemes,
            "oracle": lambda kernel: self.schemes,
        }.get(way)
        if not timed:
            return 0.0
        table, place = (self.whole, lambda x: x) if way == "oracle" else (self.sample, self.small)
        runs = [
            table.get(place(kernel), scheme)
            for kernel in self.kernels
            for scheme in [BASE, *timed(kernel)]
        ]
        whole = sum(self.whole.get(kernel, BASE).executed for kernel in self.kernels)
        return sum(run.executed for run in runs if run) / whole
