import concurrent.futures
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import samples
from regshare import command, compare, host, runs, toolchain
from regshare.runs import Ended


class JudgeTest(unittest.TestCase):
    def judged(self, rc=0, stderr="", report=None, stdout=""):
        return runs.judge(Ended(rc, stdout, stderr, report, 1.0))

    def test_finished(self):
        report = samples.report(samples.launch())
        self.assertEqual(self.judged(report=report), ("finished", None, None))
        warned = "regshare: warning: REGSHARE_TUA is no variable of RegShare\n"
        self.assertEqual(
            self.judged(stderr=warned, report=report), ("finished", None, None)
        )
        # What a program may live with.
        errors = [("unsupported", "cudaGraphCreate is not implemented")]
        report = samples.report(samples.launch(), errors=errors)
        self.assertEqual(self.judged(report=report), ("finished", None, None))

    def test_refused(self):
        for kind in runs.REFUSED:
            errors = [("unsupported", "graphs"), (kind, "too large:\n  at k.cu")]
            for launches, rc in (([], 0), ([], 1), ([samples.launch()], 1)):
                # The first of a program without launches is the reason.
                report = samples.report(*launches, errors=errors[1:])
                self.assertEqual(
                    self.judged(rc, "app: error\n", report), ("refused", "too large:", kind)
                )
        errors = [("other", "does not compile"), ("other", "and more")]
        self.assertEqual(
            self.judged(1, "", samples.report(errors=errors)),
            ("refused", "does not compile", "other"),
        )
        # A launch that the device, with its scheme, cannot run.
        launch = samples.launch(error="cudaErrorLaunchFailure", error_kind="not-for-device")
        report = samples.report(launch, errors=[("not-for-device", "no banks left")])
        self.assertEqual(
            self.judged(1, "", report), ("refused", "no banks left", "not-for-device")
        )

    def test_failed(self):
        errors = [("bad-input", "an empty grid"), ("illegal-address", "out-of-bounds load\n  at")]
        fault = samples.report(
            samples.launch(error="cudaErrorIllegalAddress"), errors=errors
        )
        self.assertEqual(
            self.judged(0, "", fault), ("failed", "out-of-bounds load", "illegal-address")
        )
        good = samples.report(samples.launch())
        for rc, stderr, stdout, why in (
            (3, "a\nb\n\n", "", "exit code 3: b"),
            (1, "", "FAILED\n", "exit code 1: FAILED"),
            (-9, "", "", "signal 9"),
        ):
            self.assertEqual(
                self.judged(rc, stderr, good, stdout), ("failed", why, "other")
            )
        self.assertEqual(self.judged(None), ("failed", "no end after 1 s", "limit"))
        for report in (None, samples.report()):
            self.assertEqual(
                self.judged(0, "", report),
                ("failed", "the program launched no kernel", "other"),
            )
        # Were it refused, it would never be tried again.
        full = "regshare: REGSHARE_REPORT=/tmp/x: cannot write this file"
        for rc in (0, 1):
            why = full.removeprefix("regshare: ")
            said = f"regshare: warning: odd\n{full}\n"
            self.assertEqual(self.judged(rc, said), ("failed", why, "other"))
        self.assertEqual(self.judged(-6, "abort\n"), ("failed", "signal 6: abort", "other"))


class NotesTest(unittest.TestCase):
    def test_each_once(self):
        said = "".join(f"regshare: {word}\n" for word in "a b a why b".split())
        ended = Ended(0, "", said + "of the program\n", None, 1.0)
        self.assertEqual(runs.notes(ended, "why"), ["a", "b"])
        many = "".join(f"regshare: {n}\n" for n in range(100))
        self.assertEqual(len(runs.notes(Ended(0, "", many, None, 1.0), None)), 10)


