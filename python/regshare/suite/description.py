# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suites as their files say them: where one is public, and how its programs are
built, run and proven right. The files are checked against suite.schema.json, and
what is wrong is told with file, line and key."""

import dataclasses
import json
import pathlib
import re
import shlex

from .. import schema
from ..toolchain import ToolError, data_folder, nearest
from . import computed, generators

KNOWN = data_folder("suites")
SCHEMA = json.loads(
    (pathlib.Path(__file__).parent / "suite.schema.json").read_text(encoding="utf-8")
)
NAME = r"\w[\w.+-]*"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A file that a program writes, against the reference's or the suite's."""

    file: str
    expected: str
    kind: str  # text, or of the numbers that it consists of
    lines: str | None
    relative: float
    absolute: float

    @property
    def needs_reference(self):
        return not self.expected.startswith("@")


@dataclasses.dataclass(frozen=True)
class Check:
    """What proves a program's results."""

    prints: tuple
    never: tuple
    exit: int
    comparisons: tuple
    computed: str | None

    @property
    def proves(self):
        return bool(self.prints or self.comparisons or self.computed)


@dataclasses.dataclass(frozen=True)
class Input:
    name: str
    arguments: tuple
    reference_arguments: tuple | None
    files: dict  # by name: a path in the suite, or a generator and what it is given
    launches: int | None
    constants: dict  # by name: the value that sources are to have
    reference_constants: dict  # the same of the reference's
    check: Check


@dataclasses.dataclass(frozen=True)
class Reference:
    folder: str
    sources: tuple
    options: tuple
    arguments: tuple | None


@dataclasses.dataclass(frozen=True)
class Make:
    arguments: tuple
    program: str
    others: tuple


@dataclasses.dataclass(frozen=True)
class Program:
    suite: str
    name: str
    folder: str
    sources: tuple
    make: Make | None
    options: tuple
    modules: dict  # by the file that the program loads: its source
    waived: int | None
    fault: str | None
    within: str
    lenient: bool
    kernels: tuple
    empty_launches: int
    left_out: str | None
    reference: Reference | None
    inputs: dict

    @property
    def full_name(self):
        return f"{self.suite}/{self.name}"


@dataclasses.dataclass(frozen=True)
class Suite:
    path: pathlib.Path
    name: str
    about: str
    source: dict | None
    programs: dict

    def chosen_source(self, folders):
        """That of several folders which has the suite; else the last, if any."""
        mark = self.source["has"] if self.source else "."
        known = (each for each in folders if pathlib.Path(each, mark).exists())
        return next(known, folders[-1] if folders else None)

    def folder(self, given):
        """Where the suite is. Raises ToolError with where to get it if it is not."""
        if not self.source:
            return pathlib.Path(given).resolve() if given else self.path.parent.resolve()
        if given and pathlib.Path(given, self.source["has"]).exists():
            return pathlib.Path(given).resolve()
        if not given:
            what = f"--source=FOLDER says where {self.name} is"
        elif pathlib.Path(given).is_dir():
            what = f"'{given}' is not {self.name}: it has no '{self.source['has']}'"
        else:
            what = f"{self.name} is not at '{given}'"
        raise ToolError(f"{what}; {self.how_to_get()}")

    def how_to_get(self):
        url, commit = self.source["url"], self.source["commit"]
        folder = url.rsplit("/", 1)[1].removesuffix(".git")
        text = f"to get it: git clone {url} && git -C {folder} checkout {commit}"
        return f"{text} ({self.source['note']})" if "note" in self.source else text


