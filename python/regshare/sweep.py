# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps: programs x devices x systems x settings, as a YAML file says them
(docs/evaluation.md), and the folder that their records are in.

    sweep = regshare.sweep.read("sweep.yaml", tools)
    frame = regshare.sweep.load(sweep, "folder")      # pandas, a row a kernel
"""

import collections
import dataclasses
import itertools
import json
import pathlib
import re
import shlex

from . import records
from .toolchain import ToolError

# Of the repository or of an installation: the programs that go by their names.
SUITE = pathlib.Path(__file__).resolve().parents[2] / "kernels"
INPUTS = ("own", "chip", "eighth")

KEYS = {"programs", "inputs", "part", "compile-options", "devices", "timeout", "runs"}
PROGRAM_KEYS = {"source", "arguments", "name", "inputs"}
RUN_KEYS = {"name", "scheme", "settings", "device"}


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    source: pathlib.Path
    arguments: tuple


@dataclasses.dataclass(frozen=True)
class Point:
    """One run. `at` has what its entry in the file varies, by key."""

    program: Program
    base: str  # the device as the file names it
    device: str  # with all that is changed
    scheme: str
    given: tuple  # pairs of a runtime's variable and its value
    run: str  # the entry's name
    at: tuple  # pairs of a key and its value

    def key(self):
        """What a record of this run has as well: records.configuration."""
        arguments = tuple(self.program.arguments)
        return self.program.name, arguments, self.device, self.scheme, self.given


@dataclasses.dataclass
class Sweep:
    path: str
    points: list
    options: list
    timeout: float | None

    def batches(self):
        """Points by program and device: what one job runs."""
        batches = collections.defaultdict(list)
        for point in self.points:
            batches[point.program.name, point.base].append(point)
        return dict(batches)


def fail(path, text):
    raise ToolError(f"{path}: {text}")


def listed(value):
    return value if isinstance(value, list) else [value]


def text_of(value):
    """YAML's value as a setting's: true is 1."""
    if isinstance(value, bool):
        return str(int(value))
    return str(value)


def check_keys(path, what, found, known):
    if not isinstance(found, dict):
        fail(path, f"{what} is no mapping of keys to values")
    for key in found:
        if key not in known:
            fail(path, f"{what} has no key '{key}'; there are: {', '.join(sorted(known))}")


def suite_inputs():
    try:
        return json.loads((SUITE / "inputs.json").read_text(encoding="utf-8"))
    except OSError:
        raise ToolError("the kernel suite is not installed; give 'source:'") from None


def suite_program(path, name, inputs):
    if inputs not in INPUTS:
        fail(path, f"unknown inputs '{inputs}'; there are: {', '.join(INPUTS)}")
    known = suite_inputs()
    if name not in known:
        fail(path, f"unknown program '{name}'; there are: {', '.join(known)}")
    arguments = "" if inputs == "own" else known[name][inputs]
    return Program(name, SUITE / name / f"{name}.cu", tuple(shlex.split(arguments)))


def own_program(path, entry):
    if "source" not in entry:
        fail(path, "a program needs 'source', the path of its source or executable")
    source = pathlib.Path(path).parent / entry["source"]
    if not source.is_file():
        fail(path, f"cannot read '{source}'")
    name = str(entry.get("name", source.stem))
    return Program(name, source, tuple(shlex.split(str(entry.get("arguments", "")))))


def program_of(path, entry, inputs):
    """`inputs`: of the suite's programs, unless an entry has its own."""
    if isinstance(entry, str):
        return suite_program(path, entry, inputs)
    check_keys(path, "a program", entry, PROGRAM_KEYS)
    if "inputs" not in entry:
        return own_program(path, entry)
    if set(entry) != {"name", "inputs"}:
        fail(path, "a program with 'inputs' is one of the suite, by its 'name' alone")
    return suite_program(path, str(entry["name"]), entry["inputs"])


def programs_of(path, sheet):
    inputs = sheet.get("inputs", "own")
    wanted = sheet.get("programs", "all")
    wanted = list(suite_inputs()) if wanted == "all" else listed(wanted)
    programs = [program_of(path, entry, inputs) for entry in wanted]
    names = collections.Counter(program.name for program in programs)
    for name, count in names.items():
        if not re.fullmatch(r"[\w.+-]+", name):
            fail(path, f"'{name}' cannot be a program's name: letters, digits, _ . + -")
        if count > 1:
            fail(path, f"{count} programs are '{name}'; give each a 'name' of its own")
    return programs


class Devices:
    """Figures of devices, for changes that are relative to them."""

    def __init__(self, path, tools):
        self.path, self.tools, self.sheets = path, tools, {}

    def check(self, device):
        name = device.split(",")[0]
        known = self.tools.devices()
        if name.endswith(".yaml"):
            if not pathlib.Path(name).is_file():
                fail(self.path, f"cannot read the device '{name}'")
        elif name not in known:
            there = ", ".join(known)
            fail(self.path, f"unknown device '{name}'; there are: {there}")
        elif not known[name]:
            fail(self.path, f"device '{name}' has no figures for timing")

    def figure(self, device, key):
        """A number of a device as it is after its changes; `key` is a path or
        its end."""
        name, *changes = device.split(",")
        if name not in self.sheets:
            import yaml

            text = self.tools.device_file(name).read_text(encoding="utf-8")
            self.sheets[name] = dict(leaves(yaml.safe_load(text)))
        for change in reversed(changes):
            changed, value = change.split("=")
            if ends_with(changed, key):
                return int(value)
        found = [v for k, v in self.sheets[name].items() if ends_with(k, key)]
        if len(found) != 1 or not isinstance(found[0], int):
            fail(self.path, f"device '{name}' has no single whole figure '{key}'")
        return found[0]

    def changed(self, device, key, value):
        """`device` with a figure changed; `x0.5` multiplies it."""
        value = text_of(value)
        if factor := re.fullmatch(r"x(\d+(?:\.\d+)?)", value):
            figure = self.figure(device, key) * float(factor.group(1))
            value = str(max(1, int(figure)))
        return f"{device},{key}={value}"

    def part(self, device, part):
        """The part-th part of a device: of its SMs, and of its DRAM channels
        with their slices of the L2. An SM has the bandwidth that it had where
        `part` divides both."""
        if part == 1:
            return device
        for key in ("sms", "timing.dram.channels"):
            device = f"{device},{key}={max(1, self.figure(device, key) // part)}"
        return device


