#!/usr/bin/env python3
# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports random kernels and runs them with regshare-opt, as another machine would.

Usage: replay-export.py REGSHARE_FUZZ_SIM REGSHARE_OPT FOLDER
"""

import json
import pathlib
import shutil
import subprocess
import sys


def replay(optimizer, folder, stem, launch):
    """What buffers that differ from what the export says there should be."""
    contents = (folder / f"{stem}.bin").read_bytes()
    command = [
        optimizer,
        "--simulate",
        "--functional",
        "--ptxas=none",
        "--device=h100",  # 255 registers
        "--kernel=" + launch["kernel"],
        "--grid=" + ",".join(map(str, launch["grid"])),
        "--block=" + ",".join(map(str, launch["block"])),
        f"--dynamic-shared={launch['shared']}",
    ]
    for number, argument in enumerate(launch["arguments"]):
        if "bytes" in argument:
            command.append("--arg=hex:" + argument["bytes"])
            continue
        size, first = argument["buffer"], argument["before"]
        before = folder / f"before{number}"
        before.write_bytes(contents[first : first + size])
        command.append(f"--arg=buf:b8*{size}=@{before}")
        command.append(f"--write-arg={number}={folder / f'after{number}'}")
    subprocess.run(
        [*command, folder / f"{stem}.ptx"], check=True, stdout=subprocess.DEVNULL
    )
    wrong = []
    for number, argument in enumerate(launch["arguments"]):
        if "bytes" in argument:
            continue
        first = argument["after"]
        expected = contents[first : first + argument["buffer"]]
        if (folder / f"after{number}").read_bytes() != expected:
            wrong.append(number)
    return wrong


def main():
    exporter, optimizer, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [exporter, "--seed=1", "--kernels=4", "--cpu=sm_80", f"--export={folder}"],
        check=True,
    )
    launches, failed = 0, False
    for index in sorted(folder.glob("*.json")):
        for launch in json.loads(index.read_text()):
            launches += 1
            wrong = replay(optimizer, folder, index.stem, launch)
            if wrong:
                print(f"{index.stem}, {launch['kernel']}: arguments {wrong} differ")
                failed = True
    print(f"{launches} launches")
    return 1 if failed or launches < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
