"""Compares the values at the peak of every kernel of the suite with the code.

The code is read a second time, as MIR of a compilation without variables: who
is live, which definitions reach, and how far the next use is, come from walks
over single instructions. What variables are called comes from the code before
registers were assigned, whose instructions are found again by what they say
besides registers.
"""

import collections
import difflib
import json
import pathlib
import re
import subprocess
import sys

REGISTER = re.compile(r"%([RHP])(\d+(?:_\d+)*)\b")
PLAIN = re.compile(
    r"DBG_VALUE %(\d+):\w+, \$noreg, !\"([^\"]*)\", !DIExpression\(([^)]*)\)")


def units_of(match):
    kind, numbers = match.groups()
    return [f"P{n}" if kind == "P" else int(n) for n in numbers.split("_")]


def sides(text):
    """What an instruction writes and what it reads."""
    if text.startswith("INLINEASM"):
        written = re.findall(r"def (?:early-clobber )?(%\w+)", text)
        return " ".join(written), re.sub(r"def (early-clobber )?%\w+", "", text)
    text = text.split(" :: ")[0]
    defined, equals, rest = text.partition(" = ")
    return (defined, rest) if equals and "%" in defined else ("", text)


def units(text):
    return [u for m in REGISTER.finditer(re.sub(r"undef %\w+", "", text))
            for u in units_of(m)]


def without_places(text):
    text = text.strip()
    if text.startswith("INLINEASM"):
        # What the operands are is printed in two ways.
        return " ".join(re.findall(r'".*"|\bdef(?= )|%\w+', text))
    text = text.split(" :: ")[0].split("; ")[0]
    text = re.sub(r",? debug-(location|instr-number) (!DILocation\(.*\)|!?\d+)",
                  "", text)
    return re.sub(r"(%\w+):b\d+", r"\1", text).strip()


def shape(text):
    """An instruction without its registers."""
    text = without_places(text)
    text = re.sub(r"(killed|dead|undef|renamable) ", "", text)
    return re.sub(r"%[\w.]+(:\w+)?", "%", text)


class Code:
    """A function's instructions, in layout order, and who comes after whom."""

    def __init__(self, points, successors):
        self.text = [p["instruction"] for p in points]
        blocks = collections.defaultdict(list)
        for n, p in enumerate(points):
            blocks[p["block"]].append(n)
        self.after = [[] for _ in points]
        for block, members in blocks.items():
            for a, b in zip(members, members[1:]):
                self.after[a].append(b)
            self.after[members[-1]] = sorted(
                self.first_of(block, blocks, successors))
        self.before = [[] for _ in points]
        for a, all_after in enumerate(self.after):
            for b in all_after:
                self.before[b].append(a)
        self.writes = [units(sides(t)[0]) for t in self.text]
        self.reads = [units(sides(t)[1]) for t in self.text]
        self.find_live()

    @staticmethod
    def first_of(block, blocks, successors):
        """The instructions that control comes to behind a block."""
        found, seen, to_see = set(), set(), list(successors.get(block, []))
        while to_see:
            b = to_see.pop()
            if b in seen:
                continue
            seen.add(b)
            if blocks.get(b):
                found.add(blocks[b][0])
            else:
                to_see += successors.get(b, [])
        return found

    def find_live(self):
        self.live_in = [set() for _ in self.text]
        changed = True
        while changed:
            changed = False
            for n in reversed(range(len(self.text))):
                live = (self.live_out(n) - set(self.writes[n])) | set(self.reads[n])
                if live != self.live_in[n]:
                    self.live_in[n], changed = live, True

    def live_out(self, n):
        return set().union(*(self.live_in[m] for m in self.after[n]))

    def defining(self, n, unit, including):
        """The instructions whose writes of a unit reach another one."""
        found, seen = set(), set()
        to_see = [n] if including else list(self.before[n])
        while to_see:
            m = to_see.pop()
            if m in seen:
                continue
            seen.add(m)
            if unit in self.writes[m]:
                found.add(m)
            else:
                to_see += self.before[m]
        return found

    def distance(self, n, unit, after):
        """Instructions before the next one that reads a unit."""
        ring, seen, length = set(self.after[n]) if after else {n}, set(), 0
        while ring:
            if any(unit in self.reads[m] for m in ring):
                return length
            seen |= ring
            ring = {b for m in ring if unit not in self.writes[m]
                    for b in self.after[m]} - seen
            length += 1
        return None


