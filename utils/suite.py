"""The kernel suite, for the scripts in this folder: compiles its programs, runs
them on the reference SM and reads their reports."""

import collections
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

from regshare import runs, toolchain  # noqa: E402

# Kinds of errors by which a scheme cannot run a kernel on a device, and what they
# mean.
REFUSALS = {
    "not-for-device": "no room on the device for the scheme's cache",
    "does-not-fit": "a CTA that is too large for the SM",
}

# How a run ended: `problem` is what it did wrong, `refused` why the scheme does
# not take it (one of REFUSALS), `report` the runtime's. Two of them are None.
Outcome = collections.namedtuple("Outcome", "problem refused report")


def programs():
    """The names of all."""
    return sorted(source.stem for source in ROOT.glob("kernels/*/*.cu"))


class DoesNotCompile(Exception):
    """Its text is what the compiler said."""


def compile_program(build, folder, program, level="-O2"):
    """The executable, in `folder` or where compile_once() keeps it."""
    source = ROOT / "kernels" / program / f"{program}.cu"
    compiler = toolchain.Toolchain(build / "bin").compiler
    try:
        return compile_once(build, folder, source, [*compiler, level])
    except DoesNotCompile as error:
        sys.exit(f"{source} does not compile:\n{error}")


def compile_once(build, folder, source, command):
    """The executable that `command` makes of a program, about which it may not say a
    word. With $SUITE_PROGRAMS that folder keeps it for those who come after, until
    the program or the build tree changes."""
    kept = os.environ.get("SUITE_PROGRAMS")
    if not kept:
        return compile_into(folder / source.stem, source, command)
    digest = hashlib.sha256(shlex.join(command).encode()).hexdigest()[:12]
    executable = pathlib.Path(kept) / digest / source.stem
    executable.parent.mkdir(parents=True, exist_ok=True)
    with locked(executable.with_suffix(".lock")):
        changed = max(path.stat().st_mtime_ns for path in inputs(build, source))
        if not executable.exists() or executable.stat().st_mtime_ns < changed:
            compile_into(executable.with_suffix(".new"), source, command)
            executable.with_suffix(".new").rename(executable)
    return executable


def compile_into(executable, source, command):
    line = [*command, str(source), "-o", str(executable)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise DoesNotCompile(done.stderr)
    return executable


def inputs(build, source):
    """The files that an executable depends on."""
    yield from source.parent.iterdir()
    yield from (ROOT / "kernels" / "common").iterdir()
    yield build / "bin" / "regshare-clang++"
    yield from (path for path in (build / "lib").rglob("*") if path.is_file())


@contextlib.contextmanager
def locked(path):
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(executable, arguments="", timeout=None, **settings):
    """Runs a program, which has to print PASSED. `settings` are REGSHARE_
    variables without that prefix."""
    prefix = toolchain.run_prefix()
    runner = runs.Runner(executable, shlex.split(arguments), prefix, timeout)
    given = {f"REGSHARE_{name}": str(value) for name, value in settings.items()}
    ended = runner.run(**given)
    if ended.rc is None:
        return Outcome(f"no end after {timeout:g} s", None, None)
    if ended.rc or ended.stdout.split("\n")[-2:] != ["PASSED", ""]:
        text = ended.stdout + ended.stderr
        refused = REFUSALS.get(runs.judge(ended).kind)
        return Outcome(None if refused else text, refused, None)
    return Outcome(None, None, ended.report)


def launches_of(executable, timeout=None):
    """What a program launches, as its report has it: of a run without timing, which
    those who come after need not repeat if $SUITE_PROGRAMS keeps the program."""
    if not os.environ.get("SUITE_PROGRAMS"):
        return launched_by(executable, timeout)
    kept = executable.with_suffix(".launches")
    with locked(executable.with_suffix(".launches-lock")):
        made = executable.stat().st_mtime_ns
        if not kept.exists() or kept.stat().st_mtime_ns < made:
            text = json.dumps(launched_by(executable, timeout))
            kept.with_suffix(".launches-new").write_text(text, encoding="utf-8")
            kept.with_suffix(".launches-new").rename(kept)
        return json.loads(kept.read_text(encoding="utf-8"))


def launched_by(executable, timeout):
    outcome = run(executable, timeout=timeout, TIMING=0)
    if not outcome.report:
        sys.exit(f"{executable.name} under baseline:\n{outcome.problem}")
    return outcome.report["launches"]


def figure_of(device, key):
    """A whole figure of a device, by its last key: `registers`."""
    name, *changes = device.split(",")
    for change in reversed(changes):
        path, value = change.split("=")
        if path.split(".")[-1] == key:
            return int(value)
    text = (ROOT / "configs" / f"{name}.yaml").read_text()
    found = re.search(rf"^ *{key}: {{value: (\d+)", text, re.M)
    if not found:
        sys.exit(f"device '{name}' has no figure '{key}'")
    return int(found.group(1))


def is_timed(device):
    """Whether the device has figures for the timing model."""
    text = (ROOT / "configs" / f"{device.split(',')[0]}.yaml").read_text()
    return re.search(r"^timing:", text, re.M) is not None
