"""Compiles CUDA programs under the schemes with a register cache that code knows
of: the verifier has to accept each.

usage: verify-kernels.py [--all] [--every=N] <regshare-opt> <folder of the programs' folders>

With --all every program is compiled at every level, for every scheme and every
N, or number of lines of the operand cache; else each at one, which differ from program to program.
With --every=N only each N-th program is compiled.
"""

import glob
import itertools
import os
import subprocess
import sys


def main(arguments):
    every = "--all" in arguments
    tool, kernels = [a for a in arguments if not a.startswith("--")]
    step = [int(a[len("--every="):]) for a in arguments if a.startswith("--every=")]
    programs = sorted(glob.glob(os.path.join(kernels, "*", "*.cu")))[:: step[0] if step else 1]
    ways = list(
        itertools.product(
            ["-O0", "-O2"],
            ["ltrf", "ltrf-plus", "ltrf-strand", "shrf", "expars"],
            [8, 16, 32],
        )
    )
    failed = runs = 0
    for index, program in enumerate(programs):
        # 7 and 30 have no common factor: consecutive programs differ in all.
        for level, scheme, registers in (
            ways if every else [ways[index * 7 % len(ways)]]
        ):
            command = [tool, program, level, "--scheme=" + scheme]
            if scheme == "expars":
                command.append(f"--regshare-operand-cache={registers * 128}")
            else:
                command.append(f"--regshare-interval-registers={registers}")
            command += ["--emit=mir", "-o", "/dev/null"]
            run = subprocess.run(command, capture_output=True, text=True)
            runs += 1
            if run.returncode:
                failed += 1
                print(" ".join(command) + "\n" + run.stderr)
    print(f"{runs - failed} of {runs} accepted")
    return 1 if failed or not runs else 0


sys.exit(main(sys.argv[1:]))
