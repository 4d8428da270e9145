import json
import re
import unittest

import samples
from regshare import page, records, table

SUMMARIES = {"baseline": "as it is", "expars": "in scratchpad", "rfv": "renamed"}


def runs():
    """Two devices; two kernels; settings; a refusal."""
    small = [samples.launch("_Z1av", 100), samples.launch("_Z1bv", 1000000)]
    fast = [samples.launch("_Z1av", 80, energy=150.0), samples.launch("_Z1bv", 500000)]
    fast[0]["code"] = {"instructions": 33, "statements": 4}
    given = {"REGSHARE_TAU": "0.5", "REGSHARE_OPERAND_CACHE": "4096"}
    why = "kernel '_Z1bv' cannot be launched: " + "many " * 20 + "registers"
    profiles = {"_Z1av": samples.PROFILE}
    made = []
    for device in ("gtx480", "h100,registers=4096"):
        made += [
            samples.record(launches=small, device=device, profiles=profiles),
            samples.record("expars", fast, device=device, given=given, notes=["it is <so>"]),
            samples.record("rfv", outcome="refused", why=why, device=device),
        ]
    return made


class TableTest(unittest.TestCase):
    def test_table(self):
        text = table.render(runs())
        self.assertLessEqual(max(map(len, text.splitlines())), table.WIDTH)
        device, other = text.split("== ")[1:]
        self.assertTrue(other.startswith("h100,registers=4096\n"))
        first, second, total = device.split("\n\n")[1:4]
        self.assertRegex(first, r"^a: 1 launch, CTAs of 64x1x1 threads, 20 registers")
        self.assertRegex(first, r"baseline +2 +16 +12\.5 +100 +1\.00x +1\.00 +0 +0 +gto\n")
        self.assertIn("expars operand-cache=4096 tau=0.5\n", first)
        self.assertRegex(first, r"\n +2 +16 +12\.5 +80 +1\.25x +0\.75 +\+3 +\+4 +gto")
        self.assertNotIn("refused", first + second)
        self.assertTrue(total.startswith("all 2 kernels\n"))
        self.assertRegex(total, r"\n +12\.5 +500,080 +2\.00x")
        self.assertRegex(total, r"rfv +refused: kernel '_Z1bv' cannot be launched:")

    def test_notes(self):
        first = samples.record(notes=["a call is not there"])
        other = samples.record("rfv", notes=["a call is not there", "no set"])
        self.assertEqual(list(table.notes([first, other])), ["rfv: no set"])
        self.assertEqual(list(table.notes([other])), ["rfv: a call is not there", "rfv: no set"])
        self.assertIn("\nexpars operand-cache=4096 tau=0.5: it is <so>\n", table.render(runs()))

    def test_estimates_are_marked(self):
        def run(scheme, cycles, error):
            launches = samples.launch(cycles=cycles), samples.sampled("_Z1kv", cycles, 50, error)
            return samples.record(scheme, launches, given={"REGSHARE_SAMPLE": "3"})

        text = table.render([run("baseline", 100, 0.04), run("rfv", 50, None)])
        self.assertRegex(text, r"\nbaseline sample=3 +2 +16 +12\.5 +~200 +1\.00x ")
        self.assertRegex(text, r"\nrfv sample=3 +2 +16 +12\.5 +~100 +2\.00x ")
        joined = re.sub(r"\s+", " ", text)
        self.assertIn(
            "baseline sample=3: ~ cycles are an estimate: 1 of 2 launches were timed, 0 in part; "
            "error as far as these tell: 2.0%",
            joined,
        )
        self.assertIn("rfv sample=3: ~ cycles are an estimate: 1 of 2 launches", joined)
        self.assertIn("error as far as these tell: unknown", joined)
        self.assertNotIn("~", table.render(runs()))

    def test_one_kernel_needs_no_total(self):
        made = [samples.record(), samples.record("rfv", outcome="failed", why="no")]
        text = table.render(made)
        self.assertNotIn("all 1", text)
        self.assertRegex(text, r"\nrfv +failed: no\n")

    def test_without_baseline(self):
        made = [samples.record(outcome="refused", why="no"), samples.record("rfv")]
        self.assertRegex(table.render(made), r"\nrfv +2 +16 +12\.5 +100 +gto\n")

    def test_nothing_ran(self):
        text = table.render([samples.record(outcome="refused", why="it is so")])
        self.assertRegex(text, r"no kernel ran\n.*\nbaseline +refused: it is so\n")


class PageTest(unittest.TestCase):
    def test_complete(self):
        text = page.render(runs(), SUMMARIES)
        self.assertNotIn("{{", text)
        # What it names of the web is a name space alone.
        addresses = set(re.findall(r"https?://[^\s\"']*", text))
        self.assertEqual(addresses, {"http://www.w3.org/2000/svg"})
        self.assertNotRegex(text, r"(?i)<(link|img|script|iframe)[^>]* (src|href)=\"(?!data:)")
        # A line of the source does not end the data.
        self.assertEqual(text.count("</script>"), 2)

    def test_data(self):
        text = page.render(runs(), SUMMARIES)
        data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
        self.assertEqual([d["name"] for d in data["devices"]], ["gtx480", "h100,registers=4096"])
        first = data["devices"][0]
        self.assertEqual([k["short"] for k in first["kernels"]], ["a", "b"])
        self.assertEqual(first["kernels"][0]["profile"], samples.PROFILE)
        self.assertEqual(first["runs"][1]["total"]["cycles"], 500080)
        self.assertEqual(first["runs"][2]["outcome"], "refused")
        self.assertEqual(first["notes"], ["expars operand-cache=4096 tau=0.5: it is <so>"])
        self.assertEqual(data["configurations"], [r["configuration"] for r in runs()])


class RowTest(unittest.TestCase):
    def test_rows(self):
        made = list(records.rows(runs()))
        self.assertEqual(len(made), 2 * (2 + 2 + 1))
        self.assertEqual(made[0]["kernel"], "a")
        self.assertEqual(made[0]["occupancy.limited_by"], "registers")
        self.assertEqual(made[0]["grid"], "4x1x1")
        self.assertEqual(made[0]["cpi.mem-mshr"], 3 / 50)
        self.assertEqual(made[2]["setting.tau"], "0.5")
        self.assertNotIn("cycles", made[4])
        self.assertEqual(len(list(records.rows(runs(), totals=True))), 6)


if __name__ == "__main__":
    unittest.main()
