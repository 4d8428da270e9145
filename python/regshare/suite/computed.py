# Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results computed anew, for programs that neither check themselves nor have a
counterpart for the host. Each function gets a run's proof.Result and returns what is
wrong, in a line, or None."""

import collections
import math
import re
import struct


def adjacency(path):
    """The ends of each node's edges, of a file by generators.graph()."""
    words = iter(path.read_text().split())
    places = [(int(next(words)), int(next(words))) for _ in range(int(next(words)))]
    source, count = int(next(words)), int(next(words))
    edges = [(int(next(words)), next(words))[0] for _ in range(count)]
    return source, [edges[first : first + degree] for first, degree in places]


def breadth_first(result):
    """Rodinia's bfs: result.txt has each node's distance from the first."""
    source, ends = adjacency(result.folder / result.arguments[0])
    distance, queue = {source: 0}, collections.deque([source])
    while queue:
        node = queue.popleft()
        for end in ends[node]:
            if end not in distance:
                distance[end] = distance[node] + 1
                queue.append(end)
    text = (result.folder / "result.txt").read_text()
    found = {int(n): int(c) for n, c in re.findall(r"^(\d+)\) cost:(-?\d+)$", text, re.M)}
    if len(found) != len(ends):
        return f"result.txt has {len(found)} nodes where {len(ends)} were expected"
    for node, cost in found.items():
        if cost != distance.get(node, -1):
            return f"node {node} is {cost} away where {distance.get(node, -1)} was expected"
    return None


def clusters(result):
    """Rodinia's kmeans -o: each printed centre is the mean of the points that are
    nearest to it."""
    words = result.arguments
    lines = (result.folder / words[words.index("-i") + 1]).read_text().splitlines()
    points = [[float(x) for x in line.split()[1:]] for line in lines]
    rows = re.findall(r"^\d+:((?: -?[0-9.]+)+)$", result.output, re.M)
    centres = [[float(x) for x in row.split()] for row in rows]
    if not centres:
        return "it prints no centres"
    members = collections.defaultdict(list)
    for point in points:
        far = [math.dist(point, centre) for centre in centres]
        members[far.index(min(far))].append(point)
    for n, centre in enumerate(centres):
        for found, values in zip(centre, zip(*members[n])):
            mean = sum(values) / len(values)
            # Printed with two digits after the point.
            if abs(found - mean) > 0.02:
                return f"centre {n} has {found} where {mean:.2f} was expected"
    return None


def copies(result, kind="f"):
    """What the program copied to the device, and back, by suites/host/copies.cpp: lists
    of 32-bit floats, or of another kind as struct has them."""
    data, at = (result.folder / "copies.bin").read_bytes(), 0
    there, back = [], []
    while at < len(data):
        way, size = struct.unpack_from("<QQ", data, at)
        count = size // struct.calcsize(kind)
        values = struct.unpack_from(f"<{count}{kind}", data, at + 16)
        (there if way == 1 else back).append(values)
        at += 16 + size
    return there, back


def first_far(found, expected, relative, absolute):
    """The place of the first number that is not near the one expected, or None."""
    for n, (x, y) in enumerate(zip(found, expected)):
        if not math.isclose(x, y, rel_tol=relative, abs_tol=absolute):
            return n
    return None


def gaussian(result):
    """Rodinia's gaussian: the equations that come back have the zeros and the
    solution that elimination in double precision finds."""
    (_, matrix, right), (_, upper, left) = copies(result)
    size = len(right)
    rows = [[*matrix[n * size : (n + 1) * size], right[n]] for n in range(size)]
    for step in range(size - 1):
        for row in rows[step + 1 :]:
            factor = row[step] / rows[step][step]
            for n in range(step, size + 1):
                row[n] -= factor * rows[step][n]
    expected = [x for n, row in enumerate(rows) for x in [0.0] * n + row[n:size]]
    for what, found, right in (
        ("element", upper, expected),
        ("right side", left, [row[size] for row in rows]),
    ):
        if (n := first_far(found, right, 1e-3, 1e-4)) is not None:
            return f"{what} {n} is {found[n]:.6g} where {right[n]:.6g} was expected"
    return None