class RunnerTest(unittest.TestCase):
    def script(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "program"
        path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{text}\n")
        path.chmod(0o755)
        return path

    def test_environment_arguments_and_report(self):
        path = self.script(
            "json.dump([sys.argv[1:], {k: v for k, v in os.environ.items() if "
            "k.startswith('REGSHARE_')}], open(os.environ['REGSHARE_REPORT'], 'w'))"
        )
        os.environ["REGSHARE_TAU"] = "0.1"
        self.addCleanup(os.environ.pop, "REGSHARE_TAU")
        ended = runs.Runner(path, ["a b", "c"]).run(REGSHARE_SCHEME="ltrf")
        arguments, environment = ended.report
        self.assertEqual(ended.rc, 0)
        self.assertEqual(arguments, ["a b", "c"])
        self.assertEqual(environment.pop("REGSHARE_SCHEME"), "ltrf")
        self.assertFalse(os.path.exists(environment.pop("REGSHARE_REPORT")))
        self.assertEqual(environment.keys() - {"REGSHARE_CONFIG_PATH"}, set())

    def test_schemes_from_outside_reach_runs(self):
        path = self.script(
            "json.dump(os.environ['REGSHARE_LOAD'], open(os.environ['REGSHARE_REPORT'], 'w'))"
        )
        folder = path.parent.resolve()
        for name in ("a.so", "a-compiler.so", "b.so"):
            (folder / name).write_text(name)
        self.addCleanup(os.environ.pop, "REGSHARE_LOAD")
        os.environ["REGSHARE_LOAD"] = str(folder / "a.so")
        toolchain.load([folder / "b.so", folder / "a.so"])
        ended = runs.Runner(path, []).run()
        self.assertEqual(ended.report, f"{folder}/a.so:{folder}/b.so")
        self.assertEqual(
            [each.name for each in toolchain.loaded_halves()],
            ["a.so", "a-compiler.so", "b.so"],
        )
        with self.assertRaisesRegex(toolchain.ToolError, "cannot read the library 'no.so': there is no such file"):
            toolchain.load(["no.so"])
        # A link is what is loaded; the half that compiles is beside either.
        (folder / "c.so.1").write_text("c")
        (folder / "c-compiler.so").write_text("c")
        (folder / "c.so").symlink_to("c.so.1")
        os.environ["REGSHARE_LOAD"] = ""
        toolchain.load([folder / "c.so"])
        self.assertEqual(
            [each.name for each in toolchain.loaded_halves()], ["c.so", "c-compiler.so"]
        )

    def test_what_is_loaded_later_is_known(self):
        library = self.script("").parent.resolve() / "a.so"
        library.write_text("a")
        self.addCleanup(os.environ.pop, "REGSHARE_LOAD")
        os.environ["REGSHARE_LOAD"] = ""
        tools = object.__new__(toolchain.Toolchain)
        tools.libraries = []
        said = {"schemes": [{"name": "ltrf", "summary": "", "settings": []}], "variables": []}
        own = {"name": "own", "summary": "", "settings": [{"name": "x", "variable": "X"}]}
        tools.ask = lambda *_: json.dumps(said)
        before = tools.fingerprint()
        self.assertEqual((list(tools.schemes()), tools.declared()), (["ltrf"], {}))
        said["schemes"].append(own)
        tools.load([])
        self.assertEqual(list(tools.schemes()), ["ltrf"])
        tools.load([library])
        self.assertEqual((list(tools.schemes()), list(tools.declared())), (["ltrf", "own"], ["X"]))
        self.assertNotEqual(tools.fingerprint(), before)

    def test_what_makes_results(self):
        folder = self.script("").parent
        for name in ("bin/regshare-opt", "lib/libRegShareSim.so", "lib/libRegShareSchemeInterface.so"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(name)
        before = toolchain.Toolchain(folder / "bin").fingerprint()
        # A comment of a header.
        (folder / "lib/libRegShareSchemeInterface.so").write_text("another")
        self.assertEqual(toolchain.Toolchain(folder / "bin").fingerprint(), before)
        (folder / "lib/libRegShareSim.so").write_text("another")
        self.assertNotEqual(toolchain.Toolchain(folder / "bin").fingerprint(), before)

    def test_what_makes_programs(self):
        folder = self.script("").parent
        math = folder / "lib/regshare/cuda/nvvm/libdevice/regshare-native.bc"
        for name in ("bin/regshare-opt", "bin/regshare-clang++", "lib/libRegShareSim.so", math):
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            (folder / name).write_text("first")
        (folder / "bin/regshare-clang++").chmod(0o755)
        before = toolchain.Toolchain(folder / "bin").compiler_hash
        self.assertEqual(toolchain.Toolchain(folder / "bin").compiler_hash, before)
        math.write_text("another")
        self.assertNotEqual(toolchain.Toolchain(folder / "bin").compiler_hash, before)

    def test_what_regshare_opt_says(self):
        tools = object.__new__(toolchain.Toolchain)
        for text, message in (
            ("print('[]', 'more')", "found something else: Extra data"),
            ("sys.exit('regshare-opt: error: it threw: one\\ntwo')", "opt: error: it threw: one two$"),
            ("sys.exit('no such thing\\nlast line')", "^last line$"),
            ("os.kill(os.getpid(), 9)", "--list-schemes=json was ended by SIGKILL"),
        ):
            tools.opt = self.script(text)
            with self.assertRaisesRegex(toolchain.ToolError, message):
                tools.lists  # noqa: B018
        # Of a library it knows the variable alone, and the command who named it.
        refused = "cannot load '/there/a.so': it is none"
        tools.opt = self.script(f"sys.exit({f'regshare-opt: error: REGSHARE_LOAD: {refused}'!r})")
        for named_by in ("REGSHARE_LOAD", "--load", "load"):
            named = {} if named_by == "REGSHARE_LOAD" else {"/there/a.so": named_by}
            with mock.patch.object(toolchain, "_named_by", named):
                with self.assertRaisesRegex(toolchain.ToolError, f"^{named_by}: {refused}$"):
                    tools.lists  # noqa: B018
        tools.opt = self.script("print('gtx480 timed'); print('loaded')")
        message = "expected devices of .*, found 'loaded'; libraries that it loads .* there: none"
        with self.assertRaisesRegex(toolchain.ToolError, message):
            tools.devices()

    def test_no_end(self):
        ended = runs.Runner(self.script("time.sleep(60)"), [], timeout=0.3).run()
        self.assertIsNone(ended.rc)
        self.assertLess(ended.seconds, 30)

    def test_a_child_that_lives_on(self):
        path = self.script("print('said', flush=True)\nif not os.fork(): time.sleep(5)")
        ended = runs.Runner(path, [], timeout=60).run()
        self.assertEqual((ended.rc, ended.stdout), (0, "said\n"))
        self.assertLess(ended.seconds, 4)

    def test_much_is_printed(self):
        path = self.script(
            "for n in range(200000): print('line', n)\nsys.stderr.write('é\\r\\nb')"
        )
        ended = runs.Runner(path, []).run()
        self.assertTrue(ended.stdout.startswith("line 0\nline 1\n"))
        self.assertTrue(ended.stdout.endswith("line 199998\nline 199999\n"))
        self.assertLess(len(ended.stdout), 6 * runs.Output.KEPT)
        self.assertEqual(ended.stderr, "é\nb")
        whole = runs.Runner(path, [], kept=1 << 22).run().stdout
        self.assertEqual(whole, "".join(f"line {n}\n" for n in range(200000)))

    def test_what_cannot_be_started(self):
        path = self.script("")
        path.chmod(0o644)
        with self.assertRaisesRegex(toolchain.ToolError, "^cannot start '.*': Permission"):
            runs.Runner(path, []).run()

    def test_stop(self):
        runner = runs.Runner(self.script("time.sleep(60)"), [])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            future = pool.submit(runner.run)
            while not runner.live:
                time.sleep(0.01)
            threading.Timer(0.05, runner.stop).start()
            with self.assertRaises(concurrent.futures.CancelledError):
                future.result(30)
            with self.assertRaises(concurrent.futures.CancelledError):
                runner.run()

    def test_nothing_is_left_of_runners_of_a_pool(self):
        runners = []

        def start():
            runners.append(runs.Runner(self.script("time.sleep(60)"), []))
            return runners[-1].run()

        def late():
            time.sleep(0.5)
            return start()

        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt), runs.pool_of_runners(2) as pool:
            futures = [pool.submit(each) for each in (start, late, start)]
            while not (runners and runners[0].live):
                time.sleep(0.01)
            raise KeyboardInterrupt
        self.assertLess(time.monotonic() - begin, 20)
        self.assertEqual(len(runners), 2)
        self.assertFalse(any(runner.live for runner in runners))
        self.assertIsInstance(futures[0].exception(), concurrent.futures.CancelledError)
        self.assertIsInstance(futures[1].exception(), concurrent.futures.CancelledError)
        self.assertTrue(futures[2].cancelled())
        self.assertFalse(runs.Runner.none_starts)


class EndTest(unittest.TestCase):
    def code(self, text, *, reads=True):
        """The exit code of a command that does this, and what it said."""
        package = pathlib.Path(command.__file__).parents[1]
        code = f"import sys\nfrom regshare import command\ndef work():\n {text}\n return True\n"
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", code + "sys.exit(command.run('it', work))"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONPATH": str(package)},
        )  # fmt: skip
        with process, process.stderr:
            if not reads:
                process.stdout.close()
            said = process.stderr.read()
        return process.returncode, said

    def test_ends(self):
        self.assertEqual(self.code("pass"), (0, ""))
        self.assertEqual(self.code("raise OSError('why')"), (1, "it: why\n"))
        wanted = "it: interrupted; the same command goes on from here\n"
        self.assertEqual(self.code("raise KeyboardInterrupt"), (130, wanted))

    def test_nobody_reads(self):
        for count in (1, 100000):
            self.assertEqual(self.code(f"print('a' * {count})", reads=False), (1, ""))