class Sheet:
    """A YAML file as plain values, with the line of each key and value by path, as
    schema.findings() writes paths: `suite.programs.bfs.inputs.small`."""

    def __init__(self, path):
        import yaml

        self.path, self.lines = path, {}
        try:
            text = pathlib.Path(path).read_text(encoding="utf-8")
            loader = yaml.SafeLoader(text)
            node = loader.get_single_node()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8"
            raise ToolError(f"cannot read '{path}': {why}") from None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = f":{mark.line + 1}" if mark else ""
            problem = getattr(error, "problem", None) or str(error)
            raise ToolError(f"{path}{line}: {problem}") from None
        self.root = "suite"
        self.value = self.plain(loader, node, self.root) if node else None

    def plain(self, loader, node, where):
        self.lines.setdefault(where, node.start_mark.line + 1)
        if node.id == "sequence":
            return [
                self.plain(loader, each, f"{where}[{n}]")
                for n, each in enumerate(node.value)
            ]
        if node.id != "mapping":
            try:
                return loader.construct_object(node, deep=True)
            except ValueError as error:
                self.fail(where, str(error))
        found = {}
        for key_node, value_node in node.value:
            key = str(loader.construct_object(key_node, deep=True))
            below = f"{where}.{key}"
            if key in found:
                self.lines[below] = key_node.start_mark.line + 1
                self.fail(below, f"'{key}' is there twice")
            self.lines[below] = key_node.start_mark.line + 1
            found[key] = self.plain(loader, value_node, below)
        return found

    def fail(self, where, text):
        """With the line of the innermost of the path's places that has one."""
        place = where
        while place not in self.lines and place:
            place = re.sub(r"(\.[^.\[]*|\[\d+\])$|^[^.\[]*$", "", place)
        line = self.lines.get(place, 1)
        key = where.removeprefix(self.root).lstrip(".")
        raise ToolError(f"{self.path}:{line}: {key + ': ' if key else ''}{text}")

    def check(self):
        for finding in schema.findings(self.value, SCHEMA, where=self.root):
            where, text = finding.split(": ", 1)
            if unknown := re.fullmatch(r"'(.*)' is not known", text):
                keys = sorted(set(keys_of(SCHEMA)))
                near = nearest(unknown[1], keys)
                self.fail(f"{where}.{unknown[1]}", f"there is no such key{near}")
            self.fail(where, text)


def keys_of(node):
    """All keys that a schema has for mappings."""
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for each in node.values():
            yield from keys_of(each)


def listed(value):
    return value if isinstance(value, list) else [value]


