# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launch bounds in a source, and the difference to it as `patch` takes it."""

import difflib
import pathlib
import re

BOUNDS = r"__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def definition(name):
    """Matches a kernel's head, in the middle of which launch bounds stand, or may."""
    words = r"(?:(?:static|inline|extern|\"C\")\s+)*"
    return re.compile(
        rf"(?P<head>__global__\s+{words})(?P<before>{BOUNDS}\s*)?"
        rf"(?P<type>void\s+)(?P<after>{BOUNDS}\s*)?(?={re.escape(name)}\s*[(<])"
    )


def without_comments(text):
    """The text with blanks in place of its comments and strings, of the same length."""
    kept = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)

    def blanks(match):
        found = match[0]
        is_word = found.startswith('"') and found == '"C"'
        return found if is_word else re.sub(r"[^\n]", " ", found)

    return kept.sub(blanks, text)


def sources_of(path, limit=100):
    """The file and what it includes by a name in quotes, and so on."""
    found, left = [], [pathlib.Path(path)]
    while left and len(found) < limit:
        file = left.pop(0)
        if file in found or not file.is_file():
            continue
        found.append(file)
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        left += [file.parent / each for each in INCLUDE.findall(text)]
    return found


def place_of(path, name):
    """The file in which a kernel of this name without templates and namespaces is
    defined or declared once; None if there is no such, or several."""
    plain = re.sub(r"<.*", "", name).rsplit("::", 1)[-1]
    found = []
    for file in sources_of(path):
        text = without_comments(file.read_text(encoding="utf-8", errors="surrogateescape"))
        found += [file] * len(definition(plain).findall(text))
    return (found[0], plain) if len(found) == 1 else None


def with_bounds(text, name, bounds):
    """The text of a source in which the kernel has these launch bounds, in the place of
    others if there are any."""
    match = definition(name).search(without_comments(text))
    head = text[match.start("head") : match.end("head")]
    kind = text[match.start("type") : match.end("type")]
    return f"{text[: match.start()]}{head}{kind}{bounds} {text[match.end():]}"


def changed(path, wanted):
    """`wanted`: launch bounds by the kernel's name. The new texts by file, and the names
    whose definition was not found, or not only once."""
    texts, missing = {}, []
    for name, bounds in wanted.items():
        found = place_of(path, name)
        if not found:
            missing.append(name)
            continue
        file, plain = found
        text = texts.get(file) or file.read_text(encoding="utf-8", errors="surrogateescape")
        texts[file] = with_bounds(text, plain, bounds)
    return texts, missing


def difference(texts):
    """For `patch -p0`."""
    parts = []
    for file, text in texts.items():
        old = file.read_text(encoding="utf-8", errors="surrogateescape")
        parts += difflib.unified_diff(
            old.splitlines(True), text.splitlines(True), str(file), str(file)
        )
    return "".join(parts)
