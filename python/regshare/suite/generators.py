# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs for programs whose published ones are not at hand: the same bytes
whenever and wherever they are made."""

import array
import inspect
import math
import random
import struct
import sys

from ..toolchain import ToolError, nearest


def rounded(value):
    return f"{value:.6g}"


def numbers(file, count, low=0.0, high=1.0, columns=1, whole=False, head="", seed=1):
    """Lines of random numbers in text, below a line `head` if there is one."""
    source = random.Random(seed)
    lines = [head] if head else []
    for _ in range(count):
        row = [low + (high - low) * source.random() for _ in range(columns)]
        lines.append(" ".join(str(int(x)) if whole else rounded(x) for x in row))
    file.write(("\n".join(lines) + "\n").encode())


def text(file, text):
    file.write(text.encode())


def raw(file, count, kind="u8", low=0, high=256, head=(), tail=(), seed=1):
    """Random numbers in binary (u8, i16, i32, f32, f64), between two lists of i32."""
    source = random.Random(seed)
    codes = {"u8": "B", "i16": "h", "i32": "i", "f32": "f", "f64": "d"}
    if kind not in codes:
        raise ToolError(f"raw: unknown 'kind' '{kind}'; there are: {', '.join(codes)}")
    values = (low + (high - low) * source.random() for _ in range(count))
    if kind[0] != "f":
        values = map(int, values)
    for part in (array.array("i", head), array.array(codes[kind], values), array.array("i", tail)):
        if sys.byteorder == "big":
            part.byteswap()
        file.write(part.tobytes())


def graph(file, nodes, degree=4, costs=10, seed=1):
    """A connected graph as Rodinia and Parboil have it: for each node the first of
    its edges and their number; the source; for each edge its end and cost."""
    source = random.Random(seed)
    ends = [[] for _ in range(nodes)]

    def join(x, y):
        cost = 1 + int(source.random() * costs)
        ends[x].append((y, cost))
        ends[y].append((x, cost))

    for node in range(1, nodes):
        join(node, int(source.random() * node))
    for _ in range(nodes * max(0, degree - 2) // 2):
        join(int(source.random() * nodes), int(source.random() * nodes))
    lines, first = [str(nodes)], 0
    for each in ends:
        lines.append(f"{first} {len(each)}")
        first += len(each)
    lines += ["", "0", "", str(first)]
    lines += [f"{end} {cost}" for each in ends for end, cost in each]
    file.write(("\n".join(lines) + "\n").encode())


def features(file, points, width, seed=1):
    """Points for clustering: a number and `width` features in a line."""
    source = random.Random(seed)
    for point in range(points):
        centre = int(source.random() * 5)
        row = [rounded(20 * centre + 10 * source.random()) for _ in range(width)]
        file.write(f"{point} {' '.join(row)}\n".encode())


def hurricanes(file, count, seed=1):
    """Records of 48 characters, the latitude at the 28th and the longitude at the
    33rd, as Rodinia's nn reads them."""
    source = random.Random(seed)
    for n in range(count):
        lat, lng = 7 + 56 * source.random(), 358 * source.random()
        row = f"1959 {1 + n % 12:2} {1 + n % 28:2} {n % 24:2} {n:10}"
        row = f"{row:28.28}{lat:5.1f}{lng:5.1f} {n % 165:4} {n % 8000:4}"
        file.write(f"{row:48.48}\n".encode())


def shuffled(file, count, seed=1):
    """The whole numbers up to count, once each, below a line with count."""
    source, keys = random.Random(seed), list(range(1, count + 1))
    for n in range(count - 1, 0, -1):
        other = int(source.random() * (n + 1))
        keys[n], keys[other] = keys[other], keys[n]
    file.write(("\n".join(map(str, [count, *keys])) + "\n").encode())