def backprop(result):
    """Rodinia's backprop: the sums of the forward layer by blocks of 16 inputs, and the
    adjusted weights."""
    (units, weights, delta, previous, again), (sums, _, adjusted) = copies(result)
    width, eta, momentum = 17, 0.3, 0.3
    expected = []
    for block in range((len(units) - 1) // 16):
        inputs = range(16 * block + 1, 16 * block + 17)
        expected += [
            sum(units[n] * weights[n * width + hidden] for n in inputs)
            for hidden in range(1, 17)
        ]
    if (n := first_far(sums, expected, 1e-4, 1e-4)) is not None:
        return f"sum {n} is {sums[n]:.6g} where {expected[n]:.6g} was expected"
    expected = list(again)
    for n, unit in enumerate(units):
        for hidden in range(1, width):
            # The bias has one value for all hidden units.
            value = 1.0 if n == 0 else unit
            at = n * width + hidden
            expected[at] += eta * delta[hidden] * value + momentum * previous[at]
    if (n := first_far(adjusted, expected, 1e-4, 1e-5)) is not None:
        return f"weight {n} is {adjusted[n]:.6g} where {expected[n]:.6g} was expected"
    return None


def searched(result):
    """Rodinia's b+tree: a key that is there has been found, as itself, and ranges have
    the length that was asked for. Keys are all numbers from 0 up."""
    text = (result.folder / "output.txt").read_text()
    singles = re.search(r"command: k count=(\d+) \n((?:\d+ +-?\d+\n)*)", text)
    ranges = re.search(r"command: j count=(\d+), rSize=(\d+) \n((?:\d+ +\d+ +\d+\n)*)", text)
    if not singles or not ranges:
        return "output.txt has not the answers to a command k and a command j"
    found = [line.split() for line in singles[2].splitlines()]
    if len(found) != int(singles[1]):
        return f"{len(found)} keys were searched where {singles[1]} were expected"
    for n, value in found:
        if int(value) < 0:
            return f"key {n} was not found"
    spans = [line.split() for line in ranges[3].splitlines()]
    if len(spans) != int(ranges[1]):
        return f"{len(spans)} ranges were searched where {ranges[1]} were expected"
    for n, _, length in spans:
        # One less where the range would end after the last key.
        if int(ranges[2]) + 1 - int(length) not in (0, 1):
            return f"range {n} has {length} keys where {int(ranges[2]) + 1} were expected"
    return None


def hotspot(result):
    """Rodinia's hotspot: the temperatures after each step, in double precision."""
    size, steps = int(result.arguments[0]), int(result.arguments[2])
    temp, power = (
        [float(x) for x in (result.folder / name).read_text().split()]
        for name in result.arguments[3:5]
    )
    cell = 0.016 / size
    capacity = 0.5 * 1.75e6 * 0.0005 * cell * cell
    side, top = cell / (2 * 100 * 0.0005 * cell), 0.0005 / (100 * cell * cell)
    step = 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6)) / capacity
    last = size - 1
    for _ in range(steps):
        new = []
        for y in range(size):
            here, row = y * size, temp[y * size : (y + 1) * size]
            above = temp[max(y - 1, 0) * size :][:size]
            below = temp[min(y + 1, last) * size :][:size]
            for x, t in enumerate(row):
                flow = (above[x] + below[x] - 2 * t) / side + (80.0 - t) / top
                flow += (row[max(x - 1, 0)] + row[min(x + 1, last)] - 2 * t) / side
                new.append(t + step * (power[here + x] + flow))
        temp = new
    words = (result.folder / result.arguments[5]).read_text().split()
    found = [float(x) for x in words[1::2]]
    if len(found) != len(temp):
        return f"{len(found)} temperatures where {len(temp)} were expected"
    if (n := first_far(found, temp, 1e-4, 0)) is not None:
        return f"temperature {n} is {found[n]} where {temp[n]:.6g} was expected"
    return None


def nearest_neighbours(result):
    """Rodinia's nn: the records nearest to a place."""
    words = result.arguments
    count, lat, lng = (float(words[words.index(w) + 1]) for w in ("-r", "-lat", "-lng"))
    files = (result.folder / words[0]).read_text().split()
    lines = [line for x in files for line in (result.folder / x).read_text().splitlines()]
    expected = sorted(
        math.hypot(lat - float(x[28:33]), lng - float(x[33:38])) for x in lines
    )[: int(count)]
    found = re.findall(r"--> Distance=([0-9.]+)$", result.output, re.M)
    if len(found) != len(expected):
        return f"it prints {len(found)} records where {len(expected)} were expected"
    for x, y in zip(found, expected):
        if not math.isclose(float(x), y, rel_tol=1e-4, abs_tol=1e-4):
            return f"a distance is {x} where {y:.6f} was expected"
    return None