def ends_with(path, key):
    return path == key or path.endswith(f".{key}")


def leaves(sheet, above=""):
    """`timing.dram.channels` and its value, of a device's file."""
    for key, each in sheet.items():
        if isinstance(each, dict) and "value" in each:
            yield above + key, each["value"]
        elif isinstance(each, dict):
            yield from leaves(each, f"{above}{key}.")


def choices(mapping):
    """Every way to take one value of each key that has a list."""
    lists = [[(key, value) for value in listed(each)] for key, each in mapping.items()]
    return itertools.product(*lists)


def varied(mapping, chosen):
    return [(k, v) for k, v in chosen if isinstance(mapping[k], list)]


def points_of_run(path, entry, program, base, device, devices, schemes):
    check_keys(path, "a run", entry, RUN_KEYS)
    if "scheme" not in entry:
        fail(path, "a run needs 'scheme'")
    settings, changes = entry.get("settings") or {}, entry.get("device") or {}
    for name in ("settings", "device"):
        if not isinstance(entry.get(name) or {}, dict):
            fail(path, f"'{name}' of a run is no mapping of keys to values")
    for scheme in listed(entry["scheme"]):
        if scheme not in schemes:
            fail(path, f"unknown scheme '{scheme}'; there are: {', '.join(schemes)}")
        for given, figures in itertools.product(choices(settings), choices(changes)):
            here = device
            for key, value in figures:
                here = devices.changed(here, key, value)
            pairs = [(records.setting_variable(k), text_of(v)) for k, v in given]
            at = [*varied(settings, given), *varied(changes, figures)]
            yield Point(
                program, base, here, scheme, tuple(sorted(pairs)),
                str(entry.get("name", scheme)), tuple(at),
            )  # fmt: skip


def expand(path, sheet, tools):
    """The sweep that a YAML file's content says. `path` is for messages, and
    where the paths of programs begin."""
    check_keys(path, "a sweep", sheet, KEYS)
    runs = listed(sheet.get("runs") or fail(path, "a sweep needs 'runs'"))
    part = sheet.get("part", 1)
    if not isinstance(part, int) or part < 1:
        fail(path, f"'part: {part}' is no whole number above 0")
    devices, schemes = Devices(path, tools), tools.schemes()
    points = []
    for program in programs_of(path, sheet):
        for base in listed(sheet.get("devices", "gtx480")):
            devices.check(base)
            device = devices.part(base, part)
            for entry in runs:
                points += points_of_run(
                    path, entry, program, base, device, devices, schemes
                )
    options = shlex.split(sheet.get("compile-options", "-O2"))
    return Sweep(str(path), list(dict.fromkeys(points)), options, sheet.get("timeout"))


def read(path, tools):
    """The sweep of a file. Raises ToolError for what is wrong with it."""
    import yaml

    try:
        sheet = yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ToolError(f"cannot read '{path}': {error.strerror}") from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f":{place.line + 1}" if place else ""
        problem = getattr(error, "problem", None) or "not UTF-8 text"
        raise ToolError(f"{path}{line}: {problem}") from None
    return expand(path, sheet, tools)


# The folder of a sweep.


def safe(device):
    """A device's name as a part of a file's: it may be a path, and have changes."""
    return re.sub(r"[^\w.,=+-]", "_", device)


def program_file(folder, program):
    return pathlib.Path(folder) / "programs" / program


def record_file(folder, program, device):
    return pathlib.Path(folder) / "records" / f"{program}@{safe(device)}.jsonl"


def record_key(record):
    configuration = record["configuration"]
    return (
        configuration["program"]["name"],
        tuple(configuration["arguments"]),
        records.device_name(configuration),
        configuration["scheme"],
        tuple(sorted(configuration["given"].items())),
    )


def found_in(sweep, lines):
    """The points that have a record, each with its latest."""
    by_key = {record_key(record): record for record in lines}
    for point in sweep.points:
        if record := by_key.get(point.key()):
            yield point, record


def files_of(sweep, folder):
    files = (record_file(folder, *batch) for batch in sweep.batches())
    return [file for file in files if file.exists()]


def frame_of(sweep, lines, totals=False):
    """A pandas frame of the sweep's records: columns as records.load() has, with
    `run`, the name of the run's entry in the file, and `at.KEY` for what the entry
    varies."""
    import pandas

    rows = []
    for point, record in found_in(sweep, lines):
        place = {"run": point.run} | {f"at.{key}": value for key, value in point.at}
        rows += [row | place for row in records.rows([record], totals)]
    return pandas.DataFrame(rows)


def load(sweep, folder, totals=False):
    return frame_of(sweep, records.read(*files_of(sweep, folder)), totals)
