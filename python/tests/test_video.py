# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Videos for programs that track what moves: read again as a RIFF file."""

import io
import struct
import unittest

from regshare.suite import generators
from regshare.toolchain import ToolError


def made(**given):
    file = io.BytesIO()
    generators.KNOWN["video"](file, **given)
    return file.getvalue()


def chunks(data, at=0):
    """The chunks of a list: name, place and bytes of what they contain."""
    while at < len(data):
        name, size = struct.unpack_from("<4sI", data, at)
        yield name, at, data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def lists(data):
    return {inner[:4]: inner[4:] for name, _, inner in chunks(data) if name == b"LIST"}


class VideoTest(unittest.TestCase):
    GIVEN = {"width": 51, "height": 41, "frames": 3, "discs": 1, "radius": 6}
    GIVEN |= {"box": [20, 20, 20, 20], "step": [4, 3]}

    def parts(self, **changes):
        data = made(**(self.GIVEN | changes))
        ((name, _, body),) = chunks(data)
        self.assertEqual((name, body[:4]), (b"RIFF", b"AVI "))
        return body[4:]

    def frames(self, **changes):
        """Each as lines from the top."""
        given = self.GIVEN | changes
        movie = lists(self.parts(**changes))[b"movi"]
        for name, _, image in chunks(movie):
            self.assertEqual((name, len(image)), (b"00db", given["width"] * given["height"]))
            width = given["width"]
            yield [image[at : at + width] for at in range(0, len(image), width)][::-1]

    def test_headers(self):
        body = self.parts()
        header = {name: inner for name, _, inner in chunks(lists(body)[b"hdrl"])}
        main = struct.unpack("<14I", header[b"avih"])
        self.assertEqual((main[4], main[8], main[9]), (3, 51, 41))
        stream = {name: inner for name, _, inner in chunks(header[b"LIST"][4:])}
        self.assertEqual((stream[b"strh"][:8], len(stream[b"strh"])), (b"vidsDIB ", 56))
        self.assertEqual(struct.unpack_from("<I", stream[b"strh"], 32), (3,))
        self.assertEqual(struct.unpack_from("<IiiHH", stream[b"strf"]), (40, 51, 41, 1, 8))

    def test_the_index_has_the_places_of_frames(self):
        body = self.parts()
        (index,) = (inner for name, _, inner in chunks(body) if name == b"idx1")
        movie = b"movi" + lists(body)[b"movi"]
        entries = list(struct.iter_unpack("<4s3I", index))
        self.assertEqual(len(entries), 3)
        for name, _, at, size in entries:
            self.assertEqual(struct.unpack_from("<4sI", movie, at), (name, size))

    def test_discs_move(self):
        for n, lines in enumerate(self.frames()):
            x, y = 20 + 4 * n, 20 + 3 * n
            for row, line in enumerate(lines):
                for column, value in enumerate(line):
                    far = (column - x) ** 2 + (row - y) ** 2
                    if far <= 4**2:
                        self.assertLess(value, 150)
                    elif far >= 9**2:
                        self.assertGreaterEqual(value, 200)

    def test_discs_are_apart(self):
        given = {"width": 90, "height": 90, "frames": 1, "discs": 9, "radius": 3, "apart": 20}
        (lines,) = self.frames(**given, box=[10, 10, 80, 80])
        dark = {(x, y) for y, line in enumerate(lines) for x, value in enumerate(line) if value < 170}
        count = 0
        while dark:
            count, edge = count + 1, [dark.pop()]
            while edge:
                x, y = edge.pop()
                near = {(x + u, y + v) for u in (-1, 0, 1) for v in (-1, 0, 1)} & dark
                dark -= near
                edge += near
        self.assertEqual(count, 9)
        with self.assertRaisesRegex(ToolError, "9 discs do not fit in the 'box' 50 'apart'"):
            made(**given | {"apart": 50})

    def test_the_same_bytes_each_time(self):
        self.assertEqual(made(**self.GIVEN), made(**self.GIVEN))
        self.assertNotEqual(made(**self.GIVEN), made(**self.GIVEN, seed=2))


if __name__ == "__main__":
    unittest.main()
