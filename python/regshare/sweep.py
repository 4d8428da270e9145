# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps: programs x devices x schemes x settings, as a YAML file says them
(docs/evaluation.md), and the folder that their records are in.

    sweep = regshare.sweep.read("sweep.yaml", tools)
    frame = regshare.sweep.load(sweep, "folder")      # pandas, a row a kernel
"""

import collections
import dataclasses
import functools
import hashlib
import itertools
import json
import pathlib
import re
import shlex

from . import records, runs, settings
from .toolchain import ToolError, data_folder, file_hash, scheme_named

# Of the repository or of an installation: the programs that go by their names.
SUITE = data_folder("kernels")
INPUTS = ("own", "chip", "eighth")

KEYS = {
    "load", "programs", "inputs", "part", "compile-options", "devices", "timeout", "runs",
}  # fmt: skip
PROGRAM_KEYS = {"source", "arguments", "name", "inputs", "lenient"}
RUN_KEYS = {"name", "scheme", "settings", "device"}


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    source: pathlib.Path
    arguments: tuple
    given: tuple = ()  # as a point's, of all its runs


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
    tools: object  # toolchain.Toolchain

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


def one_value(path, what, value):
    """A number or a text that can stand in a variable, a name or a command."""
    if not isinstance(value, (str, int, float)):
        fail(path, f"{what} is no number and no text")
    if isinstance(value, str) and not value.isprintable():
        fail(path, f"{what} has a character that cannot be printed")
    return value


def text_of(value):
    """YAML's value as a setting's: true is 1."""
    if isinstance(value, bool):
        return str(int(value))
    return str(value)


def words_of(path, what, value):
    """As a shell would split them."""
    try:
        return shlex.split(text_of(one_value(path, what, value)))
    except ValueError as error:
        fail(path, f"{what}: {str(error).lower()}")


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


def check_inputs(path, inputs):
    if inputs not in INPUTS:
        fail(path, f"unknown inputs '{inputs}'; there are: {', '.join(INPUTS)}")


def suite_program(path, name, inputs):
    check_inputs(path, inputs)
    known = suite_inputs()
    if name not in known:
        fail(path, f"unknown program '{name}'; there are: {', '.join(known)}")
    arguments = "" if inputs == "own" else known[name][inputs]
    return Program(name, SUITE / name / f"{name}.cu", tuple(shlex.split(arguments)))


def own_program(path, entry):
    if "source" not in entry:
        fail(path, "a program needs 'source', the path of its source or executable")
    given = text_of(one_value(path, "'source' of a program", entry["source"]))
    source = folder_of(path) / given
    source = source.parent.resolve() / source.name
    if not source.is_file():
        fail(path, f"cannot read '{source}'")
    name = one_value(path, "'name' of a program", entry.get("name", source.stem))
    arguments = words_of(
        path, f"'arguments' of the program '{name}'", entry.get("arguments", "")
    )
    lenient = entry.get("lenient", False)
    if not isinstance(lenient, bool):
        fail(path, f"'lenient' of the program '{name}': expected true or false")
    given = runs.LENIENT.items() if lenient else ()
    return Program(str(name), source, tuple(arguments), tuple(given))


def folder_of(path):
    """Where paths in a sweep's file begin."""
    return pathlib.Path(path).absolute().parent


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
    check_inputs(path, inputs)
    wanted = sheet.get("programs", "all")
    wanted = list(suite_inputs()) if wanted == "all" else listed(wanted)
    programs = [program_of(path, entry, inputs) for entry in wanted]
    names = collections.Counter(program.name for program in programs)
    for name, count in names.items():
        if not re.fullmatch(r"\w[\w.+-]*", name):
            fail(path, f"'{name}' cannot be a program's name: letters, digits, _ . + -")
        if count > 1:
            fail(path, f"{count} programs are '{name}'; give each a 'name' of its own")
    return programs


# Figures that devices have besides those in their files.
MORE_FIGURES = ("regfile.design", "regfile.latency")