def particles(result):
    """Rodinia's particlefilter_naive: in each frame a particle takes the place of the
    first one at which the cumulative weights reach its random number."""
    there, back = copies(result, "d")
    for frame in range(len(back) // 2):
        x, y, _, _, weights, draws = there[6 * frame : 6 * frame + 6]
        found = zip(*back[2 * frame : 2 * frame + 2])
        for n, (got, draw) in enumerate(zip(found, draws)):
            at = next((k for k, w in enumerate(weights) if w >= draw), len(x) - 1)
            if got != (y[at], x[at]):
                return f"particle {n} is at {got} where {(y[at], x[at])} was expected"
    return None if back else "no particles were copied back"


def tracked(result):
    """Rodinia's particlefilter_float: weights add up to 1, the printed place is the mean
    of the particles by their weights, and the object is near it."""
    _, (x, y, weights) = copies(result, "d")
    if abs(sum(weights) - 1) > 1e-6:
        return f"the weights add up to {sum(weights):.9g} where 1 was expected"
    for name, places, size in (("XE", x, "-y"), ("YE", y, "-x")):
        mean = sum(place * weight for place, weight in zip(places, weights))
        found = float(re.search(rf"^{name}: (\S+)$", result.output, re.M)[1])
        if abs(found - mean) > 1e-5:
            return f"{name} is {found} where {mean:.6f} was expected"
        centre = int(result.arguments[result.arguments.index(size) + 1]) / 2
        if abs(found - centre) > 5:
            return f"{name} is {found}, more than 5 pixels from {centre}"
    return None


def sequences(path):
    """The sequences of a file in FASTA, by name."""
    pieces = path.read_text().split(">")[1:]
    return {lines[0]: "".join(lines[1:]) for lines in map(str.splitlines, pieces)}


def starts(reference, least):
    """Where each piece of so many bases begins."""
    found = collections.defaultdict(list)
    for at in range(len(reference) - least + 1):
        found[reference[at : at + least]].append(at)
    return found


def maximal(query, reference, least, places):
    """Where a query and a reference are alike for at least so many bases that nothing
    longer around them is: places, counted from 1, and the length. `places`: those of
    starts()."""
    found = set()
    for n in range(len(query) - least + 1):
        for at in places.get(query[n : n + least], ()):
            if n and at and query[n - 1] == reference[at - 1]:
                continue
            pairs = zip(query[n + least :], reference[at + least : at + len(query)])
            more = next((k for k, (x, y) in enumerate(pairs) if x != y), None)
            if more is None:
                more = min(len(query) - n, len(reference) - at) - least
            found.add((at + 1, n + 1, least + more))
    return found


def aligned(result):
    """Rodinia's mummergpu: all maximal matches of at least -l bases."""
    words = result.arguments
    (reference,) = sequences(result.folder / words[-2]).values()
    queries = sequences(result.folder / words[-1])
    found, name = collections.defaultdict(list), None
    for line in result.output.splitlines():
        if header := re.fullmatch(r"> (\S+)", line):
            name = header[1]
        elif match := re.fullmatch(r"(\d+)\t(\d+)\t(\d+)", line):
            found[name].append(tuple(map(int, match.groups())))
    if unknown := found.keys() - queries.keys():
        return f"it prints matches of '{min(map(str, unknown))}', which is no query"
    least, total = int(words[words.index("-l") + 1]), 0
    places = starts(reference, least)
    for name, query in queries.items():
        expected = sorted(maximal(query, reference, least, places))
        if sorted(found[name]) != expected:
            wrong = set(found[name]) ^ set(expected)
            what = f"{min(wrong)} is in one only" if wrong else "some are printed twice"
            return f"{name} has {len(found[name])} matches where {len(expected)} were expected; {what}"
        total += len(expected)
    return None if total else "there are no matches to be found"


def halved(value, by):
    """As C divides."""
    return value // by if value >= 0 else -(-value // by)


def lifted(row):
    """The low and the high half of a row after JPEG 2000's reversible 5/3 filter, with
    C's divisions as the program has them."""
    low, high = list(row[::2]), list(row[1::2])
    for n in range(len(high)):
        after = low[min(n + 1, len(low) - 1)]
        high[n] -= halved(low[n] + after, 2)
    for n in range(len(low)):
        before = high[max(n - 1, 0)]
        low[n] += halved(before + high[n] + 2, 4)
    return low, high


def wavelets(result):
    """Rodinia's dwt2d with 5/3 filters: the bands of each level and colour, as bytes."""
    words = result.arguments
    width, height = map(int, words[words.index("-d") + 1].split("x"))
    levels = int(words[words.index("-l") + 1])
    data = (result.folder / "../../data/dwt2d" / words[0]).read_bytes()
    for colour, letter in enumerate("rgb"):
        image = [[x - 128 for x in data[3 * width * y + colour :: 3][:width]] for y in range(height)]
        expected = bands(image, levels)
        found = (result.folder / f"{words[0]}.dwt.{letter}").read_bytes()
        for n, value in enumerate(expected):
            byte = min(255, max(0, value + 128))
            if n >= len(found) or found[n] != byte:
                got = found[n] if n < len(found) else "missing"
                return f"byte {n} of colour {letter} is {got} where {byte} was expected"
    return None


def bands(image, levels):
    """All coefficients of an image in the program's order: the low band, of which the
    next level is made, and those to the right, below, and both."""
    columns = [lifted(column) for column in zip(*image)]
    parts = {}
    for below in (0, 1):
        for right, half in enumerate(zip(*map(lifted, zip(*(c[below] for c in columns))))):
            parts[below, right] = half
    low, right, below, both = (parts[key] for key in ((0, 0), (0, 1), (1, 0), (1, 1)))
    flat = lambda part: [value for row in part for value in row]
    first = bands(low, levels - 1) if levels > 1 else flat(low)
    return first + flat(right) + flat(below) + flat(both)


KNOWN = {
    f.__name__: f
    for f in (backprop, breadth_first, clusters, gaussian, hotspot, nearest_neighbours)
    + (aligned, particles, searched, tracked, wavelets)
}
