# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the report of a sampled run with that of the whole one."""

import json
import pathlib
import sys

whole, sampled = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
sizes = [
    # How often warps look for what they wait for is up to time.
    [
        (x["kernel"], x["ctas"], x["warp_instructions"])
        for x in report["launches"]
        if not x["name"].startswith("wait")
    ]
    for report in (whole, sampled)
]
waits = [x for x in sampled["launches"] if x["name"].startswith("wait")]
others = [x for x in sampled["launches"] if not x["name"].startswith("wait")]
estimates = [x["estimate"]["cycles"] for x in sampled["launches"] if "estimate" in x]
timed = [x["stats"]["cycles"] for x in sampled["launches"] if "stats" in x]
cycles = sum(x["stats"]["cycles"] for x in whole["launches"])
sums = sampled["sampling"]

assert whole["sampling"] is None
if sizes[0] != sizes[1]:
    print("these differ:", *(pair for pair in zip(*sizes) if pair[0] != pair[1]))
else:
    print("the same launches with the same warp instructions:", len(sizes[0]))
print("every launch of wait was timed:", all("stats" in x for x in waits))
few = sum("stats" in x for x in others)
print("timed less than half of the other launches:", few < len(others) / 2)
exactly_one = all(("stats" in x) != ("estimate" in x) for x in sampled["launches"])
print("a launch has stats or an estimate:", exactly_one)
print(
    "the sums are those of the launches:",
    sums["timed_cycles"] == sum(timed)
    and sums["timed"] == len(timed)
    and sums["launches"] == len(timed) + len(estimates)
    and sums["estimate"]["cycles"] == sum(timed) + sum(estimates),
)
error = abs(sums["estimate"]["cycles"] / cycles - 1)
print("cycles within 5% of the whole:", error <= 0.05, f"({100 * error:.2f}%)")
