# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel's ladder: a rung for each number of CTAs that an SM could hold, and what a
program's run with the registers of that rung has shown."""

import dataclasses

from .. import records

# What two runs have to differ by, or the program is best left as it is.
WORTH = 0.01


@dataclasses.dataclass
class Seen:
    """A kernel in one run; sums are over its launches."""

    registers: int
    local_bytes: int  # a thread's, of the launch that has most
    ctas: int
    warps: int
    cycles: int
    energy: float | None


@dataclasses.dataclass
class Kernel:
    """What a program's run without a limit says of a kernel."""

    name: str
    demangled: str
    launches: int
    block: list  # of the largest launch, x, y, z
    steps: list  # the most registers of a thread by the number of CTAs, from one on
    seen: Seen

    @property
    def short(self):
        return records.without_parameters(self.demangled).removeprefix("void ")

    @property
    def threads(self):
        x, y, z = self.block
        return x * y * z

    def limits(self):
        """Registers of a thread that let more CTAs be resident than there are now, by
        the number of CTAs. More CTAs with the same registers are no rung of their own."""
        found = {}
        for ctas, registers in enumerate(self.steps, 1):
            if registers < self.seen.registers:
                found[registers] = ctas
        return {ctas: registers for registers, ctas in found.items()}


@dataclasses.dataclass
class Compiled:
    """What the compiler says of a kernel, with a limit or without: counts of values,
    where there is a source, and the registers of ptxas where that is installed."""

    spilled: int | None = None
    recomputed: int | None = None
    ptxas: int | None = None


def ptxas_of(kernel):
    return kernel["ptxas"]["registers"] if kernel.get("ptxas") else None


def compiled_of(kernel):
    """`kernel`: as regshare-opt reports it."""
    spilled = kernel["spilled"] + kernel["spilled_predicates"]
    return Compiled(spilled, kernel["rematerialized"], ptxas_of(kernel))


@dataclasses.dataclass
class Rung:
    limit: int  # registers of a thread; 0: none
    ctas: int  # those of the limit
    seen: Seen | None
    why: str | None  # there is nothing to see
    compiled: Compiled | None = None
    scheme: str = ""  # with its settings; empty under Baseline


@dataclasses.dataclass
class Ladder:
    kernel: Kernel
    rungs: list  # under Baseline; the first is the program as it is
    schemes: list = dataclasses.field(default_factory=list)  # rungs under schemes

    @property
    def best(self):
        return best(self.rungs)

    @property
    def best_scheme(self):
        """The fastest rung under a scheme, if it is worth more than the best one without;
        else None."""
        finished = [rung for rung in self.schemes if rung.seen]
        found = min(finished, key=cost, default=None)
        is_worth = found and found.seen.cycles < (1 - WORTH) * self.best.seen.cycles
        return found if is_worth else None


def seen_of(launches):
    """Of the launches of one kernel in a report."""
    stats = [each["stats"] for each in launches]
    longest = max(stats, key=lambda each: each["cycles"])
    energies = [each["energy"] and each["energy"]["total"] for each in stats]
    return Seen(
        registers=max(each["registers_per_thread"] for each in launches),
        local_bytes=max(each["local_bytes_per_thread"] for each in launches),
        ctas=longest["residency"]["ctas_per_sm"],
        warps=longest["residency"]["warps_per_sm"],
        cycles=sum(each["cycles"] for each in stats),
        energy=None if None in energies else sum(energies),
    )


def by_kernel(report):
    """The launches of a report by the kernel, in the order of the first of each."""
    found = {}
    for launch in report["launches"]:
        found.setdefault(launch["kernel"], []).append(launch)
    return found


def kernels_of(report):
    """All that were launched. Of launches with other CTAs the largest one decides: with
    the registers that let so many of those be resident, as many of the others are."""
    for name, launches in by_kernel(report).items():
        x = max(launches, key=lambda each: each["block"][0] * each["block"][1] * each["block"][2])
        yield Kernel(
            name, x["name"], len(launches), x["block"], x["register_steps"], seen_of(launches)
        )


def rung_of(kernel, ctas, limit, seen, scheme=""):
    """`seen`: a pair of a report, or None, and why there is none."""
    report, why = seen
    launches = by_kernel(report).get(kernel.name) if report else None
    if not launches:
        return Rung(limit, ctas, None, why or "it was not launched", scheme=scheme)
    return Rung(limit, ctas, seen_of(launches), None, scheme=scheme)


def ladder_of(kernel, reports, schemes=()):
    """`reports`: pairs of a report, or None, and why there is none, by the scheme, which is
    empty under Baseline, and the limit."""
    limits = sorted(kernel.limits().items())
    first = Rung(0, kernel.seen.ctas, kernel.seen, None)
    rungs = [rung_of(kernel, ctas, limit, reports["", limit]) for ctas, limit in limits]
    others = [
        rung_of(kernel, ctas, limit, reports[scheme, limit], scheme)
        for scheme in schemes
        for ctas, limit in ((kernel.seen.ctas, 0), *limits)
    ]
    return Ladder(kernel, [first, *rungs], others)


def cost(rung):
    """The least energy decides between rungs of equal cycles."""
    return rung.seen.cycles, rung.seen.energy or 0


def best(rungs):
    """The rung with the fewest cycles; the first, which changes nothing, if no other is
    worth it."""
    found = min((rung for rung in rungs if rung.seen), key=cost)
    is_worth = found.seen.cycles < (1 - WORTH) * rungs[0].seen.cycles
    return found if is_worth else rungs[0]