class Devices:
    """Devices of a sweep, and their figures for changes that are relative."""

    def __init__(self, path, tools):
        self.path, self.tools, self.sheets = path, tools, {}
        self.known = tools.devices()

    def checked(self, device):
        """As jobs have it, wherever they run: a file with its whole path."""
        name, *changes = one_value(self.path, "a device", device).split(",")
        if name.endswith(".yaml"):
            name = self.checked_file(name)
        elif name not in self.known:
            there = ", ".join(self.known)
            fail(self.path, f"unknown device '{name}'; there are: {there}")
        elif not self.known[name]:
            fail(self.path, f"device '{name}' has no figures for timing")
        for change in changes:
            key, equals, value = change.partition("=")
            if not key or not equals or not value or "=" in value:
                fail(self.path, f"device '{device}': '{change}' is not 'figure=value'")
            self.whole_key(name, key)
        return ",".join([name, *changes])

    def checked_file(self, name):
        file = str(folder_of(self.path) / name)
        if "," in file:
            fail(self.path, f"the path of a device cannot have commas: '{file}'")
        if not pathlib.Path(file).is_file():
            fail(self.path, f"cannot read the device '{file}'")
        return file

    def sheet(self, name):
        if name not in self.sheets:
            file = self.tools.device_file(name)
            sheet = loaded(file)
            if not isinstance(sheet, dict):
                fail(file, "a device is a mapping of keys to values")
            self.sheets[name] = dict(leaves(sheet))
        return self.sheets[name]

    def whole_key(self, name, key):
        """A figure's path, of which `key` may be the end."""
        known = [*self.sheet(name), *MORE_FIGURES]
        found = [each for each in known if ends_with(each, key)]
        if key in found:
            return key
        if len(found) != 1:
            what = f"several figures '{key}': {', '.join(found)}"
            what = what if found else f"no figure '{key}'"
            fail(self.path, f"device '{name}' has {what}")
        return found[0]

    def figure(self, device, key):
        """A whole number of a device as it is after its changes."""
        name, *changes = device.split(",")
        key = self.whole_key(name, key)
        value = self.sheet(name).get(key)
        for change in changes:
            changed, _, to = change.partition("=")
            if self.whole_key(name, changed) == key:
                value = int(to) if re.fullmatch(r"\d{1,18}", to) else to
        if not isinstance(value, int):
            fail(self.path, f"figure '{key}' of device '{name}' is no whole number")
        return value

    def changed(self, device, key, value):
        """`device` with a figure changed; `x0.5` multiplies it."""
        what = f"'device' of a run, '{key}'"
        if not isinstance(key, str):
            fail(self.path, f"{what}: no name of a figure")
        value = text_of(one_value(self.path, what, value))
        if "," in value or "=" in value or not value:
            fail(self.path, f"{what}: '{value}' cannot be a figure")
        if factor := re.fullmatch(r"x(\d{1,9}(?:\.\d{1,9})?)", value):
            figure = self.figure(device, key) * float(factor.group(1))
            value = str(max(1, int(figure)))
        return f"{device},{self.whole_key(device.split(',')[0], key)}={value}"

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


def setting(path, key, value, tools):
    """A runtime's variable and what it is given."""
    what = f"'settings' of a run, '{key}'"
    if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9-]+", key):
        fail(path, f"{what}: no name of a setting")
    variable, text = records.setting_variable(key), text_of(one_value(path, what, value))
    try:
        return variable, settings.checked(tools, variable, text)
    except ToolError as error:
        fail(path, str(error))


def check_run(path, entry, tools):
    check_keys(path, "a run", entry, RUN_KEYS)
    if "scheme" not in entry:
        fail(path, "a run needs 'scheme'")
    for name in ("settings", "device"):
        if not isinstance(entry.get(name) or {}, dict):
            fail(path, f"'{name}' of a run is no mapping of keys to values")
    for scheme in listed(entry["scheme"]):
        try:
            scheme_named(tools, scheme)
        except ToolError as error:
            fail(path, str(error))
    one_value(path, "'name' of a run", entry.get("name", ""))
    for name in ("scheme", "settings", "device"):
        lists = (entry.get(name) or {}).values() if name != "scheme" else [entry[name]]
        if any(each == [] for each in lists):
            fail(path, f"'{name}' of a run has an empty list: it would run nothing")


def points_of_run(path, entry, program, base, device, devices):
    wanted, changes = entry.get("settings") or {}, entry.get("device") or {}
    for name in listed(entry["scheme"]):
        found, scheme = set(), scheme_named(devices.tools, name)
        for given, figures in itertools.product(choices(wanted), choices(changes)):
            here = device
            for key, value in figures:
                here = devices.changed(here, key, value)
            pairs = [setting(path, key, value, devices.tools) for key, value in given]
            pairs += program.given
            if len(dict(pairs)) < len(pairs):
                fail(path, f"'settings' of a run has a setting twice: {', '.join(wanted)}")
            # However values are written, a run is there once.
            if (run := (*pairs, *figures)) in found:
                continue
            found.add(run)
            at = [*varied(wanted, given), *varied(changes, figures)]
            yield Point(
                program, base, here, scheme, tuple(sorted(pairs)),
                str(entry.get("name", scheme)), tuple(at),
            )  # fmt: skip


