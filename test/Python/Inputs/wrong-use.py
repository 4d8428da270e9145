"""Compares commands with the first one, which is regshare-opt."""

import pathlib
import subprocess
import sys


def run(command, option):
    done = subprocess.run([command, option], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


opt, *commands = sys.argv[1:]
assert len(commands) == 5, commands
version, wrong = run(opt, "--version"), run(opt, "--no-such-option")
assert version[0] == 0 and version[1].startswith("RegShare "), version
assert wrong[0] == 1, wrong
for command in commands:
    name = pathlib.Path(command).name
    assert run(command, "--version") == version, (name, run(command, "--version"))
    code, out, said = run(command, "--no-such-option")
    assert (code, out) == (1, ""), (name, code, out)
    assert said.startswith(f"{name}: error: ") and said.count("\n") == 1, said
    assert said.endswith(f"; see {name} --help\n"), said