def successors_in(mir):
    """By function and block."""
    found = {}
    for document in mir.split("\n---")[1:]:
        name = re.search(r"^name: +(\S+)", document, re.M)
        if not name:
            continue
        blocks, block = {}, None
        for line in document.splitlines():
            if m := re.match(r"  bb\.(\d+)", line):
                block = int(m.group(1))
                blocks[block] = []
            elif (m := re.match(r"    successors: (.*)", line)) and block is not None:
                blocks[block] = [int(n) for n in re.findall(r"%bb\.(\d+)", m.group(1))]
        found[name.group(1).strip("'\"")] = (blocks, document)
    return found


def instructions_in(document):
    body = document[document.index("\nbody:"):]
    return [without_places(line) for line in body.splitlines()
            if line.startswith("    ") and not re.match(
                r"    (successors|liveins|DBG_|;)|    INLINEASM &\"//?regshare|    $", line)
            and ".pragma" not in line and line.strip()]


def functions_before(dump):
    """Of LLVM's dump before registers are assigned: lines by block."""
    found = {}
    for text in dump.split("# Machine code for function ")[1:]:
        name = text[:text.index(":")]
        blocks, block = collections.OrderedDict(), None
        follows = {}
        for line in text[:text.find("# End machine code")].splitlines():
            if m := re.match(r"bb\.(\d+)", line):
                block = int(m.group(1))
                blocks[block], follows[block] = [], []
            elif m := re.match(r"  successors: (.*?);", line):
                follows[block] = [int(n) for n in re.findall(r"%bb\.(\d+)", m.group(1))]
            elif block is not None and line.startswith("  "):
                blocks[block].append(line.strip())
        found[name] = (blocks, follows)
    return found


def variables_by_point(blocks, follows, points):
    """Variables that are a definition's value: {(point, position): names}."""
    flat = [(b, line) for b, lines in blocks.items() for line in lines]
    real = [n for n, (_, line) in enumerate(flat) if not line.startswith("DBG_")]
    matcher = difflib.SequenceMatcher(
        None, [shape(flat[n][1]) for n in real],
        [shape(p["instruction"]) for p in points], autojunk=False)
    place = {}
    for a, b, size in matcher.get_matching_blocks():
        for k in range(size):
            place[real[a + k]] = b + k
    first, last = {}, {}
    for n, (block, _) in enumerate(flat):
        first.setdefault(block, n)
        last[block] = n
    comes_from = collections.defaultdict(list)
    for block, others in follows.items():
        for other in others:
            comes_from[other].append(block)

    def before(n):
        if n != first[flat[n][0]]:
            return [n - 1]
        found, seen, to_see = [], set(), list(comes_from[flat[n][0]])
        while to_see:
            b = to_see.pop()
            if b in seen:
                continue
            seen.add(b)
            if b in last:
                found.append(last[b])
            else:
                to_see += comes_from[b]
        return found

    names = collections.defaultdict(set)
    for n, (_, line) in enumerate(flat):
        m = PLAIN.match(line)
        words = set(re.findall(r"DW_OP_\w+", m.group(3))) if m else set()
        if not m or words - {"DW_OP_LLVM_convert", "DW_OP_stack_value",
                             "DW_OP_LLVM_fragment"}:
            continue
        register, seen, to_see = "%" + m.group(1) + ":", set(), before(n)
        while to_see:
            k = to_see.pop()
            if k in seen:
                continue
            seen.add(k)
            text = flat[k][1]
            defined = [] if text.startswith("DBG_") else \
                re.findall(r"%\d+:", sides(text)[0])
            if register not in defined:
                to_see += before(k)
            elif k in place:
                names[place[k], defined.index(register)].add(m.group(2))
            else:
                names["lost", register].add(m.group(2))
    return names, set(place.values())


