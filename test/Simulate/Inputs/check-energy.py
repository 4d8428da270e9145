"""Holds the energy accounts of runs against their other figures, and against the
page that explains them.

check-energy.py PAGE.md RUN.json...
"""

import json
import math
import sys

page = open(sys.argv[1]).read()
# The table of figures: a column for each device.
table = [
    [cell.strip(" `") for cell in line.strip("| ").split("|")]
    for line in page[page.index("| register-file reads |") :].split("\n\n")[0].split("\n")
]
figures = {row[0]: dict(zip(table[0][1:], row[1:])) for row in table[2:]}
for name in sys.argv[2:]:
    for launch in json.load(open(name))["launches"]:
        timing = launch["timing"]
        energy = timing["energy"]
        events, parts = energy["events"], energy["parts"]
        total = energy["total"]
        assert math.isclose(sum(parts.values()), total), name
        assert math.isclose(sum(e["total"] for e in events.values()), total), name
        for key, event in events.items():
            assert math.isclose(event["count"] * event["each"], event["total"]), key
            # Other figures than the device's own are named after it.
            if "," in timing["device"]:
                continue
            figure = float(figures[key][timing["device"]])
            lanes = 32 if key.startswith("lanes.") else 1
            assert math.isclose(event["each"] * lanes, figure), (name, key)
        for part in parts:
            assert part in page, f"{sys.argv[1]} does not mention {part}"
        per_instruction = total / launch["warp_instructions"]
        assert math.isclose(energy["per_warp_instruction"], per_instruction), name

        count = {key: event["count"] for key, event in events.items()}
        rows = timing["register_file"]
        cache = timing["register_cache"]
        if cache is None:
            assert count["register_read"] == rows["bank_reads"] > 0, name
            assert count["register_write"] == rows["bank_writes"] > 0, name
            assert count["cache_read"] == count["cache_write"] == 0, name
        else:
            main = count["register_read"] + count["register_write"]
            assert main == cache["main_accesses"], name
            served = count["cache_read"] - cache["written_back"]
            assert served == cache["cache_reads"] > 0, name
            # Prefetched registers are written into the cache.
            filled = cache["fetched"] if cache["prefetches"] else 0
            assert count["cache_write"] == cache["cache_writes"] + filled, name
            # All operands come from somewhere.
            if not cache["prefetches"]:
                assert served + count["register_read"] == rows["bank_reads"], name
        unit = timing["load_store"]
        assert count["scratchpad_pass"] == unit["shared_passes"], name
        assert count["constant_pass"] == unit["constant_passes"], name
        assert count["l1_access"] >= unit["transactions"] - unit["load_bypasses"]
        memory = timing["memory"]
        flits = memory["flits_to_memory"] + memory["flits_to_sms"]
        assert count["flit"] == flits, name
        assert count["l2_sector"] - count["dram_sector"] == (
            memory["bytes_to_memory"] + memory["bytes_to_sms"]
        ) // 32, name
        assert count["instruction"] == launch["warp_instructions"], name
        assert count["sm_cycle"] == timing["cycles"] * timing["sms"], name
        lanes = sum(n for key, n in count.items() if key.startswith("lanes."))
        assert 0 < lanes < launch["thread_instructions"], name
