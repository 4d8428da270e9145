# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building the programs of a suite and running them, in a folder of ours: nothing is
written where the suite lies."""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from .. import measure, records, runs
from ..toolchain import ToolError, file_hash, last_line, no_option
from . import computed, constants, generators, proof

VERSION = 2
# Bytes of what a program prints: some print their results.
PRINTED = 1 << 28
# What checkouts have and programs are not built from.
NOT_COPIED = shutil.ignore_patterns(".git", "data", "*.pdf")


class NotBuilt(ToolError):
    """A program that does not compile, with the first message."""


def first_error(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    signs = ("undefined reference", "multiple definition", "error: ", "Error")
    found = (each for sign in signs for each in lines if sign in each)
    return next(found, last_line(text) or "no message")


def link_or_copy(source, target):
    """Programs may write what they read, which is too long a copy for large files."""
    large = os.stat(source).st_size > 1 << 24
    (os.link if large else shutil.copy)(source, target)


def shadow(top, source, folder):
    """A copy of a folder of the suite whose relative paths lead where they lead in the
    suite; the copy's path. What lies beside it is linked."""
    here, there = pathlib.Path(top), source
    for part in pathlib.PurePath(folder).parts:
        for each in there.iterdir():
            if each.name != part:
                (here / each.name).symlink_to(each)
        here, there = here / part, there / part
        here.mkdir()
    shutil.copytree(there, here, ignore=NOT_COPIED, dirs_exist_ok=True)
    return here


def modules_of(executable):
    """The folder with the device code that a program loads from files."""
    return executable.with_name(f"{executable.name}.modules")