def mesh(file, width, height):
    """Cells in rows, each with its area and four neighbours with the normals of the
    faces between them, as Rodinia's cfd reads them. Two sides are the far field (-2),
    two are walls (-1)."""
    sides = ((-1, 0, -2), (1, 0, -2), (0, -1, -1), (0, 1, -1))
    file.write(f"{width * height}\n".encode())
    for n in range(width * height):
        y, x = divmod(n, width)
        row = [rounded(1 + 0.2 * ((x + y) % 3))]
        for dx, dy, border in sides:
            inside = 0 <= x + dx < width and 0 <= y + dy < height
            # Counted from 1.
            row.append(str((y + dy) * width + x + dx + 1 if inside else border))
            row += map(rounded, (0.5 * dx, 0.5 * dy, 0.0))
        file.write((" ".join(row) + "\n").encode())


def picture(file, width, height, seed=1):
    """A grey picture in text (PGM): a bright square and speckles."""
    source = random.Random(seed)
    file.write(f"P2\n{width} {height}\n255\n".encode())
    for y in range(height):
        is_in = [width // 4 <= x < 3 * width // 4 for x in range(width)]
        if not height // 4 <= y < 3 * height // 4:
            is_in = [False] * width
        row = [str((140 if each else 40) + int(60 * source.random())) for each in is_in]
        file.write((" ".join(row) + "\n").encode())


def bitmap(file, width, height, seed=1):
    """A grey picture of 24 bits a pixel (BMP), as smooth as a photograph: a program that
    rounds to 16 bits is as near to it as its authors found."""
    source, size = random.Random(seed), 3 * width * height
    file.write(b"BM" + struct.pack("<IHHI", 54 + size, 0, 0, 54))
    file.write(struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, size, 0, 0, 0, 0))
    for y in range(height):
        row = ((x + 2 * y) // 4 % 200 + int(8 * source.random()) for x in range(width))
        file.write(bytes(grey for grey in row for _ in range(3)))


def chunk(name, data):
    """Of a RIFF file; it begins at an even place."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def placed(source, count, radius, apart, box):
    """Centres of discs within a box (left, top, right, bottom), if need be `apart`."""
    left, top, right, bottom = box
    found, tries = [], 0
    while len(found) < count:
        x = left + (right - left) * source.random()
        y = top + (bottom - top) * source.random()
        r = radius * (0.8 + 0.4 * source.random())
        if all((x - u) ** 2 + (y - v) ** 2 >= apart * apart for u, v, _, _ in found):
            found.append((x, y, r, 20 + int(120 * source.random())))
        elif (tries := tries + 1) > 1000 * count:
            raise ToolError(f"video: {count} discs do not fit in the 'box' {apart} 'apart'")
    return found


def drawn(width, height, discs, noise):
    """Dark discs with a soft edge of two pixels on a bright ground, in lines from the
    top; `noise` is added."""
    image = [[200.0] * width for _ in range(height)]
    for x, y, radius, grey in discs:
        for v in range(max(0, int(y - radius - 2)), min(height, int(y + radius + 3))):
            row = image[v]
            for u in range(max(0, int(x - radius - 2)), min(width, int(x + radius + 3))):
                inside = (radius + 1 - math.hypot(u - x, v - y)) / 2
                if inside > 0:
                    row[u] += (grey - row[u]) * min(inside, 1.0)
    return [bytes(min(255, int(value + noise())) for value in row) for row in image]


def video(file, width, height, frames, discs, radius=10, apart=0, box=None, step=(2, 1), seed=1):
    """A video without compression, of 8 bits a pixel (AVI): dark discs, each of a grey
    of its own, move by `step` pixels a frame."""
    source = random.Random(seed)
    places = placed(source, discs, radius, apart, box or (0, 0, width, height))
    noise, images = (lambda: 8 * source.random()), []
    for n in range(frames):
        moved = [(x + n * step[0], y + n * step[1], r, grey) for x, y, r, grey in places]
        # The lowest line is the first.
        images.append(b"".join(reversed(drawn(width, height, moved, noise))))
    size = width * height
    main = struct.pack("<14I", 40000, 25 * size, 0, 16, frames, 0, 1, size, width, height, *[0] * 4)
    stream = struct.pack("<4s4s10I4H", b"vids", b"DIB ", 0, 0, 0, 1, 25, 0, frames, size, 0, size,
        0, 0, width, height)
    form = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, size, 0, 0, 256, 0)
    form += b"".join(bytes((grey, grey, grey, 0)) for grey in range(256))
    listed = chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", form))
    pictures = b"".join(chunk(b"00db", image) for image in images)
    places = [4 + n * len(chunk(b"00db", images[0])) for n in range(frames)]
    index = b"".join(struct.pack("<4s3I", b"00db", 16, at, size) for at in places)
    parts = chunk(b"LIST", b"hdrl" + chunk(b"avih", main) + listed)
    parts += chunk(b"LIST", b"movi" + pictures) + chunk(b"idx1", index)
    file.write(chunk(b"RIFF", b"AVI " + parts))


def bases(file, count, name="generated", lines=1, start=0, seed=1):
    """A sequence of nucleotides (FASTA), or `lines` pieces of it, of `count` each."""
    source = random.Random(seed)
    whole = "".join("ACGT"[int(source.random() * 4)] for _ in range(start + 4 * count * lines))
    for n in range(lines):
        at = start + int(source.random() * 3 * count * (lines - 1))
        file.write(f">{name}{n if lines > 1 else ''}\n{whole[at:at + count]}\n".encode())


def sparse(file, rows, row=8, seed=1):
    """A square matrix with a diagonal and `row` elements in a row (Matrix Market)."""
    source, places = random.Random(seed), []
    for n in range(rows):
        columns = {n, *(int(source.random() * rows) for _ in range(row - 1))}
        places += [(n + 1, column + 1, 2 * source.random() - 1) for column in sorted(columns)]
    file.write(f"%%MatrixMarket matrix coordinate real general\n{rows} {rows} {len(places)}\n".encode())
    file.write("".join(f"{r} {c} {rounded(v)}\n" for r, c, v in places).encode())


def atoms(file, count, size=20.0, seed=1):
    """Charged atoms in a box, one a line (PQR)."""
    source = random.Random(seed)
    for n in range(1, count + 1):
        place = " ".join(f"{size * source.random():8.3f}" for _ in range(3))
        charge = 1 - 2 * source.random()
        file.write(f"ATOM  {n} O WAT {1 + n // 3} {place} {charge:.4f} 1.0\n".encode())


def obstacles(file, width, height, depth):
    """A channel with walls and a block in it: a character for each cell, lines, and
    planes with a line between them, as Parboil's lbm reads them."""
    wall = "#" * width
    for z in range(depth):
        for y in range(height):
            inside = "." * (width - 2)
            if depth // 3 <= z < depth // 2 and y < height // 2:
                inside = "#" * (width // 4) + inside[width // 4 :]
            row = wall if y in (0, height - 1) else f"#{inside}#"
            file.write(f"{row}\n".encode())
        file.write(b"\n")


KNOWN = {
    f.__name__: f
    for f in (numbers, text, raw, graph, features, hurricanes, shuffled, mesh, picture)
    + (bases, bitmap, sparse, atoms, obstacles, video)
}


def wrong_words(name, given):
    """What is wrong with what a generator is given, or None."""
    known = dict(inspect.signature(KNOWN[name]).parameters)
    known.pop("file")
    for word in given:
        if word not in known:
            near, there = nearest(word, known), ", ".join(known)
            return f"'{name}' takes no '{word}'{near}; it takes: {there}"
    for word, each in known.items():
        if each.default is each.empty and word not in given:
            return f"'{name}' needs '{word}'"
    return None


def make(name, path, given):
    with open(path, "wb") as file:
        KNOWN[name](file, **given)
