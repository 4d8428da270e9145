#!/usr/bin/env python3
"""Which sources can be compiled as one, as if one included the others.

Most of a compiler's time goes into headers. Sources that define the same name for
themselves are kept apart, and so are those that open different namespaces. What is
found in the text is not all that a compiler sees: a group may still not compile.

As a program, reads lines of TARGET;SOURCE and writes CMake's UNITY_GROUP of each
source of a target.
"""

import collections
import pathlib
import re
import sys

GROUP = 12  # sources at most; of larger ones a core waits for the other at the end

# What a source defines for itself: macros, tests, and names at the beginning of a
# line that are static or in an anonymous namespace.
MACRO = re.compile(r"^#define (\w+)", re.MULTILINE)
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),\s*(\w+)\)", re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?) (\w+)", re.MULTILINE)
STATIC = re.compile(
    r"^(?:static|constexpr|const|inline|template)\b[^;={]*?(\w+)\s*(?:\(|\[|=|;|\{)", re.MULTILINE)
PLAIN = re.compile(r"^[A-Za-z_][\w:<>,&* ]*?[ *&](\w+)\(", re.MULTILINE)
ANONYMOUS = re.compile(
    r"^namespace \{$(.*?)^\} // (?:anonymous )?namespace$", re.MULTILINE | re.DOTALL)
OPENED = re.compile(r"^using namespace ([\w:]+);", re.MULTILINE)


def macros_of(text):
    return set(MACRO.findall(text))


def names_of(text):
    anonymous = "".join(ANONYMOUS.findall(text))
    tests = {f"{suite}.{name}" for suite, name in TEST.findall(text)}
    names = set(STATIC.findall(text)) | set(TYPE.findall(text)) | set(PLAIN.findall(anonymous))
    return tests | names


def divide(sources, names, kind, most=GROUP):
    """Groups of `most` sources, of which no two have a name in common; kind(source) is
    equal for all of a group."""
    alike = collections.defaultdict(list)
    for source in sources:
        alike[kind(source)].append(source)
    groups = []
    for same in alike.values():
        open_groups = []
        for source in same:
            own = names(source)
            fitting = next((group for group in open_groups
                if len(group) < most and own.isdisjoint(group.names)), None)
            if fitting is None:
                fitting = Group()
                open_groups.append(fitting)
            fitting.append(source)
            fitting.names |= own
        groups += open_groups
    return sorted(groups, key=len, reverse=True)


class Group(list):
    def __init__(self):
        super().__init__()
        self.names = set()


def write_groups(target, paths, out):
    texts = {path: pathlib.Path(path).read_text(encoding="utf-8") for path in paths}
    # Macros stay defined: nothing ends them between two sources of CMake's groups.
    groups = divide(paths, lambda path: names_of(texts[path]) | macros_of(texts[path]),
        lambda path: tuple(sorted(OPENED.findall(texts[path]))))
    for number, group in enumerate(groups):
        files = " ".join(f'"{path}"' for path in group)
        out.write(f"set_source_files_properties({files} TARGET_DIRECTORY {target}\n"
            f"  PROPERTIES UNITY_GROUP {target}{number})\n")


def main():
    targets = collections.defaultdict(list)
    for line in sys.stdin:
        target, path = line.rstrip("\n").split(";", 1)
        targets[target].append(path)
    for target, paths in targets.items():
        write_groups(target, paths, sys.stdout)


if __name__ == "__main__":
    main()