@dataclasses.dataclass
class Workplace:
    """The folder that a suite's programs are built and run in."""

    tools: object  # toolchain.Toolchain
    suite: object  # description.Suite
    source: pathlib.Path
    out: pathlib.Path
    options: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.lock = threading.Lock()
        self.busy = {}

    def once(self, what):
        """Of several threads that want the same made, one makes it."""
        with self.lock:
            return self.busy.setdefault(what, threading.Lock())

    def resolved(self, words):
        """Options and arguments with the suite's folder in them."""
        places = {"{source}": self.source, "{beside}": self.suite.path.parent.resolve()}
        for sign, folder in places.items():
            words = [word.replace(sign, str(folder)) for word in words]
        return words

    def execute(self, command, folder, environment=None):
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False,
            text=True, errors="replace", stdin=subprocess.DEVNULL, env=environment)
        if done.returncode:
            raise NotBuilt(first_error(done.stderr + "\n" + done.stdout))

    def sources(self, names):
        """Those with @ lie beside the suite's file."""
        beside = self.suite.path.parent.resolve()
        return [str(beside / x[1:]) if x[:1] == "@" else no_option(x) for x in names]

    def beside(self, names):
        """Those of the sources that lie beside the suite's file."""
        return [x for x in self.sources(names) if pathlib.Path(x).is_absolute()]

    def compile(self, program, given, executable):
        folder = self.source / program.folder
        if not folder.is_dir():
            raise NotBuilt(f"'{self.source}' has no folder '{program.folder}'")
        with self.changed(program.folder, given.constants if given else {}) as folder:
            self.compile_in(folder, program, executable)

    @contextlib.contextmanager
    def changed(self, folder, values):
        """The folder, or a copy in which constants have other values."""
        if not values:
            yield self.source / folder
            return
        (self.out / "copies").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.out / "copies") as top:
            copy = shadow(pathlib.Path(top).absolute(), self.source, folder)
            if wrong := constants.change(copy, values):
                raise NotBuilt(wrong)
            yield copy

    def compile_in(self, folder, program, executable):
        options = [*self.options, *self.resolved(program.options)]
        self.execute([*self.tools.compiler, *options, *self.sources(program.sources),
            "-o", str(executable)], folder)
        modules = modules_of(executable)
        shutil.rmtree(modules, ignore_errors=True)
        for name, source in program.modules.items():
            modules.mkdir(exist_ok=True)
            form = "-" + name.rpartition(".")[2]
            self.execute([*self.tools.compiler, *options, form,
                *self.sources([source]), "-o", str(modules / name)], folder)

    def toolkit(self):
        """A folder with a bin/nvcc that is regshare-clang++, for makefiles."""
        folder = self.out / "toolkit"
        with self.once("toolkit"):
            (folder / "bin").mkdir(parents=True, exist_ok=True)
            nvcc = folder / "bin" / "nvcc"
            compiler = " ".join(self.tools.compiler)
            nvcc.write_text(f'#!/bin/sh\nexec {compiler} "$@"\n', encoding="utf-8")
            nvcc.chmod(0o755)
        return folder

    def make(self, program, _, executable):
        copy, toolkit = executable.with_name(f".{program.name}-make"), self.toolkit()
        shutil.rmtree(copy, ignore_errors=True)
        for each in (program.folder, *program.make.others):
            if (self.source / each).is_dir():
                shutil.copytree(self.source / each, copy / each, symlinks=True,
                    ignore=NOT_COPIED, dirs_exist_ok=True)
            else:
                (copy / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.source / each, copy / each)
        path = f"{toolkit / 'bin'}:{os.environ['PATH']}"
        words = [x.replace("{toolkit}", str(toolkit)) for x in program.make.arguments]
        self.execute(["make", *words], copy / program.folder, os.environ | {"PATH": path})
        made = copy / program.folder / program.make.program
        if not made.is_file():
            raise NotBuilt(f"make has not made '{program.make.program}'")
        os.replace(made, executable)
        shutil.rmtree(copy)

    def digest(self, program, given):
        """Changes with what a program is built of, as far as the suite's files say."""
        folder = self.source / program.folder
        files = files_of(folder) + self.beside(program.sources)
        text = repr((self.options, program.options, program.sources, program.make,
            program.modules, given and given.constants))
        return f"{self.tools.compiler_hash} {file_hash(*files)} {text}"

    def build(self, program, given=None):
        """The executable, for an input that may ask for other constants; built before
        if nothing has changed since."""
        name = f"{program.name}-{given.name}" if given and given.constants else program.name
        executable = (self.out / "programs" / name).absolute()
        stamp = executable.with_name(f".{name}-built")
        with self.once(executable):
            executable.parent.mkdir(parents=True, exist_ok=True)
            digest = self.digest(program, given)
            if executable.is_file() and stamp.is_file() and stamp.read_text() == digest:
                return executable
            half = executable.with_name(f".{name}")
            (self.make if program.make else self.compile)(program, given, half)
            shutil.rmtree(modules_of(executable), ignore_errors=True)
            if modules_of(half).is_dir():
                os.replace(modules_of(half), modules_of(executable))
            os.replace(half, executable)
            stamp.write_text(digest)
        return executable

    def inputs(self, program, given):
        """The folder with the files that a program reads; made once."""
        folder = (self.out / "inputs" / program.name / given.name).absolute()
        wanted = f"{sorted(given.files.items())} {file_hash(generators.__file__)}"
        stamp = folder.with_name(f".{given.name}-made")
        with self.once(folder):
            if stamp.is_file() and stamp.read_text() == wanted:
                return folder
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for name, file in given.files.items():
                self.input_file(folder / name, file)
            stamp.write_text(wanted)
        return folder

    def input_file(self, path, file):
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, str):
            if not (self.source / file).is_file():
                raise ToolError(f"'{self.source}' has no file '{file}'")
            path.symlink_to(self.source / file)
        else:
            generators.make(file["make"], path, file.get("with", {}))

    def fresh(self, folder, program, given):
        """Where a program is to run: a folder with what it reads, or one within it."""
        shutil.rmtree(folder, ignore_errors=True)
        inputs = self.inputs(program, given)
        shutil.copytree(inputs, folder, copy_function=link_or_copy, symlinks=True)
        inner = folder / program.within
        inner.mkdir(parents=True, exist_ok=True)
        return inner

    def reference_hash(self, program, given):
        """Changes with what the reference reads and is built of, if there is one."""
        other = program.reference
        if not other:
            return ""
        return hash_of(self.inputs(program, given)) + file_hash(
            *self.beside(other.sources), *files_of(self.source / other.folder))

    def reference(self, program, given):
        """The Result of the reference on an input; None if there is none."""
        other = program.reference
        if not other:
            return None
        folder = (self.out / "references" / program.name / given.name).absolute()
        executable = folder.with_name(f".{given.name}-program")
        stamp = folder.with_name(f".{given.name}-made")
        arguments = given.reference_arguments or other.arguments
        arguments = given.arguments if arguments is None else arguments
        wanted = repr((other, arguments)) + self.reference_hash(program, given)
        wanted += repr(given.reference_constants) if given.reference_constants else ""
        with self.once(folder):
            if not stamp.is_file() or stamp.read_text() != wanted:
                inner = self.fresh(folder, program, given)
                options = self.resolved(other.options)
                with self.changed(other.folder, given.reference_constants) as sources:
                    self.execute([*self.tools.compiler, *options,
                        *self.sources(other.sources), "-o", str(executable)], sources)
                done = subprocess.run([str(executable), *self.resolved(arguments)], cwd=inner,
                    capture_output=True, check=False, stdin=subprocess.DEVNULL)
                if done.returncode < 0:
                    raise ToolError(f"the reference ends by signal {-done.returncode}")
                (folder / ".output").write_bytes(done.stdout)
                stamp.write_text(wanted)
        output = (folder / ".output").read_bytes().decode(errors="replace")
        return proof.Result(output, folder / program.within, ())


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of a program."""

    program: object
    input: object
    device: str
    scheme: str
    given: dict
    timing: bool


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def hash_of(folder):
    return file_hash(*files_of(folder))


def configuration(place, run, executable):
    """What makes a run what it is."""
    given = dict(run.given) | (runs.LENIENT if run.program.lenient else {})
    return {
        "regshare": place.tools.version(),
        "toolchain": place.tools.fingerprint(),
        "suite": run.program.suite,
        "commit": place.suite.source["commit"] if place.suite.source else None,
        "program": {"name": run.program.name,
            "sha256": file_hash(executable, *files_of(modules_of(executable)))},
        "input": run.input.name,
        "files": hash_of(place.inputs(run.program, run.input)),
        "check": repr((run.program.reference, run.input, run.program.kernels,
            run.program.empty_launches)) + place.reference_hash(run.program, run.input),
        "checker": file_hash(proof.__file__, computed.__file__),
        "arguments": list(run.input.arguments),
        "device": runs.device_configuration(place.tools, run.device),
        "scheme": run.scheme,
        "given": given,
        "timing": run.timing,
    }


def shape_of(launch):
    """What a launch takes of an SM. `ctas`: of Baseline that fit; `other_ctas`: if
    only registers did not limit them."""
    return {
        "grid": launch["grid"],
        "block": launch["block"],
        "registers_per_thread": launch["registers_per_thread"],
        "local_bytes": launch["local_bytes_per_thread"],
        "shared_bytes": launch["static_shared_bytes"] + launch["dynamic_shared_bytes"],
        "ctas": launch["baseline_ctas_per_sm"],
        "other_ctas": len(launch["register_steps"]),
        "code": launch["code"],
    }


def timed_figures(launches):
    """Of the launches of one kernel, as in a record of regshare-compare; None without
    timing."""
    figures = ["stats" in each or "estimate" in each for each in launches]
    if not all(figures) or not any("stats" in each for each in launches):
        return None
    found = measure.kernel_figures(launches, None)
    kept = ("occupancy", "issue_slots", "energy", "storage_bits", "scheduler", "split")
    return {key: found[key] for key in kept}


def kernels_of(report):
    """By name: launches, warp instructions, the shape of the launch that executes the
    most, and figures where there was timing, and whether these are an estimate."""
    found = {}
    for launch in report["launches"] if report else []:
        name = records.without_parameters(launch["name"])
        found.setdefault(name, []).append(launch)
    return {name: kernel_of(launches) for name, launches in found.items()}


def kernel_of(launches):
    executed = [each.get("warp_instructions") or 0 for each in launches]
    cycles = [measure.cycles_of(each) for each in launches if "stats" in each or "estimate" in each]
    return {
        "launches": len(launches),
        "warp_instructions": sum(executed),
        "cycles": sum(cycles) if cycles else None,
        "shape": shape_of(launches[executed.index(max(executed))]),
        "timed": timed_figures(launches),
    } | measure.estimated(launches)


def unexpected(run, kernels):
    """What was launched otherwise than the suite's file says, in a line, or None."""
    for name in run.program.kernels:
        if not any(name == each.split("<")[0].split(" ")[-1] for each in kernels):
            return f"kernel '{name}' was not launched"
    count, wanted = sum(each["launches"] for each in kernels.values()), run.input.launches
    if wanted and count != wanted:
        return f"{count} launches where {wanted} were expected"
    return None


