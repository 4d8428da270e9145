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


KNOWN = {f.__name__: f for f in (backprop, breadth_first, gaussian, nearest_neighbours, particles)}
