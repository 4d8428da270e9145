# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the number of registers with which each kernel of a CUDA program is fastest.

Runs the program on the reference SM as it is, then with each limit of registers that
lets an SM hold more CTAs of one of its kernels, and prints a ladder for each kernel:
what every rung takes in registers, spills and recomputed values, and what it gives in
cycles and energy. Ends with the launch bounds that give the best rungs, as a patch of
the source, and with what the program takes with them. With --schemes, the ladders are
climbed under register-file schemes as well, which no GPU has.
"""

import concurrent.futures
import json
import pathlib
import sys
import tempfile

from .. import command, runs, settings
from ..compare import choose_devices, parse_scheme, scheme_words
from ..progress import Line
from ..toolchain import Toolchain, ToolError, scheme_named
from . import ladder, page, patch, view

NAME = "regshare-tune"
PRAGMA = r'asm volatile(".pragma \"enable_smem_spilling\";");'


def parse_arguments(words):
    parser = command.parser_of(NAME, "app.cu", "program arguments", __doc__)
    add = parser.add_argument
    add("program", metavar="app.cu",
        help="a CUDA source, or a program that regshare-clang++ has made")
    add("--device", default="h100", metavar="NAME",
        help="a device; figures to change follow: h100,registers=32768 (default: h100)")
    add("--code", choices=("ptx", "native"), help="form of code, instead of the device's")
    add("--schemes", metavar="A,B",
        help="schemes to try as well, each with all limits: regmutex,expars:tau=0.5")
    add("--smem-spilling", action="store_true",
        help="spill registers to shared memory first, as with CUDA 13's enable_smem_spilling")
    add("--compile-options", default=["-O2"], type=command.words, metavar="TEXT",
        help="for regshare-clang++ (default: -O2)")
    add("--patch", metavar="FILE", help="writes the patch there as well; - for standard output alone")
    add("--json", metavar="FILE", help="writes the ladders there as well")
    add("--page", metavar="FILE", help="writes the ladders and the patch as an HTML page")
    add("--jobs", type=command.number, metavar="N",
        help="runs at the same time (default: one for each processor)")
    add("--lenient", action="store_true",
        help="what GPUs let programs do wrong is no error")
    add("--timeout", type=command.number, metavar="SECONDS", help="for each run")
    return command.parse(parser, words)


def chosen_schemes(args, tools):
    """Pairs of a scheme as it was given and the variables that apply it."""
    for text in () if args.schemes is None else scheme_words(args.schemes):
        name, given = parse_scheme(text, tools)
        yield text, given | {"REGSHARE_SCHEME": scheme_named(tools, name)}


class Tuner:
    """Runs a program with limits of registers."""

    def __init__(self, args, tools, folder):
        self.args, self.tools, self.folder = args, tools, pathlib.Path(folder)
        devices = choose_devices(args, tools)
        if len(devices) != 1:
            raise ToolError(f"--device={args.device}: expected one device")
        self.device = devices[0]
        path = pathlib.Path(args.program)
        self.source = None if runs.is_program(path) else path
        self.environment = {"REGSHARE_DEVICE": self.device}
        if args.code:
            self.environment["REGSHARE_CODE"] = args.code
        if args.smem_spilling:
            self.environment["REGSHARE_SMEM_SPILLING"] = "1"
        if args.lenient:
            self.environment |= runs.LENIENT
        self.schemes = dict(chosen_schemes(args, tools))

    def executable_of(self, source, options=()):
        executable = self.folder / "program"
        self.tools.compile(source, [*self.args.compile_options, *options], executable)
        return executable

    def runner_of(self, executable):
        return runs.Runner(
            executable, self.args.after, self.tools.run_prefix, self.args.timeout
        )

    def run(self, runner, limit=0, scheme=""):
        """A pair of the report of a run that finished, or None, and why it did not."""
        given = self.environment | {"REGSHARE_MAX_REGISTERS": str(limit)}
        given |= self.schemes.get(scheme, {})
        if not self.source and not scheme:
            given["REGSHARE_KEEP_PTX"] = str(self.kept(limit))
        ended = runner.run(**given)
        verdict = runs.judge(ended)
        is_done = verdict.outcome == "finished"
        return (ended.report, None) if is_done else (None, verdict.why)

    def kept(self, limit):
        """Where the PTX is that a program without a source has executed."""
        folder = self.folder / f"ptx-{limit}"
        folder.mkdir(exist_ok=True)
        return folder

    def compiled(self, limit):
        """What the compiler says of each kernel, by name, after the run with the limit."""
        options = [f"-regshare-max-regs={limit}"] if limit else []
        if self.args.smem_spilling:
            options.append("-regshare-smem-spilling")
        if self.source:
            if self.args.code:
                options.append(f"--code={self.args.code}")
            kernels = self.report(self.source, self.args.compile_options, options)
            return {each["name"]: ladder.compiled_of(each) for each in kernels}
        # Read again as it is, PTX is other code for us, and the same for ptxas.
        kernels = [
            kernel
            for ptx in sorted(self.kept(limit).glob("*.ptx"))
            for kernel in self.report(ptx, (), [*options, "--code=ptx"])
        ]
        return {each["name"]: ladder.Compiled(ptxas=ladder.ptxas_of(each)) for each in kernels}

    def report(self, source, compile_options, options):
        try:
            return self.tools.kernels(source, compile_options, self.device, options)
        except ToolError:
            # The run's own message, or its result, is what counts.
            return []


def measure(tuner, runner, progress):
    """The ladder of each kernel."""
    progress.show(f"running {tuner.args.program} on {tuner.device}")
    report, why = tuner.run(runner)
    if not report:
        raise ToolError(f"the program fails on {tuner.device}: {why}")
    kernels = list(ladder.kernels_of(report))
    limits = sorted({limit for kernel in kernels for limit in kernel.limits().values()})
    wanted = [("", limit) for limit in limits]
    wanted += [(scheme, limit) for scheme in tuner.schemes for limit in (0, *limits)]
    jobs = tuner.args.jobs or runs.cores()
    with runs.pool_of(runner, jobs) as pool:
        reports = {
            (scheme, limit): pool.submit(tuner.run, runner, limit, scheme)
            for scheme, limit in wanted
        }
        for done, _ in enumerate(concurrent.futures.as_completed(reports.values()), 1):
            progress.show_passing(f"[{done}/{len(wanted)}] limits of registers")
        reports = {which: each.result() for which, each in reports.items()}
        compiled = {limit: pool.submit(tuner.compiled, limit) for limit in (0, *limits)}
        compiled = {limit: each.result() for limit, each in compiled.items()}
    progress.end()
    for kernel in kernels:
        made = ladder.ladder_of(kernel, reports, tuner.schemes)
        for rung in made.rungs:
            rung.compiled = compiled[rung.limit].get(kernel.name)
        yield made


def cycles_of(report):
    return sum(each["stats"]["cycles"] for each in report["launches"])


def verify(tuner, texts, progress):
    """The cycles of the program with the new texts, which are compiled where the
    old ones are found for what they include."""
    copies = tuner.folder / "patched"
    copies.mkdir()
    folders = list(dict.fromkeys(str(file.resolve().parent) for file in texts))
    for file, text in texts.items():
        (copies / file.name).write_text(text, encoding="utf-8", errors="surrogateescape")
    main = copies / tuner.source.name
    if not main.exists():
        main.write_bytes(tuner.source.read_bytes())
        folders.append(str(tuner.source.resolve().parent))
    progress.show("running the patched program")
    executable = tuner.executable_of(main, [f"-I{each}" for each in folders])
    report, why = tuner.run(tuner.runner_of(executable))
    progress.end()
    if not report:
        raise ToolError(f"with the patch the program fails: {why}")
    return cycles_of(report)


def suggest(tuner, found, progress):
    """What to change, and what it gives: lines for people, and the patch."""
    better = [each for each in found if each.best is not each.rungs[0]]
    before = sum(each.kernel.seen.cycles for each in found)
    lines = [view.advice(each) for each in better]
    if better and tuner.args.smem_spilling:
        lines.append(f"This holds with {PRAGMA} at the beginning of these kernels.")
    if not better:
        lines = ["No limit of registers makes a kernel at least 1% faster."]
    lines += [view.scheme_advice(each) for each in found if each.best_scheme]
    if not better:
        return lines, ""
    if not tuner.source:
        return lines, ""
    wanted = {each.kernel.short: view.bounds(each.kernel, each.best) for each in better}
    texts, missing = patch.changed(tuner.source, wanted)
    lines += [f"{name}: its definition was not found once; no patch" for name in missing]
    if not texts:
        return lines, ""
    after = verify(tuner, texts, progress)
    lines.append(
        f"the program with the patch: {after:,} cycles instead of {before:,}, "
        f"{view.times(before / after)}"
    )
    return lines, patch.difference(texts)


def write(path, text):
    try:
        pathlib.Path(path).write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise ToolError(f"cannot write '{path}': {error.strerror}") from None


def tune(args, tools):
    progress = Line(sys.stderr)
    if not pathlib.Path(args.program).is_file():
        raise ToolError(f"cannot read '{args.program}': No such file")
    with tempfile.TemporaryDirectory(prefix="regshare-tune-") as folder:
        tuner = Tuner(args, tools, folder)
        given = [(each["REGSHARE_SCHEME"], each) for each in tuner.schemes.values()]
        settings.tell_doubts(NAME, tools, given)
        if tuner.source:
            progress.show(f"compiling {tuner.source}")
        executable = tuner.executable_of(tuner.source) if tuner.source else args.program
        found = list(measure(tuner, tuner.runner_of(executable), progress))
        quiet = args.patch == "-"
        for each in found:
            if not quiet:
                print("\n".join(view.lines(each)), end="\n\n")
        lines, difference = suggest(tuner, found, progress)
        if args.json:
            write(args.json, json.dumps(view.as_json(tuner.device, found), indent=1) + "\n")
        if args.page:
            name = pathlib.Path(args.program).name
            write(args.page, page.render(name, tuner.device, found, lines, difference))
        print("\n".join(lines), file=sys.stderr if quiet else sys.stdout)
        if difference:
            print(difference if quiet else f"\n{difference}", end="")
        if args.patch and not quiet:
            write(args.patch, difference)
    return True


def main(binaries, words):
    """The command; `binaries` is the folder of RegShare's programs."""
    args = parse_arguments(words)
    command.let_sigterm_interrupt()
    return command.run(NAME, lambda: tune(args, Toolchain(binaries, args.load)))