EMPTY = "its grid or block is empty"


def without_empty_launches(ended, count):
    """How a run ended, but for its first launches of empty grids."""
    if not ended.report or not count:
        return ended
    errors = ended.report["errors"]
    ignored = [each for each in errors if EMPTY in each["message"]][:count]
    kept = [each for each in errors if each not in ignored]
    return ended._replace(report=ended.report | {"errors": kept})


def without_fault(ended, kind):
    """How a run ended, but for a fault that the program is written to have, and whether
    it had it."""
    report = ended.report
    faulty = [x for x in report["launches"] if x["error_kind"] == kind] if report else []
    if not kind or not faulty:
        return ended, not kind
    launches = [
        x | {"error": "cudaSuccess"} if x in faulty else x for x in report["launches"]
    ]
    kept = [each for each in report["errors"] if each["kind"] != kind]
    return ended._replace(report=report | {"launches": launches, "errors": kept}), True


def verdict(place, run, ended, folder, reference):
    """`verified`, `wrong`, `refused` or `failed`, with the reason."""
    ended = without_empty_launches(ended, run.program.empty_launches)
    ended, as_written = without_fault(ended, run.program.fault)
    if ended.rc is not None and ended.rc == run.program.waived:
        return "refused", runs.how_it_ended(ended)
    if ended.rc is not None and ended.rc == run.input.check.exit:
        ended = ended._replace(rc=0)
    outcome, why, _ = runs.judge(ended)
    if outcome != "finished":
        return outcome, why
    if not as_written:
        return "wrong", f"no launch ends by the fault '{run.program.fault}'"
    result = proof.Result(f"{ended.stdout}{ended.stderr}", folder, run.input.arguments)
    why = unexpected(run, kernels_of(ended.report))
    why = why or proof.wrong(run.input.check, result, reference, place.source)
    return ("wrong", why) if why else ("verified", None)


