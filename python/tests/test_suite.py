# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import dataclasses
import importlib.util
import io
import json
import math
import pathlib
import struct
import tempfile
import unittest

from regshare import schema
from regshare.suite import batch, computed, constants, description, generators
from regshare.suite import limits, page, proof, work
from regshare.toolchain import ToolError

import samples

HAS_YAML = importlib.util.find_spec("yaml")
GOOD = """\
suite: mine
about: for tests
options: -O1
programs:
  one:
    folder: a
    sources: [x.cu, y.cu]
    options: -DN=4 '-DT=a b'
    check: {prints: ok}
    inputs:
      small: {arguments: "3 'x y'", launches: 2}
      large: {arguments: 30, check: {compare: {file: out, with: "@right.txt", absolute: 0.1}}}
  two:
    folder: b
    left-out: why
"""


@unittest.skipUnless(HAS_YAML, "needs yaml")
class DescriptionTest(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.yaml"
            path.write_text(text)
            return description.read(path)

    def fails(self, text, message):
        with self.assertRaises(ToolError) as caught:
            self.read(text)
        self.assertRegex(str(caught.exception), "s.yaml:" + message)

    def test_what_a_file_says(self):
        suite = self.read(GOOD)
        one = suite.programs["one"]
        self.assertEqual(one.full_name, "mine/one")
        self.assertEqual(one.sources, ("x.cu", "y.cu"))
        self.assertEqual(one.options, ("-O1", "-DN=4", "-DT=a b"))
        small, large = one.inputs["small"], one.inputs["large"]
        self.assertEqual(small.arguments, ("3", "x y"))
        self.assertEqual((small.launches, large.launches), (2, None))
        self.assertEqual(small.check.prints, ("ok",))
        self.assertEqual(large.check.prints, ())
        self.assertFalse(large.check.comparisons[0].needs_reference)
        self.assertEqual(suite.programs["two"].left_out, "why")

    def test_what_is_wrong_has_its_line(self):
        change = lambda old, new: GOOD.replace(old, new)
        self.fails(change("launches", "launchs"), "11: programs.one.inputs.small.launchs: .*'launches'")
        self.fails(change("launches: 2", "launches: 0"), "11: .*0 is less than 1")
        self.fails(change("launches: 2", "launches: x"), "11: .*'x' is not of type integer")
        self.fails(change("prints: ok", "prints: 'a('"), r"9: programs.one.check.prints: 'a\('")
        self.fails(change("folder: a", "sources: z.cu"), "7: programs.one.sources: 'sources' is there twice")
        self.fails(change("  two:", "  one:"), "13: programs.one: 'one' is there twice")
        self.fails(change("folder: b", "sources: z.cu"), "13: programs.two: has no 'folder'")
        self.fails(change("left-out: why", "lenient: true"), "13: programs.two: expected one of")
        self.fails(change("'x y'", "'x"), "11: .*arguments: no closing quotation")
        self.fails(change('"@right.txt"', "right"), "12: .*nothing to be compared with")
        self.fails(change("prints: ok", "computed: nothin"), "9: .*unknown computation 'nothin'")
        self.fails(
            change("left-out: why", "modules: {k.bin: k.cu}\n    sources: z\n    check: {prints: x}\n    inputs: {s: {}}"),
            "15: programs.two.modules.k.bin: a module is a .fatbin or a .ptx",
        )
        self.fails(change("suite: mine", "suite: a b"), "1: suite: 'a b' is no name")
        self.fails("[1, 2]", "1: .* is not of type object")
        self.fails("a: [", "1: ")

    def test_known_suites_can_be_read(self):
        for name, path in description.known().items():
            suite = description.read(path)
            self.assertEqual(suite.name, name)
            if name != "kernels":
                self.assertTrue(suite.source["url"].startswith("https://"))
            for program in suite.programs.values():
                if not program.left_out:
                    self.assertIn("small", program.inputs, program.full_name)

    def test_own_programs_are_all_there(self):
        suite = description.read(description.known()["kernels"])
        sizes = json.loads((description.KNOWN.parent / "kernels/inputs.json").read_text())
        self.assertEqual(set(suite.programs), set(sizes))
        for name, program in suite.programs.items():
            self.assertTrue((description.KNOWN / program.folder / program.sources[0]).is_file())
            given = {each: " ".join(x.arguments) for each, x in program.inputs.items()}
            # Studies have one of their own where an eighth is no two waves of CTAs.
            given.pop("sample", None)
            self.assertEqual(given, {"small": ""} | sizes[name])


class ProofTest(unittest.TestCase):
    def difference(self, found, expected, relative=0.0, absolute=0.0):
        near = description.Comparison("f", "f", "text", None, relative, absolute)
        return proof.difference(found, expected, near)

    def test_numbers_within_the_tolerance(self):
        self.assertIsNone(self.difference("a 1.00 b", "a 1.0  b\n"))
        self.assertIsNone(self.difference("x=1.01", "x=1.0", relative=0.02))
        self.assertIsNone(self.difference("1e-9", "0", absolute=1e-8))
        self.assertRegex(self.difference("x=1.03", "x=1.0", relative=0.02), "number 1 of 1")
        self.assertRegex(self.difference("1 2", "1 2 3"), "2 numbers where 3")
        self.assertRegex(self.difference("a 1", "b 1"), "other words")
        self.assertRegex(self.difference("nan", "1"), "number 1 of 1 is nan")
        self.assertIsNone(self.difference("nan", "nan"))
        self.assertRegex(self.difference("a\0b", "a\0c"), "byte 2 of 3")
        self.assertRegex(self.difference("a\0b", "a\0bc"), "byte 3 of 4")

    def test_numbers_in_binary(self):
        near = description.Comparison("f", "f", "f32", None, 0.01, 0)
        text = lambda *numbers: struct.pack(f"<{len(numbers)}f", *numbers).decode("latin-1")
        of = lambda x, y: proof.binary_difference(x, y, near)
        self.assertIsNone(of(text(1, 2), text(1.005, 2)))
        self.assertRegex(of(text(1, 2), text(1, 2.5)), "number 2 of 2 is 2 where 2.5")
        self.assertRegex(of(text(1), text(1, 2)), "4 bytes where 8")
        self.assertRegex(of(text(math.nan), text(1)), "nan")

    def test_what_proves_a_result(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "out").write_text("1\nt: 9\n")
            (folder / "right").write_text("1\nt: 8\n")
            result = proof.Result("all ok\n", folder, ())

            def wrong(prints=(), never=(), compare=(), reference=None):
                check = description.Check(prints, never, 0, compare, None)
                return proof.wrong(check, result, reference, folder)

            of = lambda *words: (description.Comparison(*words[:2], "text", words[2], 0, 0),)
            self.assertIsNone(wrong(("ok$",)))
            self.assertRegex(wrong(("^ok",)), "does not print")
            self.assertRegex(wrong(never=("a.l",)), "it prints: all ok")
            self.assertIsNone(wrong(compare=of("out", "@right", r"^\d")))
            self.assertRegex(wrong(compare=of("out", "@right", None)), "number 2 of 2 is 9")
            self.assertRegex(wrong(compare=of("none", "@right", None)), "has not written 'none'")
            self.assertRegex(wrong(compare=of("out", "@none", None)), "suite has no 'none'")
            self.assertRegex(wrong(compare=of("out", "@right", "z")), "nothing to be compared")
            self.assertRegex(
                wrong(compare=of("out", "no", None), reference=result), "reference has not written"
            )


class ConstantsTest(unittest.TestCase):
    TEXT = """\
#define TILES 256 // of a matrix
  # define   WIDE (1 + 2)
#define TILES_ALL (TILES * 2)
static const unsigned int Count = 4 * 1048576, Rest = 3;
void f(int N) { for (int I = 0; I < N; ++I) g(N == 3); }
int main() { }
  int reps = 10;
"""

    def changed(self, **given):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "inner").mkdir()
            (folder / "inner" / "a.cu").write_text(self.TEXT)
            (folder / "a.txt").write_text("#define TILES 1\n")
            wrong = constants.change(folder, given)
            self.assertEqual((folder / "a.txt").read_text(), "#define TILES 1\n")
            return wrong or (folder / "inner" / "a.cu").read_text()

    def test_constants_of_one_file(self):
        found = self.changed(**{"a.cu:TILES": 8})
        self.assertEqual(found, self.TEXT.replace("TILES 256 //", "TILES 8 //"))
        self.assertRegex(self.changed(**{"b.cu:TILES": 8}), "no source gives the constant 'b.cu:TILES'")

    def test_copies_find_what_lies_beside_the_folder(self):
        with tempfile.TemporaryDirectory() as top:
            source, copies = pathlib.Path(top) / "suite", pathlib.Path(top) / "copies"
            for name in ("common/c.h", "b/other/o.h", "b/x/src/k.cu", "b/x/y.h"):
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).write_text(name)
            copies.mkdir()
            copy = work.shadow(copies, source, "b/x/src")
            for name in ("k.cu", "../y.h", "../../other/o.h", "../../../common/c.h"):
                self.assertTrue((copy / name).read_text().endswith(name.replace("../", "")))
            (copy / "k.cu").write_text("changed")
            self.assertEqual((source / "b/x/src/k.cu").read_text(), "b/x/src/k.cu")

    def test_values_of_macros_and_variables(self):
        expect = lambda old, new, **given: self.assertEqual(
            self.changed(**given), self.TEXT.replace(old, new)
        )
        expect("TILES 256 //", "TILES 8 //", TILES=8)
        expect("(1 + 2)", "7", WIDE=7)
        expect("4 * 1048576", "64", Count=64)
        expect("reps = 10", "reps = 1", reps=1)

    def test_what_has_no_value_or_several(self):
        self.assertRegex(self.changed(N=1), "no source gives the constant 'N'")
        self.assertRegex(self.changed(I=1, TILE=1), "'I'|'TILE'")
        self.TEXT = self.TEXT + "#define TILES 3\n"
        self.assertRegex(self.changed(TILES=1), "2 places give the constant 'TILES'")


