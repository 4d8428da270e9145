import unittest

from regshare import validate_command
from regshare.suite import description
from regshare.validation import gpubenches, gv100, h200_programs, profiled, tu102


def row(hardware, ours, tag="predicted", flag="ok"):
    return validate_command.Row("a.lat", "", hardware, "cycles", flag, tag, ours)


class BenchmarkTest(unittest.TestCase):
    def test_what_cycles_mean(self):
        b = tu102.Benchmark("k", operations=10, warps=4, sizes=(2, 6), bytes=128)
        of = lambda measure: tu102.dataclasses.replace(b, measure=measure).value((100, 300), 2)
        self.assertEqual(of("cycles"), 5)  # 200 cycles more for 40 operations
        self.assertEqual(of("ns"), 2.5)
        self.assertEqual(of("rate"), 0.8)
        self.assertEqual(of("bytes"), 102.4)
        self.assertEqual(of("GB/s"), 51.2)

    def test_each_has_a_row(self):
        rows = validate_command.rows_of(tu102)
        keys = {r.key for r in rows}
        self.assertEqual(len(keys), len(rows))
        for key, b in tu102.benchmarks().items():
            self.assertIn(key, keys)
            if isinstance(b, tu102.Difference):
                self.assertTrue({b.of, b.less} <= tu102.benchmarks().keys())

    def test_rows_are_tagged(self):
        rows = validate_command.rows_of(tu102)
        self.assertEqual({r.tag for r in rows}, {"input", "predicted"})
        self.assertGreaterEqual(
            sum(r.tag == "predicted" and r.key in tu102.benchmarks() for r in rows), 80
        )