class Reader:
    """Makes a suite of its sheet."""

    def __init__(self, sheet):
        self.sheet = sheet
        self.name = sheet.value["suite"]
        self.common = self.words("suite", sheet.value, "options")

    def words(self, where, entry, key):
        try:
            return tuple(shlex.split(str(entry.get(key, ""))))
        except ValueError as error:
            self.sheet.fail(f"{where}.{key}", str(error).lower())

    def patterns(self, where, entry, key):
        found = tuple(listed(entry.get(key, [])))
        for each in found:
            try:
                re.compile(each)
            except re.error as error:
                self.sheet.fail(f"{where}.{key}", f"'{each}': {error}")
        return found

    def comparison(self, where, entry, has_reference):
        self.patterns(where, entry, "lines")
        found = Comparison(
            entry["file"],
            entry.get("with", entry["file"]),
            entry.get("as", "text"),
            entry.get("lines"),
            entry.get("relative", 0),
            entry.get("absolute", 0),
        )
        if found.needs_reference and not has_reference:
            self.sheet.fail(where, "it has nothing to be compared with: the program has no 'reference'")
        return found

    def check(self, where, entry, has_reference):
        compare = [
            self.comparison(f"{where}.compare", each, has_reference)
            for each in listed(entry.get("compare", []))
        ]
        name = entry.get("computed")
        if name and name not in computed.KNOWN:
            near = nearest(name, computed.KNOWN)
            self.sheet.fail(f"{where}.computed", f"unknown computation '{name}'{near}")
        return Check(
            self.patterns(where, entry, "prints"),
            self.patterns(where, entry, "never"),
            entry.get("exit", 0),
            tuple(compare),
            name,
        )

    def files(self, where, entry):
        for name, file in entry.items():
            if isinstance(file, str):
                continue
            known, given = generators.KNOWN, file.get("with", {})
            if file["make"] not in known:
                near = nearest(file["make"], known)
                self.sheet.fail(
                    f"{where}.{name}.make", f"unknown generator '{file['make']}'{near}"
                )
            if wrong := generators.wrong_words(file["make"], given):
                self.sheet.fail(f"{where}.{name}.with", wrong)
        return entry

    def input(self, where, name, entry, program):
        has_reference = "reference" in program
        at = f"{where}.check" if "check" in entry else f"{where.rsplit('.', 2)[0]}.check"
        check = self.check(
            at, entry.get("check", program.get("check", {})), has_reference
        )
        if not check.proves:
            self.sheet.fail(
                where, "nothing proves its result: 'check' needs prints, compare or computed"
            )
        other = "reference-arguments"
        return Input(
            name,
            self.words(where, entry, "arguments"),
            self.words(where, entry, other) if other in entry else None,
            self.files(f"{where}.files", entry.get("files", {})),
            entry.get("launches"),
            entry.get("constants", {}),
            entry.get("reference-constants", {}),
            check,
        )

    def make(self, where, entry):
        return Make(
            self.words(where, entry, "arguments"),
            entry["program"],
            tuple(listed(entry.get("with", []))),
        )

    def modules(self, where, entry):
        for name in entry:
            if pathlib.PurePath(name).suffix not in (".fatbin", ".ptx"):
                self.sheet.fail(f"{where}.{name}", "a module is a .fatbin or a .ptx")
        return entry

    def reference(self, where, entry):
        return Reference(
            entry["folder"],
            tuple(listed(entry["sources"])),
            self.words(where, entry, "options"),
            self.words(where, entry, "arguments") if "arguments" in entry else None,
        )

    def program(self, name, entry):
        where = f"suite.programs.{name}"
        if not re.fullmatch(NAME, name):
            self.sheet.fail(where, "no name of a program: letters, digits, _ . + -")
        if ("sources" in entry) + ("make" in entry) + ("left-out" in entry) != 1:
            self.sheet.fail(where, "expected one of 'sources', 'make' and 'left-out'")
        inputs = entry.get("inputs", {})
        if not inputs and "left-out" not in entry:
            self.sheet.fail(where, "it has no 'inputs'")
        make, reference = entry.get("make"), entry.get("reference")
        return Program(
            self.name,
            name,
            entry["folder"],
            tuple(listed(entry.get("sources", []))),
            self.make(f"{where}.make", make) if make else None,
            self.common + self.words(where, entry, "options"),
            self.modules(f"{where}.modules", entry.get("modules", {})),
            entry.get("waived"),
            entry.get("fault"),
            entry.get("in", "."),
            entry.get("lenient", False),
            tuple(listed(entry.get("kernels", []))),
            entry.get("empty-launches", 0),
            entry.get("left-out"),
            self.reference(f"{where}.reference", reference) if reference else None,
            {
                each: self.input(f"{where}.inputs.{each}", each, given, entry)
                for each, given in inputs.items()
            },
        )

    def suite(self):
        value = self.sheet.value
        if not re.fullmatch(NAME, self.name):
            self.sheet.fail("suite.suite", f"'{self.name}' is no name: letters, digits, _ . + -")
        programs = {
            name: self.program(name, entry) for name, entry in value["programs"].items()
        }
        return Suite(
            pathlib.Path(self.sheet.path),
            self.name,
            value["about"],
            value.get("source"),
            programs,
        )


def read(path):
    """The suite that a file describes."""
    sheet = Sheet(path)
    sheet.check()
    return Reader(sheet).suite()


def known():
    """The files of the suites that RegShare knows, by name."""
    return {path.stem: path for path in sorted(KNOWN.glob("*.yaml"))}


def find(text):
    """A suite and its programs of a word: `rodinia`, `rodinia/bfs`, `mine.yaml`,
    `mine.yaml/saxpy`."""
    name, _, program = text.partition("/")
    path = known().get(name)
    if not path:
        file, suffix, rest = text.partition(".yaml")
        path, program = pathlib.Path(file + suffix), rest.removeprefix("/")
        if not suffix or not path.is_file():
            what = f"cannot read '{path}'" if suffix else f"unknown suite '{name}'"
            near = "" if suffix else nearest(name, known())
            raise ToolError(f"{what}{near}; there are: {', '.join(known())}")
    suite = read(path)
    if not program:
        return suite, list(suite.programs.values())
    if program not in suite.programs:
        near, there = nearest(program, suite.programs), ", ".join(suite.programs)
        raise ToolError(f"{suite.name} has no program '{program}'{near}; it has: {there}")
    return suite, [suite.programs[program]]