def seconds_of(path, value):
    """`timeout`, or None."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if value is not None and not (is_number and 0 < value <= 1e7):
        fail(path, f"'timeout: {value}' is no number of seconds")
    return value


def load_libraries(path, paths, tools):
    """Libraries of schemes, which `runs` may name."""
    for each in listed(paths):
        if not isinstance(each, str) or not each:
            found = json.dumps(each, default=str)
            fail(path, f"'load': {found} is no path of a library of schemes")
    try:
        tools.load([str(folder_of(path) / each) for each in listed(paths)], "load")
    except ToolError as error:
        fail(path, str(error))


def expand(path, sheet, tools):
    """The sweep that a YAML file's content says. `path` is for messages, and
    where the paths of libraries, programs and devices begin."""
    check_keys(path, "a sweep", sheet, KEYS)
    entries = listed(sheet.get("runs") or fail(path, "a sweep needs 'runs'"))
    part = sheet.get("part", 1)
    if not isinstance(part, int) or isinstance(part, bool) or part < 1:
        fail(path, f"'part: {part}' is no whole number above 0")
    options = words_of(path, "'compile-options'", sheet.get("compile-options", "-O2"))
    timeout = seconds_of(path, sheet.get("timeout"))
    load_libraries(path, sheet.get("load", []), tools)
    devices = Devices(path, tools)
    for entry in entries:
        check_run(path, entry, tools)
    # What is no text is no device either.
    bases = map(text_of, listed(sheet.get("devices", "gtx480")))
    bases = {base: devices.checked(base) for base in bases}
    points = []
    for program in programs_of(path, sheet):
        for base, whole in bases.items():
            device = devices.part(whole, part)
            for entry in entries:
                points += points_of_run(path, entry, program, base, device, devices)
    if not points:
        fail(path, "no runs: 'programs' or 'devices' is empty")
    return Sweep(str(path), list(dict.fromkeys(points)), options, timeout, tools)


def read(path, tools):
    """The sweep of a file. Raises ToolError for what is wrong with it."""
    return expand(path, loaded(path), tools)


def decimal(loader, node):
    """A whole number. YAML has more of them than people mean: 010 is 8, 1:30 is 90."""
    import yaml

    value = loader.construct_yaml_int(node)
    if re.fullmatch(r"[-+]?(0[0-9_]+|.*:.*)", node.value):
        problem = f"YAML reads {node.value} as {value}; write {value}, or the text in quotes"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
    return value


def loaded(path):
    """The content of a YAML file. Raises ToolError."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Of a key that is there twice YAML drops the first, unsaid."""

        def construct_mapping(self, node, deep=False):
            found = set()
            for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
                if isinstance(key, yaml.ScalarNode) and key.value in found:
                    problem = f"the key '{key.value}' is there twice"
                    raise yaml.constructor.ConstructorError(
                        None, None, problem, key.start_mark
                    )
                found.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))
            return super().construct_mapping(node, deep)

    Loader.add_constructor("tag:yaml.org,2002:int", decimal)
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        return yaml.load(text, Loader)
    except OSError as error:
        raise ToolError(f"cannot read '{path}': {error.strerror}") from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f":{place.line + 1}" if place else ""
        problem = getattr(error, "problem", None) or "not text of YAML"
        raise ToolError(f"{path}{line}: {problem}") from None
    except UnicodeDecodeError:
        raise ToolError(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        # Of dates that there are not, and of nests without end.
        raise ToolError(f"{path}: {error}") from None


# The folder of a sweep.


def safe(device):
    """A device's name as a part of a file's: it may be a path, and have changes."""
    text = re.sub(r"[^\w.,=+-]", "_", device)
    if text == device and len(text) <= 80:
        return text
    return f"{text[-60:]}-{hashlib.sha256(device.encode()).hexdigest()[:8]}"


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


def what_made(record):
    """What two records of one sweep have in common, by what it is called."""
    configuration = record["configuration"]
    program, device = configuration["program"], configuration["device"]
    made = program["sha256"], tuple(configuration["compiler_options"])
    return {
        "RegShare": configuration["toolchain"],
        f"the program {program['name']}": made,
        f"the device {device['name']}": device["sha256"],
    }


def made_now(sweep, folder):
    """A function that tells of a record whether it is of this build, of the devices'
    files as they are, and of a program as it was compiled last."""
    programs = pathlib.Path(folder, "programs")
    executables = {file_hash(each) for each in programs.glob("[!.]*")}

    @functools.cache
    def device_hash(name):
        try:
            return file_hash(sweep.tools.device_file(name))
        except (ToolError, OSError):
            return None

    def is_so(record):
        configuration = record["configuration"]
        device = configuration["device"]
        return (
            configuration["toolchain"] == sweep.tools.fingerprint()
            and device["sha256"] == device_hash(device["name"])
            and configuration["program"]["sha256"] in executables
        )

    return is_so


def load(sweep, folder, totals=False):
    """The frame of what is in a sweep's folder: of each run the record that the
    sweep would find now, else the latest. Raises ToolError where runs were not made
    by the same, as they are until a sweep with anything changed is over."""
    # What is found last counts.
    lines = sorted(records.read(*files_of(sweep, folder)), key=made_now(sweep, folder))
    known = {}
    for _, record in found_in(sweep, lines):
        for what, made in what_made(record).items():
            if known.setdefault(what, made) != made:
                raise ToolError(
                    f"{folder}/records: {what} has changed, and some runs were made "
                    "before; regshare-sweep makes them again"
                )
    return frame_of(sweep, lines, totals)
