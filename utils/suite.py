"""The kernel suite, for the scripts in this folder: compiles its programs, runs
them on the reference SM and reads their reports."""

import collections
import pathlib
import re
import shlex
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


def compile_program(build, folder, program, level="-O2"):
    """The executable."""
    source = ROOT / "kernels" / program / f"{program}.cu"
    executable = folder / program
    try:
        toolchain.Toolchain(build / "bin").compile(source, [level], executable)
    except toolchain.ToolError as error:
        sys.exit(str(error))
    return executable


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
