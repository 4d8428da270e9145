"""Runs the commands of a documentation page and compares what they print with
what the page shows.

run-page.py PAGE.md FOLDER [--update]

A block that begins with ```cuda NAME or ```yaml NAME becomes a file of FOLDER,
and the lines of a block that begins with ```console are commands, each after
"$ ", and what they print. A command that ends with a backslash goes on in the
next line. Commands run in FOLDER, in the order of the page; blocks in other
languages are not run.

Shown is what goes to standard output, or if the command fails to standard error
and then to standard output. A line … stands for any lines, … in a line for any
text. A command of which nothing is shown must not fail.

--update writes into the page what changed in lines that differ from what is
printed in nothing but numbers and bars.
"""

import pathlib
import re
import subprocess
import sys

ELLIPSIS = "…"


class Command:
    def __init__(self, line, text):
        self.line = line  # Of the page, from 0, at which its output begins.
        self.text = text
        self.shown = []


def read_page(lines):
    """The page's files, by name, and its commands."""
    files, commands, block = {}, [], None
    for number, line in enumerate(lines):
        if line.startswith("```"):
            kind, _, name = line[3:].partition(" ")
            block = None if block else (kind or "text", name)
            if block and name:
                files[name] = []
        elif block and block[1]:
            files[block[1]].append(line)
        elif block and block[0] == "console":
            if commands and commands[-1].text.endswith("\\"):
                commands[-1].text = commands[-1].text[:-1] + line.strip()
                commands[-1].line = number + 1
            elif line.startswith("$ "):
                commands.append(Command(number + 1, line[2:]))
            else:
                commands[-1].shown.append(line)
    return files, commands


def pattern(line):
    parts = [re.escape(part) for part in line.rstrip().split(ELLIPSIS)]
    return ".*".join(parts)


def is_gap(line):
    return line.strip() == ELLIPSIS


def first_difference(shown, printed):
    """The first line of \\p shown that is not where it should be, or None."""
    at, gap = 0, False
    for number, line in enumerate(shown):
        if is_gap(line):
            gap = True
            continue
        fits = re.compile(pattern(line)).fullmatch
        last = len(printed) if gap else min(at + 1, len(printed))
        found = next((i for i in range(at, last) if fits(printed[i])), None)
        if found is None:
            return number
        at, gap = found + 1, False
    return None if gap or at == len(printed) else len(shown)


def skeleton(line):
    """A line without what a change of the model or of a compiler changes."""
    return re.sub(r"[\d.,#▁-█]+|\s+", "", line)


def updated(shown, printed):
    """\\p shown with the figures of \\p printed, as far as lines correspond."""
    result, at = [], 0
    for line in shown:
        wanted = skeleton(line)
        same = [i for i in range(at, len(printed)) if skeleton(printed[i]) == wanted]
        if is_gap(line) or ELLIPSIS in line or not same:
            result.append(line)
            continue
        at = same[0] + 1
        result.append(printed[at - 1])
    return result


def run(command, folder):
    done = subprocess.run(
        ["bash", "-c", command.text], cwd=folder, capture_output=True, text=True
    )
    failed = done.returncode != 0
    text = (done.stderr if failed else "") + done.stdout
    return failed, [line.rstrip() for line in text.splitlines()]


def main():
    page, folder = map(pathlib.Path, sys.argv[1:3])
    lines = page.read_text(encoding="utf-8").splitlines()
    files, commands = read_page(lines)
    assert commands, f"{page} has no commands"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text("\n".join(content) + "\n", encoding="utf-8")
    findings = 0
    for command in commands:
        failed, printed = run(command, folder)
        if not command.shown and not failed:
            continue
        wrong = first_difference(command.shown, printed)
        if command.shown and wrong is None:
            continue
        findings += 1
        print(f"{page.name}:{command.line}: $ {command.text}")
        if command.shown:
            line = [*command.shown, "(nothing more)"][wrong]
            print(f"  line {wrong + 1} of what is shown does not fit: {line}")
        print("  printed:", *printed, sep="\n    ")
        end = command.line + len(command.shown)
        lines[command.line : end] = updated(command.shown, printed)
    if "--update" in sys.argv[3:]:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
