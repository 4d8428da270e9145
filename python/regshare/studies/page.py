# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A study's page, in Markdown."""

import collections

from . import choice, measured
from .measured import ALIKE, BASE, BOUND, VERDICTS, geomean, markdown, ratio


# The suite of RegShare's own programs.
OWN = "kernels"


def share(value):
    return f"{100 * value:.0f}%"


class Names:
    """Kernels as rows have them: `lud, lud_perimeter`, with the suite before it where
    several have a program of that name."""

    def __init__(self, kernels):
        self.several = collections.Counter((each.suite, each.program) for each in kernels)
        suites = {(each.program, each.suite) for each in kernels}
        self.shared = collections.Counter(program for program, _ in suites)

    def of(self, kernel):
        name = kernel.program
        if self.shared[name] > 1:
            name = f"{kernel.suite}/{name}"
        if self.several[kernel.suite, kernel.program] > 1:
            name = f"{name}, {kernel.kernel.removeprefix('void ')}"
        return name.replace("|", "\\|").replace("<", "\\<")


class Page:
    def __init__(self, study, found):
        self.study, self.found = study, found
        self.table = measured.Table(study, found)
        self.shaken = measured.Table(study, found, study.shaken_device)
        # Baseline's scheduler has no active warps.
        self.wide = measured.Table(study, found, study.wide_device)
        self.wide.take_base(self.table)
        self.names = Names(study.kernels)
        self.others = [each for each in study.schemes if each != BASE]

    def name(self, kernel):
        mark = "" if self.study.counts(kernel) else " *"
        return self.names.of(kernel) + mark

    def list(self):
        """All kernels of the study, with what limits them on each device."""
        rows = {}
        for each in self.study.kernels:
            rows.setdefault(each.key, {})[each.device] = each
        devices = list(dict.fromkeys(each.device for each in self.study.kernels))
        heading = ["kernel", "suite", "threads", *(f"registers, CTAs on {x}" for x in devices)]
        cells = []
        for found in rows.values():
            first = next(iter(found.values()))
            on = [
                f"{x.registers}, {x.ctas} of {x.other_ctas}" if x else ""
                for x in map(found.get, devices)
            ]
            cells.append([self.names.of(first), first.suite, first.threads, *on])
        return markdown(heading, cells)

    def kernels(self, device):
        heading = ["kernel", "CTAs", "warps", "waves", "issued", "memory", "arithmetic",
            "no warp", "code", "chance", "bound"]  # fmt: skip
        rows = []
        for each in self.table.kernels(device):
            base = self.table.get(each, BASE)
            shaken = self.shaken.get(each, BASE)
            rows.append([
                self.name(each), each.grid_ctas, base.warps,
                f"{self.study.waves_of(each):.1f}", share(base.share("issued")),
                share(base.share("dependency-memory", "dependency-shared", "mem-")),
                share(sum(base.slots.get(x, 0) for x in ("dependency", "pipe", "operands"))
                    / max(1, sum(base.slots.values()))),
                share(base.share("no-warp", "drain")), base.instructions,
                f"{base.cycles / shaken.cycles:.3f}" if shaken else "",
                ratio(self.table.ratio(each, BOUND, "cycles")),
            ])  # fmt: skip
        return markdown(heading, rows)

    def extreme(self, gains, choose):
        if not gains:
            return ""
        kernel = choose(gains, key=gains.get)
        return f"{gains[kernel]:.2f} {self.names.of(kernel)}"

    def schemes(self, device):
        heading = ["scheme", "kernels", "speed-up", "public", "best", "worst", "faster",
            "slower", "warps", "energy", "executed", "code", "storage"]  # fmt: skip
        rows = []
        for scheme in self.others:
            gains = self.table.ratios(device, scheme, "cycles")
            means = [
                ratio(geomean(self.table.ratios(device, scheme, of).values()))
                for of in ("warps", "energy", "executed", "instructions")
            ]
            bits = {self.table.get(each, scheme).storage_bits for each in gains}
            storage = "-" if not bits or None in bits else f"{max(bits):,}"
            public = (gain for x, gain in gains.items() if x.suite != OWN)
            rows.append([
                scheme, len(gains), ratio(geomean(gains.values())), ratio(geomean(public)),
                self.extreme(gains, max), self.extreme(gains, min),
                sum(x >= 1 + ALIKE for x in gains.values()),
                sum(x <= 1 - ALIKE for x in gains.values()), *means, storage,
            ])  # fmt: skip
        return markdown(heading, rows)

    def verdicts(self, device):
        found = {each: self.table.verdicts(device, each) for each in self.others}
        used = [each for each in VERDICTS if any(x[each] for x in found.values())]
        rows = [[scheme, *(x[each] or "" for each in used)] for scheme, x in found.items()]
        meanings = "\n".join(f"- *{each}*: {VERDICTS[each]}" for each in used)
        return markdown(["scheme", *used], rows) + "\n" + meanings + "\n"

    def grid(self, device, cell, mean=None):
        """A row for each kernel, a column for each scheme."""
        rows = [
            [self.name(each), *(cell(each, scheme) for scheme in self.others)]
            for each in self.table.kernels(device)
        ]
        if mean:
            found = (self.table.ratios(device, each, mean).values() for each in self.others)
            rows.append(["mean", *(ratio(geomean(each)) for each in found)])
        return markdown(["kernel", *self.others], rows)

    def ratios(self, device, of):
        return self.grid(
            device, lambda kernel, scheme: ratio(self.table.ratio(kernel, scheme, of)), of
        )

    def wider(self, device):
        """Speed-up of schemes with more active warps. Their energy would be that of a
        larger cache, of which devices have no figures."""
        schemes = [
            each for each in self.study.wide_schemes
            if self.wide.ratios(device, each, "cycles")
        ]  # fmt: skip
        if not schemes:
            return ""
        rows = [
            [self.name(kernel),
                *(ratio(self.wide.ratio(kernel, each, "cycles")) for each in schemes)]
            for kernel in self.table.kernels(device)
        ]  # fmt: skip
        found = (self.wide.ratios(device, each, "cycles").values() for each in schemes)
        rows.append(["mean", *(ratio(geomean(each)) for each in found)])
        return markdown(["kernel", *schemes], rows)

    def limited(self, device):
        """With fewer registers: speed-up, and warps."""
        pairs = self.study.limited_on(device)
        names = [measured.at_most(limit, scheme) for scheme, limit in pairs]
        kernels = [
            each for each in self.table.kernels(device)
            if any(self.table.get(each, name) for name in names)
        ]  # fmt: skip
        if not kernels:
            return ""

        def cell(kernel, name):
            found = self.table.get(kernel, name)
            gain = ratio(self.table.ratio(kernel, name, "cycles"))
            return f"{gain} ({found.warps})" if found else ""

        rows = [
            [self.name(each), each.registers, *(cell(each, name) for name in names)]
            for each in kernels
        ]
        return markdown(["kernel", "registers", *names], rows)

    def warps(self, device):
        def cell(kernel, scheme):
            found = self.table.get(kernel, scheme)
            return f"{found.warps} ({found.average_warps:.0f})" if found else ""

        return self.grid(device, cell)

    def refusals(self, device):
        """Why schemes did not take kernels, each reason once."""
        found = collections.defaultdict(list)
        for (kernel, scheme), why in self.table.why.items():
            if kernel.device == device:
                found[scheme, why].append(self.names.of(kernel))
        return "".join(
            f"- {scheme}, {', '.join(kernels)}: {why}\n"
            for (scheme, why), kernels in found.items()
        )

    def choice(self, device):
        """What ways of choosing gain; nothing if none was sampled."""
        chooser = choice.Chooser(self.study, device, self.found)
        if not chooser.kernels:
            return ""
        ways = chooser.ways()
        best = ways["oracle"]
        rows = []
        for way, chosen in ways.items():
            gains = {x: chooser.gain(x, scheme) for x, scheme in chosen.items()}
            near = sum(
                gain >= chooser.gain(x, best[x]) * (1 - ALIKE) for x, gain in gains.items()
            )
            rows.append([
                way, ratio(geomean(gains.values())), self.extreme(gains, max),
                self.extreme(gains, min), f"{near} of {len(gains)}",
                f"{chooser.effort(way):.2f}",
            ])  # fmt: skip
        heading = ["choice", "speed-up", "best", "worst", "as good as the oracle", "effort"]
        shown = [each for each in ways if not each.endswith(" for all")]
        chosen = [
            [self.names.of(x), *(self.chosen(chooser, x, ways[way][x]) for way in shown)]
            for x in chooser.kernels
        ]
        return markdown(heading, rows) + "\n" + markdown(["kernel", *shown], chosen)

    def chosen(self, chooser, kernel, scheme):
        return f"{scheme} {chooser.gain(kernel, scheme):.2f}"

    def device(self, device):
        whole = self.study.device(device)
        yield f"## {device}\n\n`{whole}`.\n"
        yield f"### Kernels on {device}\n\n{self.kernels(device)}"
        yield f"### Schemes on {device}\n\n{self.schemes(device)}"
        yield f"### What became of the kernels on {device}\n\n{self.verdicts(device)}"
        yield f"### Speed-up on {device}\n\n{self.ratios(device, 'cycles')}"
        if wider := self.wider(device):
            yield f"### Register caches with more active warps on {device}\n\n{wider}"
        if limited := self.limited(device):
            yield f"### Fewer registers on {device}\n\n{limited}"
        yield f"### Energy on {device}\n\n{self.ratios(device, 'energy')}"
        yield f"### Warps on {device}\n\n{self.warps(device)}"
        if chosen := self.choice(device):
            is_first = device == self.table.devices()[0]
            text = self.study.text["choice"] + "\n" if is_first else ""
            yield f"### Choosing on {device}\n\n{text}{chosen}"
        if refused := self.refusals(device):
            yield f"### Not taken on {device}\n\n{refused}"

    def text(self):
        parts = [f"# {self.study.title}\n", self.study.text["begin"]]
        for device in self.table.devices():
            parts += self.device(device)
        parts += [f"## The kernels\n\n{self.study.text['kernels']}", self.list()]
        return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def page(study, found):
    """The page of a study, of records of regshare-suite."""
    return Page(study, found).text()
