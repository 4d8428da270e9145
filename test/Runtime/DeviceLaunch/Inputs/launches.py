"""A line for each launch in a report: number, kernel, shape, launcher, cycles."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for number, launch in enumerate(report["launches"], 1):
    by = launch["launched_by"]
    print(number, launch["name"], launch["grid"], launch["block"], f"by {by or 'the host'},",
          launch["stats"]["cycles"] if "stats" in launch else 0, "cycles")
