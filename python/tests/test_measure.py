import json
import unittest

import samples
from regshare import measure


class FiguresTest(unittest.TestCase):
    def test_launches_add_up(self):
        residency = samples.launch()["stats"]["residency"]
        other = residency | {"average_warps_per_sm": 2.5, "warps_per_sm": 8}
        made = measure.figures(
            samples.report(
                samples.launch("_Z1av", 100, 50, 200.0),
                samples.launch("_Z1bv", 10, 5, 8.0),
                samples.launch("_Z1av", 300, 70, 100.0, grid=[9, 9, 9], stats={"residency": other}),
            ),
            {"_Z1bv": samples.PROFILE},
        )
        first, second = made["kernels"]
        self.assertEqual((first["name"], second["name"]), ("_Z1av", "_Z1bv"))
        self.assertEqual(first["launches"], 2)
        self.assertEqual(first["cycles"], 400)
        self.assertEqual(first["warp_instructions"], 120)
        self.assertEqual(first["ipc"], 0.3)
        self.assertEqual(first["grid"], [9, 9, 9])
        self.assertEqual(first["occupancy"]["warps"], 8)
        self.assertEqual(first["occupancy"]["average_warps"], (12.5 * 100 + 2.5 * 300) / 400)
        self.assertEqual(
            first["energy"], {"total": 300.0, "parts": {"registers": 225.0, "L2": 75.0}}
        )
        self.assertEqual(
            first["issue_slots"], {"issued": 120, "mem-mshr": 6, "no-warp": 674}
        )
        self.assertIsNone(first["profile"])
        self.assertEqual(second["profile"], samples.PROFILE)
        total = made["total"]
        self.assertEqual(total["cycles"], 410)
        self.assertEqual(total["launches"], 3)
        self.assertEqual(total["ipc"], 125 / 410)
        self.assertEqual(total["energy"]["total"], 308.0)
        self.assertEqual(total["code"], {"instructions": 60, "statements": 0})
        self.assertEqual(total["schedulers"], ["gto"])

    def test_launches_that_sampling_did_not_time(self):
        made = measure.figures(
            samples.report(
                samples.launch("_Z1av", 100, 50, 200.0),
                samples.sampled("_Z1av", 80, 100, 0.05),
                samples.sampled("_Z1av", 60, 50, 0.05),
                samples.launch("_Z1bv", 10, 5, 8.0),
            ),
            {},
        )
        first, second = made["kernels"]
        self.assertEqual(first["launches"], 3)
        self.assertEqual(first["cycles"], 100 + 80 + 60)
        self.assertAlmostEqual(first["seconds"], 240e-9)
        self.assertEqual(first["warp_instructions"], 200)
        self.assertEqual(first["thread_instructions"], 32 * 200)
        self.assertEqual(first["ipc"], 200 / 240)
        # 50 of 200 warp instructions were timed.
        self.assertEqual(first["issue_slots"], {"issued": 200, "mem-mshr": 12, "no-warp": 588})
        self.assertEqual(first["energy"]["total"], 800.0)
        said = first["estimated"]
        self.assertEqual((said["timed_launches"], said["timed_cycles"]), (1, 100))
        self.assertAlmostEqual(said["error"], 0.05 * 140 / 240)
        self.assertNotIn("estimated", second)
        total = made["total"]
        self.assertEqual(total["cycles"], 250)
        said = total["estimated"]
        self.assertEqual((said["timed_launches"], said["timed_cycles"]), (2, 110))
        self.assertAlmostEqual(said["error"], 0.05 * 140 / 250)

    def test_a_launch_whose_first_ctas_were_timed(self):
        part = samples.launch("_Z1av", 100, 50, 200.0)
        part |= {"warp_instructions": 500, "thread_instructions": 8000}
        part |= {"estimate": {"cycles": 900, "error": 0.01}}
        made = measure.figures(samples.report(samples.launch("_Z1av", 300, 250, 100.0), part), {})
        (kernel,) = made["kernels"]
        self.assertEqual(kernel["cycles"], 1200)
        self.assertEqual(kernel["warp_instructions"], 750)
        self.assertEqual(kernel["thread_instructions"], 32 * 250 + 8000)
        self.assertEqual(kernel["energy"]["total"], 300.0 * 750 / 300)
        self.assertEqual(
            kernel["estimated"],
            {"timed_launches": 1, "timed_in_part": 1, "timed_cycles": 400, "error": 9 / 1200},
        )

    def test_an_unknown_error_stays_unknown(self):
        launches = samples.launch(), samples.sampled("_Z1kv", 80, 100, None)
        made = measure.figures(samples.report(*launches), {})
        self.assertIsNone(made["kernels"][0]["estimated"]["error"])
        self.assertIsNone(made["total"]["estimated"]["error"])

    def test_storage_is_the_most_of_all_kernels(self):
        def stored(*bits):
            return samples.report(
                *(
                    samples.launch(f"_Z1{name}v", stats={"storage_bits_per_sm": each})
                    for name, each in zip("abc", bits)
                )
            )

        cases = (((0,), 0), ((384,), 384), ((24, 384, 0), 384), ((None,), None), ((7, None), None))
        for bits, want in cases:
            made = measure.figures(stored(*bits), {})
            self.assertEqual(made["total"]["storage_bits"], want)
            self.assertEqual([k["storage_bits"] for k in made["kernels"]], list(bits))

    def test_counters_add_up_and_sizes_do_not(self):
        def cache(runs, shortest, longest):
            return {
                "active_warps": 8,
                "storage_bits_per_sm": 10 * runs,
                "prefetches": runs,
                "success_rate": 0.5,
                "intervals": {"runs": runs, "shortest": shortest, "longest": longest},
            }

        launches = [
            samples.launch(stats={"register_cache": cache(3, 4, 9)}),
            samples.launch(stats={"register_cache": cache(5, 2, 7)}),
            samples.launch("_Z1bv", stats={"register_cache": cache(1, 1, 1)}),
        ]
        made = measure.figures(samples.report(*launches), {})
        runs = {"register_cache.prefetches": 8, "register_cache.intervals.runs": 8}
        self.assertEqual(made["kernels"][0]["counters"], runs)
        self.assertEqual(
            made["kernels"][0]["layout"],
            {
                "register_cache.active_warps": 8,
                "register_cache.storage_bits_per_sm": 50,
                "register_cache.intervals.shortest": 2,
                "register_cache.intervals.longest": 9,
            },
        )
        self.assertEqual(made["total"]["counters"], {name: 9 for name in runs})

    def test_a_device_without_energy_figures(self):
        report = samples.report(samples.launch(), samples.launch(stats={"energy": None}))
        made = measure.figures(report, {})
        self.assertIsNone(made["total"]["energy"])
        self.assertIsNone(made["kernels"][0]["energy"])

    def test_profile(self):
        def point(line, live, warp, file="/x/app.cu"):
            return {"file": file, "line": line, "live": live, "warp_live": warp}

        points = [point(3, 5, 5), point(2, 4, 9), {"live": 30, "warp_live": 30}]
        points += [point(3, 2, 6), point(1, 40, 40, "/x/other.h"), point(9, 1, 1)]
        report = {"kernels": [{"name": "k", "points": points}, {"name": "none", "points": []}]}
        made = measure.profiles_of(report, lambda file: [f"{file}:{n}" for n in (1, 2, 3)])
        self.assertEqual(list(made), ["k"])
        self.assertEqual(made["k"]["file"], "app.cu")
        self.assertEqual(
            [tuple(line.values()) for line in made["k"]["lines"]],
            [(2, 4, 9, "/x/app.cu:2"), (3, 5, 6, "/x/app.cu:3"), (9, 1, 1, "")],
        )

    def test_figures_are_json(self):
        made = measure.figures(samples.report(samples.launch(issued=0)), {})
        self.assertEqual(json.loads(json.dumps(made, allow_nan=False)), made)


if __name__ == "__main__":
    unittest.main()
