"""Gives regshare-clang++ every option that `nvcc --help` lists, by both names, with a
value where it has one. What is not known fails with `unknown option`."""

import re
import subprocess
import sys

VALUES = {
    "--gpu-architecture": "sm_75", "--generate-code": "arch=compute_75,code=sm_75",
    "--maxrregcount": "32", "--default-stream": "legacy", "--options-file": "/dev/null",
    "--x": "cu", "--machine": "64", "--Werror": "all-warnings", "--std": "c++17",
    "--optimize": "2", "--dependency-output": "a.d",
}  # fmt: skip

text = open(sys.argv[1]).read()
options = re.findall(r"^(--[\w-]+)(?: ([^(\n]*?))? +(?:\((-[\w-]+)\)|--)", text, re.M)
assert len(options) > 100, len(options)
wrong = []
for long, value, short in options:
    for name in filter(None, (long, short)):
        word = VALUES.get(long)
        if word is None:
            word = "true" if "true" in value else "4"
        given = [name, word] if value or long in VALUES else [name]
        done = subprocess.run(
            [sys.argv[2], "-###", *given, "a.cu"], capture_output=True, text=True, check=False
        )
        said = done.stdout + done.stderr
        if any(sign in said for sign in ("unknown option", "no input", "no value")):
            wrong.append(f"{' '.join(given)}: {said.splitlines()[0]}")
print("\n".join(wrong))
sys.exit(bool(wrong))
