"""How many kernels of each program take as many cycles under a scheme as under
Baseline on the same device.

usage: same-cycles.py RECORDS..."""

import collections
import sys

from regshare import records

for path in sys.argv[1:]:
    runs = collections.defaultdict(dict)
    for record in records.read(path):
        configuration = record["configuration"]
        cycles = [(k["name"], k["cycles"]) for k in record["kernels"]]
        device = records.device_name(configuration)
        runs[configuration["scheme"]][device] = cycles
    base = runs.pop("baseline")
    name = configuration["program"]["name"]
    for scheme, devices in sorted(runs.items()):
        pairs = [pair for device in base for pair in zip(base[device], devices[device])]
        same = sum(ours == theirs for ours, theirs in pairs)
        print(f"{name} {scheme}: {same} of {len(pairs)} as Baseline")
