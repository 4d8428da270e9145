"""The kernel suite, for the scripts in this folder: compiles its programs, runs
them on the reference SM and reads their reports."""

import collections
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Arguments for more than a test: docs/kernels.md tells what for.
ARGUMENTS = json.loads((ROOT / "kernels" / "inputs.json").read_text())
INPUTS = {name: each["chip"] for name, each in ARGUMENTS.items()}
# The same for an eighth of a chip: see eighth_of.
EIGHTH = {name: each["eighth"] for name, each in ARGUMENTS.items()}
# The same, as small as they can be: to see that a comparison works.
SMALL = {name: "" for name in INPUTS}

# What tells that a system cannot run a kernel on a device, and why.
REFUSALS = {
    "less than one for each of": "fewer places in the register cache than schedulers",
    "leaves none for a register cache": "no banks left for a register cache",
    " registers in a CTA, an SM has ": "a CTA that is too large for the SM",
    "leaves none for the operand cache": "no banks left for an operand cache",
    "is not available in this version": "a system that is not there yet",
}

# How a run ended: `problem` is what it did wrong, `refused` why the system does
# not take it (one of REFUSALS), `report` the runtime's. Two of them are None.
Outcome = collections.namedtuple("Outcome", "problem refused report")


def source_of(program):
    return ROOT / "kernels" / program / f"{program}.cu"


def compile_program(build, folder, program, level="-O2"):
    """The executable; REGSHARE_COMPILE_WITH replaces the build's compiler."""
    compiler = shlex.split(os.environ.get("REGSHARE_COMPILE_WITH", ""))
    compiler = compiler or [str(build / "bin" / "regshare-clang++")]
    executable = folder / program
    subprocess.run(
        [*compiler, level, str(source_of(program)), "-o", str(executable)], check=True
    )
    return executable


def refusal_in(text):
    return next((why for sign, why in REFUSALS.items() if sign in text), None)


def clean_environment():
    """The user's, without what steers programs on the reference SM."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("REGSHARE_")
    }


def run(executable, arguments="", environment=None, timeout=None, **settings):
    """Runs a program, which has to print PASSED. `settings` are REGSHARE_
    variables without that prefix; the clean environment is taken if no other is
    given. What programs are to be run with may come in REGSHARE_RUN_WITH."""
    environment = dict(clean_environment() if environment is None else environment)
    environment |= {f"REGSHARE_{name}": str(value) for name, value in settings.items()}
    prefix = shlex.split(os.environ.get("REGSHARE_RUN_WITH", ""))
    with tempfile.NamedTemporaryFile(suffix=".json", dir=executable.parent) as report:
        environment["REGSHARE_REPORT"] = report.name
        try:
            done = subprocess.run(
                [*prefix, str(executable), *shlex.split(arguments)],
                capture_output=True,
                text=True,
                env=environment,
                timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            return Outcome(f"no end after {timeout:g} s", None, None)
        if done.returncode or done.stdout.split("\n")[-2:] != ["PASSED", ""]:
            text = done.stdout + done.stderr
            refused = refusal_in(text)
            return Outcome(None if refused else text, refused, None)
        return Outcome(None, None, json.load(report))


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


def eighth_of(device):
    """An eighth of the device: of its SMs, and of its DRAM channels with their
    slices of the L2. An SM has the bandwidth that it had where 8 divides both."""
    sms = max(1, figure_of(device, "sms") // 8)
    channels = max(1, figure_of(device, "channels") // 8)
    return f"{device},sms={sms},timing.dram.channels={channels}"


def is_timed(device):
    """Whether the device has figures for the timing model."""
    text = (ROOT / "configs" / f"{device.split(',')[0]}.yaml").read_text()
    return re.search(r"^timing:", text, re.M) is not None


def geomean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f}%"
