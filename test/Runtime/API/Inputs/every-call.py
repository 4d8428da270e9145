"""Compares the calls that a CUDA header declares, and optionally the symbols of
CUDA's own library, with the symbols of ours.

usage: every-call.py OUR-LIBRARY HEADER [THEIR-LIBRARY]
"""

import re
import subprocess
import sys


def exported(library):
    nm = subprocess.run(
        ["llvm-nm", "-D", "--defined-only", "--format=just-symbols", library],
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.split("@")[0] for line in nm.stdout.split()}


def declared(header):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", open(header).read(), flags=re.S)
    text = "\n".join(l for l in text.split("\n") if not l.lstrip().startswith("#"))
    return set(re.findall(r"\b(cuda[A-Z]\w+)\s*\((?![^;{]*\{)", text))


ours = exported(sys.argv[1])
wanted = declared(sys.argv[2])
if len(sys.argv) > 3:
    wanted |= {name for name in exported(sys.argv[3]) if name.lstrip("_").startswith("cuda")}
missing = sorted(wanted - ours)
print(" ".join(missing))
print(f"{len(wanted)} calls, {len(missing)} missing")
