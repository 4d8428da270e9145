"""The table of regshare-validate gv100, of a report that is written here."""

from regshare.validation import gv100, profiled


def launch(name, cycles, reads, writes, to_sms, to_memory, shared, arithmetic):
    memory = {"dram_reads": reads, "dram_writes": writes, "bytes_to_sms": 32 * to_sms,
        "bytes_to_memory": 32 * to_memory}
    # One of double precision counts as four.
    pipes = {"main": arithmetic - 9, "integer": 1, "double": 2, "special": 50}
    stats = {"cycles": cycles, "memory": memory, "load_store": {"shared_passes": shared},
        "pipes": pipes}
    return {"name": name, "stats": stats}


def kernel(name, *hardware, why=""):
    counters = dict(zip(gv100.COUNTERS, hardware))
    return profiled.Kernel(gv100.SUITE, "p", "published", name, "1", counters, why=why)


REPORT = {
    "launches": [
        launch("void f<1u>(int*)", 2000, 2100, 700, 600, 1000, 7, 2500),
        {"name": "void f<1u>(int*)", "stats": None},
        launch("void f<1u>(int*)", 4000, 2300, 900, 400, 1000, 7, 1500),
        launch("g(void (*)(int))", 900, 3000, 1, 2000, 1000, 5000, 2000),
        launch("h()", 10000, 1, 1, 1, 1, 1, 1),
    ]
}
ROWS = [
    kernel("f<1u>", 2000, 2000, 1000, 1000, 1000, 0, 1000),
    kernel("g", 1000, 3000, 0, 2000, 1000, 5000, 4000),
    kernel("h", 5000, 10, 10, 10, 10, 10, 10, why="wrong: a reason"),
    kernel("i", 500, 10, 10, 10, 10, 10, 10, why="not launched"),
]
for row in ROWS:
    row.ours = profiled.mean_launch(REPORT, row.name, gv100.counters_of)
print(gv100.HEADER)
for row in ROWS:
    print(gv100.line_of(row))
for line in gv100.summary(ROWS):
    print(line)
