# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check of Rodinia's mummergpu."""

import pathlib
import random
import tempfile
import unittest

from regshare.suite import computed, generators, proof


def obvious(query, reference, least):
    """All pairs of equal pieces that neither end could be longer."""
    found = set()
    for n in range(len(query)):
        for at in range(len(reference)):
            for length in range(least, min(len(query) - n, len(reference) - at) + 1):
                before = query[n - 1 : n] if n else "<"
                after = query[n + length : n + length + 1] or "<"
                if query[n : n + length] == reference[at : at + length]:
                    if before != (reference[at - 1 : at] if at else ">"):
                        if after != (reference[at + length : at + length + 1] or ">"):
                            found.add((at + 1, n + 1, length))
    return found


class AlignmentsTest(unittest.TestCase):
    def test_maximal_matches(self):
        source = random.Random(5)
        for least in (1, 2, 4):
            for _ in range(20):
                text = lambda count: "".join(source.choice("ACG") for _ in range(count))
                query, reference = text(source.randint(1, 14)), text(source.randint(1, 22))
                places = computed.starts(reference, least)
                found = computed.maximal(query, reference, least, places)
                self.assertEqual(found, obvious(query, reference, least))

    def check(self, text, message):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "r").write_text(">r\nACGTT\nACGAA\n")
            (folder / "q").write_text(">q0\nTACGA\n>q1\nGGG\n>q2\nCGT\n")
            words = ("-l", "3", "r", "q")
            why = computed.aligned(proof.Result(text, folder, words))
            self.assertRegex(why or "right", message)

    def test_what_it_prints(self):
        right = "Loading\n> q0\n1\t2\t3\n5\t1\t5\n> q2\n2\t1\t3\ndone\n"
        self.check(right, "^right$")
        self.check(right.replace("5\t1\t5", "5\t1\t4"), r"q0 has 2 matches where 2 .*\(5, 1, 4\) is in one only")
        self.check(right.replace("1\t2\t3\n", ""), r"q0 has 1 matches where 2 .*\(1, 2, 3\)")
        self.check(right + "> q1\n1\t1\t3\n", "q1 has 1 matches where 0")
        self.check(right + "> q2\n2\t1\t3\n", "q2 has 2 matches where 1 were expected; some are printed twice")
        self.check("> q9\n1\t1\t3\n", "matches of 'q9', which is no query")
        self.check("1\t1\t3\n", "matches of 'None', which is no query")

    def test_sequences_as_they_are_made(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "s"
            generators.make("bases", path, {"count": 7, "lines": 3, "name": "x"})
            found = computed.sequences(path)
        self.assertEqual(list(found), ["x0", "x1", "x2"])
        self.assertTrue(all(len(text) == 7 and set(text) <= set("ACGT") for text in found.values()))


if __name__ == "__main__":
    unittest.main()
