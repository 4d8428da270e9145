import unittest

from regshare import validate_command
from regshare.validation import gpubenches, gv100, tu102


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
