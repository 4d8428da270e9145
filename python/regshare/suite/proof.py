# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether what a program printed and wrote is right."""

import dataclasses
import math
import pathlib
import re
import struct

from . import computed

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\b(?:nan|inf)\b")


@dataclasses.dataclass(frozen=True)
class Result:
    """Of a run: what it printed, and the folder that has what it wrote."""

    output: str
    folder: pathlib.Path
    arguments: tuple


def text_of(name, result):
    if name == "output":
        return result.output
    try:
        return (result.folder / name).read_bytes().decode("latin-1")
    except OSError:
        return None


def chosen(text, lines):
    if not lines:
        return text
    return "\n".join(each for each in text.splitlines() if re.search(lines, each))


def is_text(text):
    return all(each.isprintable() or each.isspace() for each in text)


def are_near(found, expected, comparison):
    x, y = float(found), float(expected)
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    return math.isclose(x, y, rel_tol=comparison.relative, abs_tol=comparison.absolute)


def binary_difference(found, expected, comparison):
    """The first difference of two files of numbers, in a line, or None."""
    code = {"f32": "f", "f64": "d", "i32": "i"}[comparison.kind]
    size, numbers = struct.calcsize(code), []
    if len(found) != len(expected):
        return f"has {len(found)} bytes where {len(expected)} were expected"
    for text in (found, expected):
        data = text.encode("latin-1")[: len(text) // size * size]
        numbers.append([each for (each,) in struct.iter_unpack(f"<{code}", data)])
    for n, (x, y) in enumerate(zip(*numbers), 1):
        if x != y and not are_near(x, y, comparison):
            return f"number {n} of {len(numbers[1])} is {x:.6g} where {y:.6g} was expected"
    return None


def difference(found, expected, comparison):
    """The first difference of two texts, in a line, or None: their numbers within
    the tolerance, and all else, but for the width of white space, alike."""
    if found == expected:
        return None
    if not is_text(found) or not is_text(expected):
        pairs = zip(found, expected)
        end = min(len(found), len(expected))
        at = next((n for n, (x, y) in enumerate(pairs) if x != y), end)
        return f"differs in byte {at} of {len(expected)}"
    numbers = NUMBER.findall(found), NUMBER.findall(expected)
    if len(numbers[0]) != len(numbers[1]):
        return f"has {len(numbers[0])} numbers where {len(numbers[1])} were expected"
    for n, (x, y) in enumerate(zip(*numbers), 1):
        if not are_near(x, y, comparison):
            return f"number {n} of {len(numbers[1])} is {x} where {y} was expected"
    words = [" ".join(NUMBER.sub("0", text).split()) for text in (found, expected)]
    return None if words[0] == words[1] else "has other words than were expected"


def compare(comparison, result, reference, source):
    """`reference`: the Result of the reference, `source`: the suite's folder."""
    found = text_of(comparison.file, result)
    if found is None:
        return f"it has not written '{comparison.file}'"
    if comparison.needs_reference:
        expected = text_of(comparison.expected, reference)
        what = f"the reference has not written '{comparison.expected}'"
    else:
        path = source / comparison.expected.removeprefix("@")
        expected = path.read_bytes().decode("latin-1") if path.is_file() else None
        what = f"the suite has no '{comparison.expected.removeprefix('@')}'"
    if expected is None:
        return what
    found, expected = (chosen(text, comparison.lines) for text in (found, expected))
    if not found.strip():
        return f"'{comparison.file}' has nothing to be compared"
    compared = difference if comparison.kind == "text" else binary_difference
    why = compared(found, expected, comparison)
    return f"'{comparison.file}' {why}" if why else None


def wrong(check, result, reference, source):
    """Why a result is not right, in a line; None if it is proven to be."""
    for pattern in check.prints:
        if not re.search(pattern, result.output, re.MULTILINE):
            return f"it does not print '{pattern}'"
    for pattern in check.never:
        if found := re.search(f".*(?:{pattern}).*", result.output):
            return f"it prints: {found[0].strip()}"
    for comparison in check.comparisons:
        if why := compare(comparison, result, reference, source):
            return why
    return computed.KNOWN[check.computed](result) if check.computed else None
