"""How sweeps are run: on a cluster, by Snakemake, and what is said at the end."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import samples
from regshare import in_snakemake, slurm, sweep, sweep_command, workflow
from regshare.toolchain import ToolError


class SlurmTest(unittest.TestCase):
    PLAN = {"python": "/a b/python", "package": "/it's/python", "folder": "/x/my sweep",
            "sbatch": ["--partition=long"]}  # fmt: skip

    def submission(self, rule, output, threads=1):
        properties = {
            "rule": rule, "output": [output], "threads": threads,
            "resources": {"mem_mb": 2000, "runtime": 240},
        }  # fmt: skip
        return slurm.submission(self.PLAN, properties)

    def test_submission(self):
        name, words = self.submission("batch", "done/app@dev", threads=3)
        self.assertEqual(name, "app@dev")
        self.assertRegex(words[2], "^--job-name=regshare-my_sweep-[0-9a-f]{6}$")
        for word in ("--cpus-per-task=3", "--mem=2000", "--time=240", "--output=log/app@dev.log"):
            self.assertIn(word, words)
        # What the user gives comes later, and so counts.
        self.assertEqual(words[-2], "--partition=long")
        self.assertEqual(
            words[-1],
            "--wrap=PYTHONPATH='/it'\"'\"'s/python' exec '/a b/python' -B -m "
            "regshare.batch batch --jobs=3 app@dev",
        )
        name, words = self.submission("program", "programs/app-1")
        self.assertTrue(words[-1].endswith("regshare.batch program app-1"), words)

    def test_names_differ_by_the_whole_path(self):
        self.assertNotEqual(slurm.name_of("/a/sweep"), slurm.name_of("/b/sweep"))

    def commands_of_cancel(self, *answers):
        """What it asks while Slurm answers so."""
        asked, answers = [], list(answers)

        def ask(*words):
            asked.append(words[:1] if words[0] == "squeue" else words)
            return answers.pop(0)

        with unittest.mock.patch.multiple(slurm, ask=ask, PAUSE=0):
            slurm.cancel("sweep")
        self.assertEqual(answers, [])
        return asked

    def test_a_queue_that_does_not_answer_is_asked_again(self):
        asked = self.commands_of_cancel(None, None, "7 RUNNING\n8 PENDING\n", "", "")
        self.assertEqual(asked, [("squeue",)] * 3 + [("scancel", "7", "8"), ("squeue",)])

    def test_what_goes_on_is_ended_again(self):
        asked = self.commands_of_cancel(
            "7 RUNNING\n8 RUNNING\n", None,
            "7 COMPLETING\n8 RUNNING\n9 PENDING\n", "",
            "7 COMPLETING\n9 COMPLETING\n",
        )  # fmt: skip
        cancels = [words[1:] for words in asked if words[0] == "scancel"]
        self.assertEqual(cancels, [("7", "8"), ("8", "9")])


class HostTest(unittest.TestCase):
    def test_what_is_missing(self):
        """A Python without any packages, started again in the system's already."""
        package = pathlib.Path(sweep.__file__).parents[1]
        code = "from regshare import host; host.with_modules('json', 'yaml', 'snakemake')"
        ended = subprocess.run(
            [sys.executable, "-S", "-c", code], capture_output=True, text=True,
            env={"PYTHONPATH": str(package), "REGSHARE_PYTHON_CHOSEN": "1"},
        )  # fmt: skip
        self.assertEqual(ended.returncode, 1)
        self.assertIn("this needs python3-yaml and snakemake; utils/setup", ended.stderr)


class StartTest(unittest.TestCase):
    def test_what_snakemake_opens(self):
        """Files as open() has them; of other places, the real module is asked."""
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(sys.modules):
            real = pathlib.Path(folder, "smart_open.py")
            real.write_text(
                "def open(path, mode, encoding=None): return path, mode\n"
                "def parse_uri(path): return 'real ' + path\n"
            )
            in_snakemake.do_without()
            import smart_open

            self.assertIsNone(sys.modules["pandas"])
            with smart_open.open(str(real), "rb", encoding=None) as file:
                self.assertEqual(file.read(4), b"def ")
            self.assertEqual(smart_open.parse_uri(str(real)).scheme, "file")
            with unittest.mock.patch.object(sys, "path", [folder, *sys.path]):
                found = smart_open.open("s3://bucket/Snakefile", "rb", encoding=None)
                self.assertEqual(smart_open.parse_uri("s3://bucket"), "real s3://bucket")
            self.assertEqual(found, ("s3://bucket/Snakefile", "rb"))


class OptionsTest(unittest.TestCase):
    def test_versions(self):
        for version in ("7.21.0", "7.32.4"):
            workflow.check_version(version)
        for version in ("6.15.1", "8.0.1", "70.1"):
            with self.assertRaisesRegex(ToolError, f"Snakemake {version}, .* version 7"):
                workflow.check_version(version)

    def test_counts_of_jobs(self):
        for word in ("--jobs=3", "-j", "-j3", "-c2", "--cores", "--profile=lsf"):
            self.assertTrue(workflow.is_count(word), word)
            self.assertEqual(workflow.where(workflow.Options(more=(word,))), [word])
        for word in ("--cluster=x", "--keep-going", "-k"):
            self.assertFalse(workflow.is_count(word), word)
        self.assertEqual(
            workflow.where(workflow.Options(jobs=3, more=("-k",))), ["--cores=3", "-k"]
        )
        self.assertIn("--jobs=5", workflow.where(workflow.Options(jobs=5, sbatch=[])))


class TableAtTheEnd(unittest.TestCase):
    @staticmethod
    def run_of(scheme, cycles, arguments=("1",), **more):
        return samples.record(scheme, [samples.launch(cycles=cycles)], arguments=arguments, **more)

    def test_speedups(self):
        lines = [
            self.run_of("baseline", 1000),
            self.run_of("baseline", 400, ("2",)),
            self.run_of("ideal", 500),
            self.run_of("ideal", 800, ("2",)),
            self.run_of("expars", 1000, given={"REGSHARE_TAU": "0.5"}),
            self.run_of("ideal", 700, ("3",)),  # without a Baseline
            samples.record("ltrf", outcome="failed", why="something"),
        ]
        ratios = sweep_command.speedups(lines)
        base = self.total(lines[0])
        self.assertEqual(set(ratios), {("gtx480", "ideal"), ("gtx480", "expars tau=0.5")})
        self.assertEqual(ratios["gtx480", "expars tau=0.5"], [1])
        self.assertEqual(ratios["gtx480", "ideal"],
            [base / self.total(lines[2]), self.total(lines[1]) / self.total(lines[3])])
        table = list(sweep_command.speedup_table(lines))
        self.assertEqual([line.split() for line in table], [
            ["cycles", "against", "baseline", "runs", "mean", "worst", "best"],
            ["gtx480,", "expars", "tau=0.5", "1", "1.00x", "1.00x", "1.00x"],
            ["gtx480,", "ideal", "2", "1.00x", "0.50x", "2.00x"],
        ])
        self.assertEqual(list(sweep_command.speedup_table(lines[:2])), [])

    @staticmethod
    def total(record):
        return record["total"]["cycles"]

    def test_long_tables_end(self):
        lines = [self.run_of("baseline", 1000)]
        lines += [self.run_of("expars", 900, given={"REGSHARE_TAU": f"0.{n:02}"}) for n in range(70)]
        table = list(sweep_command.speedup_table(lines))
        self.assertEqual(len(table), 1 + 60 + 1)
        self.assertEqual(table[-1], "and 10 more, which the records have")


if __name__ == "__main__":
    unittest.main()