class PartsTest(unittest.TestCase):
    def test_each_row_has_a_benchmark(self):
        for name in gpubenches.PARTS:
            part = gpubenches.Part(name)
            keys = [r.key for r in validate_command.rows_of(part)]
            self.assertEqual(len(set(keys)), len(keys))
            self.assertTrue(set(keys) <= part.benchmarks().keys(), name)

    def test_an_a100_has_rows_that_were_predicted(self):
        rows = validate_command.rows_of(gpubenches.Part("a100"))
        self.assertEqual(sum(r.tag == "predicted" for r in rows), 144)

    def test_grids_grow_with_the_size(self):
        stream = gpubenches.streams()["stream.triad", "b64"]
        self.assertEqual(stream.ctas_of(3), 3 * (1 << 20) // 64)
        # 24 bytes for each of a MiB of threads, in as many cycles of 1 ns.
        self.assertEqual(stream.value((0, 1 << 20), 1), 24)
        self.assertEqual(gpubenches.latency(16, (1, 2)).ctas_of(1), 1)


class CountersTest(unittest.TestCase):
    def test_double_precision_counts_as_the_gpus_estimate_has_it(self):
        stats = {
            "cycles": 1,
            "memory": dict.fromkeys(
                ("dram_reads", "dram_writes", "bytes_to_sms", "bytes_to_memory"), 64
            ),
            "load_store": {"shared_passes": 5},
            "pipes": {"main": 10, "integer": 2, "double": 7, "special": 100},
        }
        # bpnn_adjust_weights_cuda: 40 of a warp, by the GPU's duty.
        self.assertEqual(gv100.counters_of(stats)["arithmetic"], 40)


def program(**hardware):
    counters = dict.fromkeys((*h200_programs.COUNTERS, *h200_programs.OTHERS), 2000.0)
    return h200_programs.Kernel("kernels", "srad", "chip", "k", "1-3", counters | hardware)


class ProgramsOfAnH200Test(unittest.TestCase):
    def test_rows_are_of_programs_that_there_are(self):
        rows = h200_programs.read_rows()
        self.assertEqual(len({(row.run, row.name) for row in rows}), len(rows))
        for name in {row.suite for row in rows}:
            suite, _ = description.find(name)
            for row in rows:
                if row.suite == name:
                    self.assertIn(row.input, suite.programs[row.program].inputs, row.label)
                    self.assertFalse(suite.programs[row.program].left_out, row.label)

    def test_columns(self):
        found = {(r.suite, r.program, r.name): r for r in h200_programs.read_rows()}
        row = found["kernels", "sgemm", "sgemmKernel"]
        self.assertEqual(row.wanted, "sgemmKernel:1")
        self.assertEqual(row.hardware["cycles"], 37178)
        self.assertEqual(row.hardware["registers"], 66)
        self.assertTrue(all(r.hardware["active"] < r.hardware["cycles"] for r in found.values()))

    def test_a_burst_is_more_than_a_sector(self):
        memory = dict.fromkeys(
            ("dram_reads", "dram_writes", "bytes_to_sms", "bytes_to_memory"), 64
        )
        stats = {
            "cycles": 1,
            "seconds": 0.5,
            "warp_instructions": 5,
            "issue_slots": {"uses": {"issued": 7, "no-warp": 30}},
            "registers_per_thread": 40,
            "memory": memory,
            "rates": {"dram_bytes_per_s": 2 * 64 * 128},
            "load_store": {"shared_passes": 5},
        }
        counters = h200_programs.counters_of(stats)
        self.assertEqual(counters["dram_reads"], 128)
        self.assertEqual(counters["instructions"], 7)
        self.assertEqual(counters["registers"], 40)
        memory.update(dram_reads=0, dram_writes=0)
        self.assertEqual(h200_programs.counters_of(stats)["dram_reads"], 0)

    def test_names_of_kernels(self):
        of = lambda name: profiled.name_of({"name": name})
        self.assertEqual(of("void a::k<128, 8>(int const*, int)"), "a::k<128, 8>")
        self.assertEqual(of("k(float*)"), "k")

    def test_summary(self):
        short, long = program(), program(cycles=10_000, registers=32, active=9000)
        short.ours = dict.fromkeys(h200_programs.COUNTERS, 1000)
        long.ours = dict.fromkeys(h200_programs.COUNTERS, 1000) | {"cycles": 11_000}
        left_out = program()
        left_out.why = "not built"
        given = program()
        given.suite, given.name = h200_programs.INPUT
        given.ours = dict.fromkeys(h200_programs.COUNTERS, 10)
        self.assertIn("(input)", h200_programs.line_of(given))
        *_, of_long, of_all = h200_programs.summary([short, long, left_out, given])
        self.assertEqual(of_all, "mape 30.0% r 1.000 kernels 2")
        self.assertIn("from 10000 cycles on: cycles 1.100", of_long)
        self.assertIn("not built", h200_programs.line_of(left_out))
        # Few registers say something, few sectors nothing.
        self.assertEqual(long.of("registers"), 1000 / 32)
        self.assertIsNone(profiled.ratio(1, 999))


class SummaryTest(unittest.TestCase):
    def test_counts(self):
        rows = [
            row(100, 104, "input"),
            row(100, 106, "input"),
            row(100, 109),
            row(100, 50),
            row(100, 110),
            row(100, 1, flag="UNVERIFIED"),
            row(100, None),
        ]
        self.assertEqual(
            list(validate_command.summary(rows)),
            [
                "2 input rows: 50.0% within 5%",
                "3 predicted rows; 1 rows have no benchmark yet",
                "within10 66.7% worst 2.00",
            ],
        )

    def test_nothing_is_infinitely_far_away(self):
        self.assertEqual(row(100, 0).factor, float("inf"))

    def test_lines(self):
        self.assertIn("+9.0%", validate_command.line_of(row(100, 109)))
        self.assertIn(" - ", validate_command.line_of(row(100, None)))
        self.assertIn("unverified", validate_command.line_of(row(1, 1, flag="UNVERIFIED")))


if __name__ == "__main__":
    unittest.main()
