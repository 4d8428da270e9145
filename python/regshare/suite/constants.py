# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other values for constants of a program's sources, in a copy of them: sizes that
are written there, where the program has no argument for them."""

import re

ENDINGS = {".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".inl"}
TYPE = r"(?:static |const |constexpr |unsigned |\s)*\w+"


def places(text, name):
    """The values that a source gives a name: of a macro, and of a variable where it
    is declared, as (begin, end)."""
    word = re.escape(name)
    forms = (
        rf"^[ \t]*#[ \t]*define[ \t]+{word}[ \t]+((?:(?!//|/\*).)*?)[ \t]*(?://.*|/\*.*)?$",
        rf"^[ \t]*{TYPE}\s+{word}\s*=\s*([^;,=]+?)\s*[;,]",
    )
    return [m.span(1) for form in forms for m in re.finditer(form, text, re.M)]


def change(folder, constants):
    """Writes other values into the sources below a folder. `x.cu:N` is a constant of
    that file alone. Returns what is wrong, in a line, or None."""
    files = sorted(p for p in folder.rglob("*") if p.suffix in ENDINGS and p.is_file())
    texts = {path: path.read_text(encoding="latin-1") for path in files}
    for name, value in constants.items():
        file, _, word = name.rpartition(":")
        looked_at = [path for path in files if file in ("", path.name)]
        found = [(path, *x) for path in looked_at for x in places(texts[path], word)]
        if len(found) != 1:
            there = "no source gives" if not found else f"{len(found)} places give"
            return f"{there} the constant '{name}' a value where one was expected"
        path, begin, end = found[0]
        texts[path] = f"{texts[path][:begin]}{value}{texts[path][end:]}"
    for path, text in texts.items():
        path.write_text(text, encoding="latin-1")
    return None


def said(constants):
    """For people: `N=4, M=8`."""
    return ", ".join(f"{name}={value}" for name, value in constants.items())
