# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every register-file scheme on one CUDA program.

Compiles the program once, runs it on the reference SM under each scheme and
device, and prints a table for each kernel. The folder that --out names gets
records.jsonl, a record of each run (docs/records.md), and index.html, the same
to look at. What records.jsonl has already is not run again, so an interrupted
comparison goes on where it stopped.
"""

import pathlib
import sys
import time

from . import command, page, records, runs, settings, table
from .progress import Line
from .toolchain import Toolchain, ToolError, scheme_named

NAME = "regshare-compare"


def parse_arguments(words):
    parser = command.parser_of(NAME, "app.cu", "program arguments", __doc__)
    add = parser.add_argument
    add("program", metavar="app.cu",
        help="a CUDA source, or a program that regshare-clang++ has made")
    add("--device", default="gtx480", metavar="A,B",
        help="devices; figures to change follow a name: gtx480,registers=16384")
    add("--schemes", metavar="A,B",
        help="schemes, baseline is always there; settings follow a name: "
        "expars:tau=0.5:operand-cache=1024; a+b composes two (default: all schemes)")
    add("--out", metavar="FOLDER", help="default: NAME-compare")
    add("--compile-options", default=["-O2"], type=command.words, metavar="TEXT",
        help="for regshare-clang++ (default: -O2)")
    add("--jobs", type=command.number, metavar="N",
        help="runs at the same time (default: one for each processor)")
    add("--lenient", action="store_true",
        help="what GPUs let programs do wrong is no error")
    add("--sample", type=command.number, metavar="N",
        help="times a part of the launches and estimates the others' cycles, with an "
        "error of N percent in mind, 1 to 50 (default: times all)")
    add("--timeout", type=command.number, metavar="SECONDS", help="for each run")
    return command.parse(parser, words)


def parse_devices(text):
    """`gtx480,registers=16384,h100` has two."""
    devices = []
    for word in text.split(","):
        if "=" in word and devices:
            devices[-1] += f",{word}"
        else:
            devices.append(word)
    return list(dict.fromkeys(devices))


def scheme_words(text, option="--schemes"):
    """Those between the commas of what `option` says."""
    words = text.split(",")
    if "" in words:
        raise ToolError(f"{option}={text}: expected names of schemes, found an empty one")
    return words


def parse_scheme(text, tools, option="--schemes"):
    """`expars:tau=0.5`: the scheme and the variables that it is given."""
    name, *words = text.split(":")
    given = {}
    for setting in words:
        word, equals, value = setting.partition("=")
        if not equals or not value:
            raise ToolError(f"{option}={text}: a setting is 'name=value'")
        variable = records.setting_variable(word)
        if variable in given:
            raise ToolError(f"{option}={text}: '{word}' is given twice")
        try:
            given[variable] = settings.checked(tools, variable, value)
        except ToolError as error:
            raise ToolError(f"{option}={text}: {error}") from None
    return name, dict(sorted(given.items()))


def choose_schemes(args, tools):
    known = tools.schemes()
    wanted = list(known) if args.schemes is None else scheme_words(args.schemes)
    chosen = [parse_scheme(text, tools) for text in wanted]
    chosen = [(scheme_named(tools, name), given) for name, given in chosen]
    if any(records.SAMPLE in given for _, given in chosen):
        raise ToolError("all runs are sampled alike, or none: --sample=N, not a setting")
    # All are compared with it.
    chosen = [("baseline", {}), *chosen]
    if args.sample:
        sample = {records.SAMPLE: str(args.sample)}
        chosen = [(name, dict(sorted((given | sample).items()))) for name, given in chosen]
    if args.lenient:
        chosen = [(name, given | runs.LENIENT) for name, given in chosen]
    return [pair for n, pair in enumerate(chosen) if pair not in chosen[:n]]


def choose_devices(args, tools):
    known = tools.devices()
    devices = parse_devices(args.device)
    for device in devices:
        name = device.split(",")[0]
        if name.endswith(".yaml"):
            if not pathlib.Path(name).is_file():
                raise ToolError(f"cannot read the device '{name}'")
        elif name not in known:
            raise ToolError(f"unknown device '{name}'; there are: {', '.join(known)}")
        elif not known[name]:
            timed = ", ".join(name for name, is_timed in known.items() if is_timed)
            raise ToolError(
                f"device '{name}' has no figures for timing; these have: {timed}"
            )
    return devices


class Progress(Line):
    def __init__(self, stream):
        super().__init__(stream)
        self.done = self.total = self.started = 0

    def note(self, text):
        self.show(text)

    def warn(self, text):
        super().say(f"regshare-compare: {text}")

    def begin(self, total):
        self.total = total
        self.started = time.monotonic()
        self.show(f"[0/{total}] {total} runs")

    def finished(self, record):
        self.done += 1
        configuration = record["configuration"]
        device = records.device_name(configuration)
        text = f"[{self.done}/{self.total}] {device}, {records.label(configuration)}: "
        if record["total"]:
            sign = "~" if "estimated" in record["total"] else ""
            text += f"{sign}{record['total']['cycles']:,} cycles"
        else:
            text += record["outcome"]
        self.show(f"{text} ({record['wall_seconds']:.1f} s)")

    def waiting(self, running):
        """Every second or so."""
        if running:
            seconds = time.monotonic() - self.started
            self.show_passing(
                f"[{self.done}/{self.total}] {running} running, {seconds:.0f} s"
            )


def prepare_program(args, tools, out, progress):
    """The executable, and the source it came from or None."""
    path = pathlib.Path(args.program)
    if runs.is_program(path):
        return path, None
    executable = out / path.stem
    progress.note(f"compiling {path}")
    tools.compile(path, args.options, executable)
    return executable, path


def configurations(args, tools, devices, schemes, executable, source):
    common = runs.program_configuration(
        tools, executable, source, args.options, args.after
    )
    for device in devices:
        shared = {**common, "device": runs.device_configuration(tools, device)}
        for scheme, given in schemes:
            yield {**shared, "scheme": scheme, "given": given}


def run_pending(args, tools, file, pending, executable, source, progress):
    runner = runs.Runner(executable, args.after, tools.run_prefix, args.timeout)
    names = list(dict.fromkeys(map(records.device_name, pending)))
    jobs = args.jobs or runs.cores()
    with runs.pool_of(runner, jobs) as pool:
        progress.note(f"looking at the program on {', '.join(names)}")
        given = dict(runs.LENIENT) if args.lenient else {}
        # The runtime says what is wrong with it.
        given |= {records.SAMPLE: str(args.sample)} if args.sample else {}
        devices = runs.look_at_all(
            pool, runner, tools, names, source, args.options, given
        )
        for device in devices.values():
            if device.note:
                progress.warn(device.note)
        on_devices = [(each, devices[records.device_name(each)]) for each in pending]
        runs.run_all(pool, runner, file, on_devices, jobs, progress)


def compare(args, tools):
    progress = Progress(sys.stderr)
    args.options = args.compile_options
    schemes, devices = choose_schemes(args, tools), choose_devices(args, tools)
    if not pathlib.Path(args.program).is_file():
        raise ToolError(f"cannot read '{args.program}': No such file")
    settings.tell_doubts(NAME, tools, schemes)
    out = pathlib.Path(args.out or pathlib.Path(args.program).stem + "-compare")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolError(f"cannot make '{out}': {error.strerror}") from None
    with records.RecordFile(out / "records.jsonl") as file:
        executable, source = prepare_program(args, tools, out, progress)
        wanted = list(
            configurations(args, tools, devices, schemes, executable, source)
        )
        pending = runs.still_to_run(file, wanted)
        if len(pending) < len(wanted):
            count = len(wanted) - len(pending)
            progress.note(f"{count} of {len(wanted)} runs are in {file.path}")
        if pending:
            run_pending(args, tools, file, pending, executable, source, progress)
        progress.end()
        chosen = [file.find(records.identity(each)) for each in wanted]
    target = out / "index.html"
    page.write(target, chosen, tools.applicable())
    print(table.render(chosen))
    print(f"{file.path}: {len(chosen)} records; {target}: the same to look at")
    if not any(record["total"] for record in chosen):
        raise ToolError(f"no run finished; {chosen[0]['why']}")
    return True


def main(binaries, words):
    """The command; `binaries` is the folder of RegShare's programs."""
    args = parse_arguments(words)
    command.let_sigterm_interrupt()
    return command.run(NAME, lambda: compare(args, Toolchain(binaries, args.load)))