class VersionTest(unittest.TestCase):
    def test_too_old(self):
        host.with_version()
        os.environ["REGSHARE_PYTHON_CHOSEN"] = "1"
        self.addCleanup(os.environ.pop, "REGSHARE_PYTHON_CHOSEN")
        with self.assertRaisesRegex(SystemExit, "3.11 or newer, and python3 is 3.9.18"):
            host.with_version((3, 9, 18))


class Tools:
    """What parsing asks of a toolchain."""

    @staticmethod
    def declared():
        tau = {"name": "tau", "kind": "share", "least": 0, "most": 1000, "expected": "it"}
        return {"REGSHARE_TAU": tau | {"schemes": ["expars"]}}

    @staticmethod
    def program_variables():
        return ["REGSHARE_OPERAND_CACHE"]


class ChoiceTest(unittest.TestCase):
    def test_devices(self):
        self.assertEqual(
            compare.parse_devices("gtx480,registers=1,timing.x=2,h100,gtx480"),
            ["gtx480,registers=1,timing.x=2", "h100", "gtx480"],
        )

    def test_schemes(self):
        self.assertEqual(compare.parse_scheme("ltrf", Tools), ("ltrf", {}))
        self.assertEqual(
            compare.parse_scheme("expars:tau=0.50:operand-cache=1024", Tools),
            ("expars", {"REGSHARE_OPERAND_CACHE": "1024", "REGSHARE_TAU": "0.5"}),
        )
        with self.assertRaisesRegex(toolchain.ToolError, "no setting 'tua' .did you mean 'tau'"):
            compare.parse_scheme("expars:tua=1", Tools)
        for text in ("expars:tau", "expars:tau=", "expars:tau=1:TAU=0", "expars:tau=2"):
            with self.assertRaises(toolchain.ToolError):
                compare.parse_scheme(text, Tools)

    def test_a_composition_has_one_name(self):
        class Pairs(Tools):
            schemes = staticmethod(lambda: {"ltrf": "", "warpman": "", "shrf": ""})
            applicable = staticmethod(lambda: {**Pairs.schemes(), "warpman+ltrf": ""})

            @staticmethod
            def ask(option, _):
                raise toolchain.ToolError(f"{option}: why")

        for name in ("warpman+ltrf", "ltrf+warpman"):
            self.assertEqual(toolchain.scheme_named(Pairs, name), "warpman+ltrf")
        self.assertEqual(toolchain.scheme_named(Pairs, "ltrf"), "ltrf")
        for name, message in (("ltrf+shrf", "=ltrf.shrf: why"), ("ltfr", "did you mean 'ltrf'")):
            with self.assertRaisesRegex(toolchain.ToolError, message):
                toolchain.scheme_named(Pairs, name)

    def test_arguments_of_the_program(self):
        args = compare.parse_arguments(["a.cu", "--jobs=2", "--", "--device=x", "--", "3"])
        self.assertEqual((args.program, args.jobs, args.device), ("a.cu", 2, "gtx480"))
        self.assertEqual(args.after, ["--device=x", "--", "3"])

    def test_options_of_the_compiler(self):
        parsed = compare.parse_arguments(["a.cu", "--compile-options=-O3 -DA='b c'"])
        self.assertEqual(parsed.compile_options, ["-O3", "-DA=b c"])
        self.assertEqual(compare.parse_arguments(["a.cu"]).compile_options, ["-O2"])
        for wrong in ("--compile-options='", "--jobs=0", "--jobs=1.5", "--timeout=x"):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                compare.parse_arguments(["a.cu", wrong])

    def test_files_are_no_options(self):
        self.assertEqual(toolchain.no_option(pathlib.Path("-o k.cu")), "./-o k.cu")
        self.assertEqual(toolchain.no_option(pathlib.Path("a/-k.cu")), "a/-k.cu")

    def test_options_for_regshare_opt(self):
        given = "-O3 -Iinc -I other -DA=1 -D B -arch=sm_90 -lm -Wall -g -std=c++20"
        self.assertEqual(
            toolchain.opt_options(given.split()),
            ["-O3", "-Iinc", "-Iother", "-DA=1", "-DB", "-mcpu=sm_90", "-Xclang-arg=-std=c++20"],
        )
        self.assertEqual(toolchain.opt_options([]), ["-O0"])


if __name__ == "__main__":
    unittest.main()
