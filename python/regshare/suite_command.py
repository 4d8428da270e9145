# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the programs of public suites, and checks their results.

    regshare-suite list                 the suites that are known
    regshare-suite list SUITE           its programs and their inputs
    regshare-suite build SUITE --source=FOLDER
    regshare-suite run SUITE/PROGRAM --source=FOLDER --device=gtx480,h100
    regshare-suite study                what studies of several suites there are
    regshare-suite study NAME --source=FOLDER --source=FOLDER

FOLDER has the suite as it is public; the command says where to get it. Instead of a
suite's name, a file of one's own may stand, as in mine.yaml/saxpy (docs/suites.md).
"""

import collections
import concurrent.futures
import pathlib

from . import command, compare, host, runs, settings
from .studies import run as study_run
from .suite import batch, description, limits, page, work
from .toolchain import Toolchain, ToolError, nearest, scheme_named

NAME = "regshare-suite"
ACTIONS = ("list", "build", "run", "study")


def parse_arguments(words):
    parser = command.parser_of(NAME, "list|build|run|study [SUITE[/PROGRAM]…]", "", __doc__)
    add = parser.add_argument
    add("action", metavar="list|build|run|study", choices=ACTIONS)
    add("what", metavar="SUITE[/PROGRAM]", nargs="*",
        help="programs of one suite, known or described by a .yaml file; or a study")
    add("--source", metavar="FOLDER", action="append", default=[],
        help="where the suite is; for the suites of a study, repeated")
    add("--input", default="small", metavar="NAME", help="of the programs (small)")
    add("--device", metavar="A,B",
        help="as for regshare-compare (gtx480); of a study, some of its own (all)")
    add("--scheme", default="baseline", metavar="A,B",
        help="schemes, with settings as for regshare-compare, or all (baseline)")
    add("--timing", action="store_true",
        help="with the timing model; without, programs are executed only")
    add("--out", metavar="FOLDER", help="default: SUITE-suite")
    add("--compile-options", default=[], type=command.words, metavar="TEXT",
        help="for regshare-clang++, before those of the suite")
    add("--jobs", type=command.number, metavar="N",
        help="programs at the same time (default: one for each processor)")
    add("--timeout", type=command.number, metavar="SECONDS", help="for each run")
    add("--code", metavar="FORM", help="ptx or native, instead of the device's form")
    add("--markdown", metavar="FILE", help="writes the table there too")
    add("--limited", metavar="FILE",
        help="lists the kernels whose CTAs registers limit, there too (.csv)")
    add("--records", metavar="FILE",
        help="study: take records from here (.jsonl or .jsonl.xz), run nothing")
    add("--save", metavar="FILE", help="study: write its records there")
    add("--page", metavar="FILE", help="study: write its page there, in Markdown")
    return parser.parse_intermixed_args(words)


def chosen(words):
    """The suite and its programs that were asked for."""
    if not words:
        raise ToolError(f"which suite? there are: {', '.join(description.known())}")
    found = [description.find(word) for word in words]
    if len({suite.path for suite, _ in found}) > 1:
        raise ToolError("the programs are of several suites; give those of one")
    programs = {each.name: each for _, part in found for each in part}
    return found[0][0], list(programs.values())


def list_suites():
    for name, path in description.known().items():
        suite = description.read(path)
        print(f"{name:14} {len(suite.programs):3} programs  {suite.about}")


def list_programs(suite, programs):
    print(f"{suite.name}: {suite.about}")
    if suite.source:
        print(suite.how_to_get())
    for program in programs:
        if program.left_out:
            print(f"{program.name}: left out: {program.left_out}")
        for name, given in program.inputs.items():
            print(f"{program.name}: {name}: {' '.join(given.arguments) or '-'}")


def checked_devices(args, tools):
    known, devices = tools.devices(), compare.parse_devices(args.device or "gtx480")
    for device in devices:
        name = device.split(",")[0]
        if name.endswith(".yaml") and not pathlib.Path(name).is_file():
            raise ToolError(f"cannot read the device '{name}'")
        if not name.endswith(".yaml") and name not in known:
            near = nearest(name, known)
            raise ToolError(f"unknown device '{name}'{near}; there are: {', '.join(known)}")
        if args.timing and not known.get(name, True):
            raise ToolError(f"device '{name}' has no figures for timing")
    return devices


def checked_schemes(args, tools):
    known = tools.schemes()
    is_all = args.scheme == "all"
    words = list(known) if is_all else compare.scheme_words(args.scheme, "--scheme")
    if args.code:
        words = [f"{word}:code={args.code}" for word in words]
    schemes = [compare.parse_scheme(word, tools, "--scheme") for word in words]
    return [(scheme_named(tools, name), given) for name, given in schemes]


def wanted_runs(args, tools, programs):
    schemes, devices = checked_schemes(args, tools), checked_devices(args, tools)
    found = []
    for program in programs:
        if args.input not in program.inputs:
            there = ", ".join(program.inputs)
            near = nearest(args.input, program.inputs)
            raise ToolError(
                f"{program.full_name} has no input '{args.input}'{near}; it has: {there}"
            )
        given = program.inputs[args.input]
        found += [
            work.Run(program, given, device, scheme, variables, args.timing)
            for device in devices
            for scheme, variables in schemes
        ]
    return found


def report(args, rows, found=()):
    """Prints the table and the counts, and what registers limit in records, if that
    was asked for; whether nothing is wrong or failed."""
    print(page.table(rows))
    print(page.counts(rows))
    if args.limited:
        kernels = limits.limited(found)
        limits.write(args.limited, kernels)
        print(f"\n{limits.table(kernels)}")
    if args.markdown:
        pathlib.Path(args.markdown).write_text(page.markdown(rows), encoding="utf-8")
    outcomes = collections.Counter(row.outcome for row in rows)
    return not outcomes["wrong"] and not outcomes["failed"]


def build_or_run(args, tools, suite, programs):
    source = suite.folder(suite.chosen_source(args.source))
    place = work.Workplace(
        tools, suite, source, pathlib.Path(args.out or f"{suite.name}-suite"),
        args.compile_options,
    )
    place.out.mkdir(parents=True, exist_ok=True)
    taken = [each for each in programs if not each.left_out]
    wanted = wanted_runs(args, tools, taken) if args.action == "run" else []
    if wanted:
        settings.tell_doubts(NAME, tools, [(run.scheme, run.given) for run in wanted])
    with concurrent.futures.ThreadPoolExecutor(args.jobs or runs.cores()) as pool:
        built, refused = batch.build_all(pool, place, taken, args.input)
        rows = page.rows_without_runs(programs, refused)
        if args.action == "build":
            rows += [page.Row(each, "", "", "built") for each in taken if each.name in built]
            return report(args, page.in_order(programs, rows))
        wanted = [run for run in wanted if run.program.name in built]
        executables = [built[run.program.name] for run in wanted]
        found = batch.run(place, wanted, executables, pool, args.timeout)
    rows += [page.row_of(run, record) for run, record in zip(wanted, found)]
    return report(args, page.in_order(programs, rows), found)


def main(binaries, words):
    """The command; `binaries` is the folder of RegShare's programs."""
    args = parse_arguments(words)
    host.with_modules("yaml")
    command.let_sigterm_interrupt()

    def act():
        if args.action == "study":
            return study_run.study(NAME, args, binaries)
        if args.load:
            # For those that run nothing, too.
            _ = Toolchain(binaries, args.load).lists
        if args.action == "list" and not args.what:
            list_suites()
            return True
        suite, programs = chosen(args.what)
        if args.action == "list":
            list_programs(suite, programs)
            return True
        return build_or_run(args, Toolchain(binaries, args.load), suite, programs)

    return command.run(NAME, act)