def ended_run(place, run, executable, given, timeout, live):
    """How a run ended: a runs.Ended, the outcome, and the reason."""
    try:
        reference = place.reference(run.program, run.input)
    except ToolError as error:
        return runs.Ended(0, "", "", None, 0), "failed", f"its reference: {error}"
    (place.out / "runs").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.out / "runs") as top:
        folder = place.fresh(pathlib.Path(top).absolute() / "run", run.program, run.input)
        if modules_of(executable).is_dir():
            shutil.copytree(modules_of(executable), folder, dirs_exist_ok=True)
        runner = runs.Runner(executable, place.resolved(run.input.arguments),
            place.tools.run_prefix, timeout, folder, PRINTED)
        live.append(runner)
        ended = runner.run(REGSHARE_DEVICE=run.device, REGSHARE_SCHEME=run.scheme,
            REGSHARE_TIMING=str(int(run.timing)), **given)
        return ended, *verdict(place, run, ended, folder, reference)


def record_of(place, run, executable, timeout, live):
    """Runs a program, and says how it ended. `live`: the Runners, to be stopped."""
    what = configuration(place, run, executable)
    ended, outcome, why = ended_run(place, run, executable, what["given"], timeout, live)
    return {
        "version": VERSION,
        "id": records.identity(what),
        "configuration": what,
        "outcome": outcome,
        "why": why,
        "notes": runs.notes(ended, why),
        "wall_seconds": round(ended.seconds, 3),
        "kernels": kernels_of(ended.report),
    }