def position(text, register):
    """Which of the registers that an instruction writes it is."""
    written = [m.group(0)[1:] for m in REGISTER.finditer(sides(text)[0])]
    return written.index(register) if register in written else None


def check_kernel(kernel, code, names, matched, counts):
    peak, points = kernel["peak"], kernel["points"]
    at = peak["point"]
    most = max(p["live"] for p in points)
    assert points[at]["live"] == most == max(
        most, kernel["peak_assigned"]), (at, most)
    live = {u for u in code.live_in[at] if isinstance(u, int)}
    out = {u for u in code.live_out(at) | set(code.writes[at])
           if isinstance(u, int)}
    after = len(out) > len(live)
    held = out if after else live
    assert len(held) == most, (len(held), most)
    covered = []
    for value in peak["values"]:
        register = value["register"]
        own = [int(n) for n in register[1:].split("_")]
        covered += own
        assert value["units"] == len(own), value
        for unit in own:
            found = code.defining(at, unit, after)
            assert found == set(value["defined_by"]), (value, found)
        nearest = [d for d in (code.distance(at, u, after) for u in own)
                   if d is not None]
        use = value.get("next_use")
        assert (min(nearest) if nearest else None) == (
            use["instructions"] if use else None), (value, nearest)
        check_names(value, points, names, matched, counts)
    assert sorted(covered) == sorted(held), (covered, held)


def check_names(value, points, names, matched, counts):
    said = {n["variable"].split(".")[0].split("[")[0]
            for n in value["names"] if n["whole"]}
    expected, all_matched = set(), True
    for point in value["defined_by"]:
        all_matched &= point in matched
        where = position(points[point]["instruction"], value["register"])
        if where is not None:
            expected |= names.get((point, where), set())
    counts["values"] += 1
    counts["named"] += bool(said)
    if expected and all_matched:
        assert said == expected, (value, expected)
        counts["compared"] += 1
    elif expected:
        assert expected <= said, (value, expected)
    elif said and all_matched:
        # A copy has the name of what it copies, a parameter its own.
        assert any(re.search(r"\b(MOV_B\d+_r|COPY|cvta_\w+|LD_\w+) ",
                             points[n]["instruction"])
                   for n in value["defined_by"]), value


def main():
    tool, kernels, every = sys.argv[1:]
    counts = collections.Counter()
    for program in sorted(pathlib.Path(kernels).glob("*/*.cu"))[::int(every)]:
        report = subprocess.run(
            [tool, program, "--emit=json", "--ptxas=none",
             "--print-before=regshare-assign-registers"],
            capture_output=True, text=True, check=True)
        plain = subprocess.run([tool, program, "--emit=mir"],
                               capture_output=True, text=True, check=True).stdout
        follows, earlier = successors_in(plain), functions_before(report.stderr)
        for kernel in json.loads(report.stdout)["kernels"]:
            blocks, document = follows[kernel["name"]]
            own = [without_places(p["instruction"]) for p in kernel["points"]]
            # Variables change no code.
            other = instructions_in(document)
            assert own == other, (program, kernel["name"], next(
                ((a, b) for a, b in zip(own, other) if a != b),
                (len(own), len(other))))
            names, matched = variables_by_point(
                *earlier[kernel["name"]], kernel["points"])
            try:
                check_kernel(kernel, Code(kernel["points"], blocks), names,
                             matched, counts)
            except AssertionError as e:
                raise AssertionError(program, kernel["name"], *e.args) from e
            counts["kernels"] += 1
    print("kernels {kernels} values {values} named {named} "
          "compared {compared}".format(**counts))


main()