class ChangesTest(unittest.TestCase):
    """Programs and references are made again when what they are made of changes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for path in ("suite/a/x.c", "suite/other/o.c", "beside/own.c", "suite/in.txt"):
            (self.top / path).parent.mkdir(parents=True, exist_ok=True)
            (self.top / path).write_text("one")
        tools = type("Tools", (), {"compiler_hash": "c"})
        suite = type("Suite", (), {"path": self.top / "beside/s.yaml"})
        self.place = work.Workplace(tools, suite, self.top / "suite", self.top / "out")
        self.given = type("I", (), {"name": "small", "files": {"in.txt": "in.txt"}})

    def changing(self, hash_of):
        """The files that a hash changes with."""
        for path in sorted(p for p in self.top.rglob("*") if p.is_file()):
            before = hash_of()
            path.write_text("two")
            if hash_of() != before:
                yield str(path.relative_to(self.top))

    def test_references(self):
        reference = description.Reference("a", ("x.c", "@own.c"), (), None)
        program = type("P", (), {"name": "p", "reference": reference})
        found = self.changing(lambda: self.place.reference_hash(program, self.given))
        self.assertEqual(list(found), ["beside/own.c", "suite/a/x.c", "suite/in.txt"])
        program.reference = None
        self.assertEqual(self.place.reference_hash(program, self.given), "")

    def test_programs(self):
        kept = {"folder": "a", "options": (), "make": None, "modules": {}}
        program = type("P", (), kept | {"sources": ("x.c", "@own.c")})
        found = self.changing(lambda: self.place.digest(program, None))
        self.assertEqual(list(found), ["beside/own.c", "suite/a/x.c"])


class GeneratorTest(unittest.TestCase):
    def made(self, name, **given):
        file = io.BytesIO()
        generators.KNOWN[name](file, **given)
        return file.getvalue()

    def test_the_same_bytes_each_time(self):
        self.assertEqual(self.made("numbers", count=2, seed=3), b"0.237965\n0.544229\n")
        self.assertEqual(self.made("numbers", count=3), self.made("numbers", count=3))
        self.assertNotEqual(self.made("numbers", count=3), self.made("numbers", count=3, seed=2))

    def test_what_is_made(self):
        self.assertEqual(self.made("numbers", count=1, columns=2, low=4, high=4, head="h"), b"h\n4 4\n")
        keys = [int(line) for line in self.made("shuffled", count=50).split()]
        self.assertEqual((keys[0], sorted(keys[1:])), (50, list(range(1, 51))))
        data = self.made("raw", count=2, kind="f32", low=1, high=1, head=[7], tail=[8])
        self.assertEqual(struct.unpack("<iffi", data), (7, 1.0, 1.0, 8))
        lines = self.made("hurricanes", count=9).decode().splitlines()
        self.assertEqual({len(line) for line in lines}, {48})
        self.assertTrue(all(7 <= float(x[28:33]) <= 63 for x in lines))
        cells = self.made("mesh", width=3, height=2).decode().split("\n")
        self.assertEqual(cells[1].split()[1::4], ["-2", "2", "-1", "4"])

    def test_graphs_are_connected(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "g"
            generators.make("graph", path, {"nodes": 40})
            source, ends = computed.adjacency(path)
            distance = {n: 0 for n in (source,)}
            for _ in ends:
                distance |= {e: 0 for n in list(distance) for e in ends[n]}
            self.assertEqual(len(distance), 40)
            right = "".join(f"{n}) cost:{c}\n" for n, c in distances(source, ends))
            self.check_bfs(folder, right, None)
            self.check_bfs(folder, right.replace("0) cost:0\n", "0) cost:1\n", 1), "node 0 is 1 away")
            self.check_bfs(folder, right.split("\n", 1)[1], "39 nodes where 40")

    def check_bfs(self, folder, text, message):
        folder = pathlib.Path(folder)
        (folder / "result.txt").write_text(text)
        why = computed.breadth_first(proof.Result("", folder, ("g",)))
        self.assertRegex(why or "", message or "^$")

    def test_wrong_words(self):
        self.assertIsNone(generators.wrong_words("numbers", {"count": 1}))
        self.assertRegex(generators.wrong_words("numbers", {}), "needs 'count'")
        self.assertRegex(generators.wrong_words("numbers", {"cout": 1}), "'count'")


def distances(source, ends):
    """Round by round, in another way than breadth_first()."""
    found = [None] * len(ends)
    found[source] = 0
    for step in range(len(ends)):
        for node, near in enumerate(ends):
            if found[node] == step:
                for end in near:
                    found[end] = step + 1 if found[end] is None else found[end]
    return enumerate(found)


class KernelsTest(unittest.TestCase):
    def test_sampled_launches_have_estimated_cycles(self):
        shape = {"baseline_ctas_per_sm": 2, "register_steps": [64], "local_bytes_per_thread": 0}
        launch = samples.launch(cycles=100) | {"warp_instructions": 50} | shape
        other = samples.sampled("_Z1kv", 80, 40, 0.1) | shape
        part = samples.launch(cycles=5) | samples.sampled("_Z1kv", 20, 10, 0.1) | shape
        found = work.kernels_of(samples.report(launch, other, part))["k"]
        self.assertEqual(found["timed"]["scheduler"], "gto")
        self.assertEqual((found["launches"], found["warp_instructions"]), (3, 100))
        self.assertEqual(found["cycles"], 200)
        self.assertEqual(
            found["estimated"],
            {"timed_launches": 1, "timed_in_part": 1, "timed_cycles": 105, "error": 0.05},
        )
        self.assertNotIn("estimated", work.kernels_of(samples.report(launch))["k"])

    def test_a_table_marks_them(self):
        program = collections.namedtuple("P", "full_name name")("s/p", "p")
        row = page.Row(program, "d", "baseline", "verified", "", 3, 100, 200, True)
        self.assertIn(" ~200", page.table([row]))
        self.assertNotIn("~", page.table([dataclasses.replace(row, is_estimate=False)]))


class PageTest(unittest.TestCase):
    def test_counts_and_sums(self):
        program = type("P", (), {"name": "p", "full_name": "s/p"})()
        row = lambda outcome, why="": page.Row(program, "gtx480", "baseline", outcome, why, 1, 2)
        self.assertEqual(page.counts([row("verified")]), "1 program, 1 run: 1 verified")
        self.assertEqual(page.summed([row("verified"), row("wrong", "a|b")]), ("1 of 2 verified", "a\\|b"))
        self.assertIn("| s/p | verified |  |", page.markdown([row("verified")]))
        self.assertNotIn("cycles", page.table([row("verified")]))


def launch(kernel, ctas, steps, **changes):
    """As the runtime reports one; `steps`: registers with one CTA, with two, …"""
    return samples.launch(f"_Z1{kernel}v") | {
        "baseline_ctas_per_sm": ctas,
        "register_steps": steps,
        "local_bytes_per_thread": 0,
        "warp_instructions": 50,
    } | changes


def record(*launches, outcome="verified"):
    configuration = samples.configuration(device="gv100,sms=2")
    configuration |= {"suite": "s", "input": "small"}
    return {
        "version": work.VERSION,
        "id": "i",
        "configuration": configuration,
        "outcome": outcome,
        "why": None if outcome == "verified" else "why",
        "notes": [],
        "wall_seconds": 1,
        "kernels": work.kernels_of(samples.report(*launches)),
    }


class LimitsTest(unittest.TestCase):
    # On a GV100, CTAs of 256 threads: registers of a thread for 1, 2, … 8 of them.
    STEPS = [255, 128, 85, 64, 51, 42, 36, 32]

    def names(self, *launches, **named):
        return [each.kernel for each in limits.limited([record(*launches, **named)])]

    def test_registers_have_to_be_the_lowest_limit(self):
        few, many = launch("a", 5, self.STEPS), launch("b", 8, self.STEPS)
        none = launch("c", 0, self.STEPS)
        self.assertEqual(self.names(few, many, none), ["a"])
        # Shared memory allows three, as the registers do.
        self.assertEqual(self.names(launch("a", 3, self.STEPS[:3])), [])
        self.assertEqual(self.names(few, outcome="wrong"), [])

    def test_the_launch_that_executes_the_most_counts(self):
        small = launch("a", 8, self.STEPS, warp_instructions=1)
        large = launch("a", 5, self.STEPS, warp_instructions=2, grid=[6, 2, 1])
        (found,) = limits.limited([record(small, large), record(small, large)])
        self.assertEqual((found.grid_ctas, found.threads, found.shared_bytes), (12, 64, 16))
        self.assertEqual(found.key, ("s", "app", "a"))
        self.assertEqual(self.names(large, small | {"warp_instructions": 3}), [])

    def test_files(self):
        kernels = limits.limited([record(launch("a", 5, self.STEPS, name="f<1, 2>(int)"))])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "k.csv"
            limits.write(path, kernels)
            self.assertEqual(limits.read(path), kernels)
            text = path.read_text()
            for wrong, message in (
                (text.replace(",5,8", ",x,8"), "2: ctas: expected a whole number, found 'x'"),
                (text.replace(",5,8", ",5"), "2: expected the columns device, suite"),
                (text.replace("threads", "thread"), "2: expected the columns device, suite"),
            ):
                path.write_text(wrong)
                with self.assertRaisesRegex(ToolError, message):
                    limits.read(path)
        with self.assertRaisesRegex(ToolError, "cannot read"):
            limits.read("/nowhere")

    def test_records_follow_their_schema(self):
        timed = record(launch("a", 5, self.STEPS))
        untimed = launch("a", 5, self.STEPS)
        del untimed["stats"]
        for each in (timed, record(untimed)):
            self.assertEqual(list(schema.findings(each, batch.FORM)), [])
        self.assertEqual(timed["kernels"]["a"]["timed"]["occupancy"]["warps"], 16)
        self.assertIsNone(record(untimed)["kernels"]["a"]["timed"])
