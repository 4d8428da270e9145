"""The PTX instructions that LLVM's NVPTX back end prints and that a probe can
build a kernel of: their mnemonics, their operands' types, and their text."""

import collections

# A mnemonic; the types of its result (or None) and of its sources; and its text,
# in which {d}, {a}, {b}, … are result and sources, {in} and {out} addresses that
# differ from thread to thread, {sin} one in shared memory, and {n} numbers copies.
Operation = collections.namedtuple("Operation", "mnemonic result sources text")

INTEGERS = ("s16", "s32", "s64", "u16", "u32", "u64")
COMPARE_INTEGER = ("eq", "ne", "lt", "le", "gt", "ge")
COMPARE_UNSIGNED = ("lt", "le", "gt", "ge")
COMPARE_FLOAT = (
    *COMPARE_INTEGER, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"
)
FLOATS = ("f32", "ftz.f32", "f64")
ROUNDINGS = ("rn", "rz", "rm", "rp")


def plain(mnemonic, result, *sources):
    names = ["{d}", *(f"{{{name}}}" for name, _ in zip("abcef", sources))]
    return Operation(mnemonic, result, sources, f"{mnemonic} {', '.join(names)};")


def base(suffix):
    """The type that a mnemonic's suffix ends in."""
    return suffix.split(".")[-1]


def signless(kind, *names):
    """Operations for each name on 16, 32 and 64 bits."""
    return [
        plain(f"{name}.{kind}{bits}", f"b{bits}", *[f"b{bits}"] * arity)
        for name, arity in names
        for bits in (16, 32, 64)
    ]


def integer_arithmetic():
    yield from signless(
        "s", ("add", 2), ("sub", 2), ("mul.lo", 2), ("mad.lo", 3), ("neg", 1), ("abs", 1)
    )
    yield from signless("b", ("and", 2), ("or", 2), ("xor", 2), ("not", 1))
    for kind in INTEGERS:
        bits = kind[1:]
        for name in ("mul.hi", "div", "rem", "min", "max"):
            yield plain(f"{name}.{kind}", f"b{bits}", f"b{bits}", f"b{bits}")
        yield plain(f"shr.{kind}", f"b{bits}", f"b{bits}", "b32")
        yield plain(f"sad.{kind}", f"b{bits}", *[f"b{bits}"] * 3)
    for kind in ("u32", "u64"):
        yield plain(f"add.{kind}", f"b{kind[1:]}", f"b{kind[1:]}", f"b{kind[1:]}")
    for kind in ("s16", "u16", "s32", "u32"):
        wide = {"16": "b32", "32": "b64"}[kind[1:]]
        narrow = f"b{kind[1:]}"
        yield plain(f"mul.wide.{kind}", wide, narrow, narrow)
        yield plain(f"mad.wide.{kind}", wide, narrow, narrow, wide)
    for kind in ("s32", "u32"):
        yield plain(f"mul24.lo.{kind}", "b32", "b32", "b32")
    for name in ("add", "sub", "min", "max"):
        for kind in ("s16x2", "u16x2"):
            if name in ("min", "max") or kind == "s16x2":
                yield plain(f"{name}.{kind}", "b32", "b32", "b32")


def carries():
    """Pairs that pass a carry: each instruction takes half of what a pair takes."""
    for bits in (32, 64):
        for name in ("add", "sub"):
            first, last = f"{name}.cc.s{bits}", f"{name}c.s{bits}"
            pair = f"{first} {{d}}, {{a}}, {{b}}; {last} {{d2}}, {{a}}, {{c}};"
            yield Operation(f"{first}+{last}", f"b{bits},b{bits}", [f"b{bits}"] * 3, pair)
    pair = "mad.lo.cc.u32 {d}, {a}, {b}, {c}; madc.hi.u32 {d2}, {a}, {b}, {c};"
    yield Operation("mad.lo.cc.u32+madc.hi.u32", "b32,b32", ["b32"] * 3, pair)


def bits():
    for size in (16, 32, 64):
        yield plain(f"shl.b{size}", f"b{size}", f"b{size}", "b32")
        yield plain(f"mov.b{size}", f"b{size}", f"b{size}")
        yield plain(f"selp.b{size}", f"b{size}", f"b{size}", f"b{size}", "pred")
    for kind in ("f32", "f64"):
        yield plain(f"selp.{kind}", kind, kind, kind, "pred")
    for size in (32, 64):
        yield plain(f"popc.b{size}", "b32", f"b{size}")
        yield plain(f"clz.b{size}", "b32", f"b{size}")
        yield plain(f"brev.b{size}", f"b{size}", f"b{size}")
        yield plain(f"bfi.b{size}", *[f"b{size}"] * 3, "b32", "b32")
        for sign in "su":
            yield plain(f"bfe.{sign}{size}", f"b{size}", f"b{size}", "b32", "b32")
            for name in ("bfind", "bfind.shiftamt"):
                yield plain(f"{name}.{sign}{size}", "b32", f"b{size}")
    for name in ("l.wrap", "l.clamp", "r.wrap", "r.clamp"):
        yield plain(f"shf.{name}.b32", "b32", "b32", "b32", "b32")
    yield plain("prmt.b32", "b32", "b32", "b32", "b32")
    for mode in ("clamp", "wrap"):
        yield plain(f"bmsk.{mode}.b32", "b32", "b32", "b32")
        for sign in "su":
            yield plain(f"szext.{mode}.{sign}32", "b32", "b32", "b32")
    yield plain("fns.b32", "b32", "b32", "b32", "b32")
    for a in ("s32", "u32"):
        for b in ("s32", "u32"):
            yield plain(f"dp4a.{a}.{b}", "b32", "b32", "b32", "b32")
            for half in ("lo", "hi"):
                yield plain(f"dp2a.{half}.{a}.{b}", "b32", "b32", "b32", "b32")
    # Halves of a register pair and of a register.
    yield Operation("mov.b64.pack", "b64", ["b32", "b32"], "mov.b64 {d}, {{{a}, {b}}};")
    yield Operation("mov.b64.unpack", "b32,b32", ["b64"], "mov.b64 {{{d}, {d2}}}, {a};")
    yield Operation("mov.b32.pack", "b32", ["b16", "b16"], "mov.b32 {d}, {{{a}, {b}}};")
    yield Operation("mov.b32.unpack", "b16,b16", ["b32"], "mov.b32 {{{d}, {d2}}}, {a};")


def predicates():
    for name in ("and", "or", "xor"):
        yield plain(f"{name}.pred", "pred", "pred", "pred")
    yield plain("not.pred", "pred", "pred")
    yield plain("mov.pred", "pred", "pred")
    for size in (16, 32, 64):
        for compare in COMPARE_INTEGER:
            source = f"b{size}"
            yield plain(f"setp.{compare}.s{size}", "pred", source, source)
            if compare in ("eq", "ne"):
                yield plain(f"setp.{compare}.b{size}", "pred", source, source)
            else:
                yield plain(f"setp.{compare}.u{size}", "pred", source, source)
    for kind in FLOATS:
        for compare in COMPARE_FLOAT:
            mnemonic = f"setp.{compare}.{kind}"
            yield plain(mnemonic, "pred", base(kind), base(kind))


def float_arithmetic():
    for kind in FLOATS:
        value = base(kind)
        flush = kind[: -len(value)]
        for name in ("add", "sub", "mul", "min", "max"):
            yield plain(f"{name}.{kind}", value, value, value)
        for name in ("neg", "abs"):
            yield plain(f"{name}.{kind}", value, value)
        for rounding in ROUNDINGS:
            for name in ("add", "sub", "mul"):
                yield plain(f"{name}.{rounding}.{kind}", value, value, value)
            yield plain(f"fma.{rounding}.{kind}", value, value, value, value)
            yield plain(f"div.{rounding}.{kind}", value, value, value)
            yield plain(f"rcp.{rounding}.{kind}", value, value)
            yield plain(f"sqrt.{rounding}.{kind}", value, value)
        if value == "f32":
            for name in ("add", "sub", "mul"):
                mnemonic = f"{name}.rn.{flush}sat.f32"
                yield plain(mnemonic, value, value, value)
            yield plain(f"fma.rn.{flush}sat.f32", value, value, value, value)
            yield plain(f"div.full.{kind}", value, value, value)
            yield plain(f"div.approx.{kind}", value, value, value)
            for name in ("rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2"):
                yield plain(f"{name}.approx.{kind}", value, value)
            yield plain(f"min.{flush}NaN.f32", value, value, value)
            yield plain(f"max.{flush}NaN.f32", value, value, value)
    yield plain("tanh.approx.f32", "f32", "f32")
    yield plain("rsqrt.approx.f64", "f64", "f64")
    yield plain("rcp.approx.ftz.f64", "f64", "f64")
    yield plain("copysign.f32", "f32", "f32", "f32")
    yield plain("copysign.f64", "f64", "f64", "f64")
    for kind in ("f32", "f64"):
        yield plain(f"testp.infinite.{kind}", "pred", kind)
    for half in ("f16", "f16x2", "bf16", "bf16x2"):
        value = "b32" if half.endswith("x2") else "b16"
        yield from half_arithmetic(half, value)


def half_arithmetic(half, value):
    for name in ("add", "sub", "mul", "add.rn", "sub.rn", "mul.rn", "min", "max"):
        yield plain(f"{name}.{half}", value, value, value)
    for name in ("min.NaN", "max.NaN"):
        yield plain(f"{name}.{half}", value, value, value)
    for name in ("neg", "abs"):
        yield plain(f"{name}.{half}", value, value)
    for name in ("fma.rn", "fma.rn.relu"):
        yield plain(f"{name}.{half}", value, value, value, value)
    if half.startswith("f16"):
        yield plain(f"ex2.approx.{half}", value, value)
        yield plain(f"tanh.approx.{half}", value, value)


def conversions():
    def register(kind):
        if kind[0] == "f":
            return {"f16": "b16"}.get(kind, kind)
        return f"b{max(int(kind[1:]), 16)}"

    widths = (8, 16, 32, 64)
    integers = [f"{sign}{bits}" for bits in widths for sign in "su"]
    floats = ("f16", "f32", "f64")
    for to in integers:
        for of in integers:
            if to != of:
                yield plain(f"cvt.{to}.{of}", register(to), register(of))
            elif to[1:] == "8":
                yield plain(f"cvt.{to}.{of}", register(to), register(of))
        for of in floats:
            for flush in ("", "ftz.") if of == "f32" else ("",):
                for rounding in ("rzi", "rni", "rmi", "rpi"):
                    mnemonic = f"cvt.{rounding}.{flush}{to}.{of}"
                    yield plain(mnemonic, register(to), register(of))
            yield plain(f"cvt.rn.{of}.{to}", register(of), register(to))
    for kind in floats:
        for flush in ("", "ftz.") if kind == "f32" else ("",):
            for rounding in ("rzi", "rni", "rmi", "rpi"):
                mnemonic = f"cvt.{rounding}.{flush}{kind}.{kind}"
                yield plain(mnemonic, register(kind), register(kind))
    for flush in ("", "ftz."):
        yield plain(f"cvt.{flush}f64.f32", "f64", "f32")
        yield plain(f"cvt.{flush}f32.f16", "f32", "b16")
        yield plain(f"cvt.{flush}sat.f32.f32", "f32", "f32")
        for rounding in ROUNDINGS:
            yield plain(f"cvt.{rounding}.{flush}f32.f64", "f32", "f64")
    yield plain("cvt.f64.f16", "f64", "b16")
    yield plain("cvt.rn.f16.f32", "b16", "f32")
    yield plain("cvt.rz.f16.f32", "b16", "f32")
    yield plain("cvt.rn.f16.f64", "b16", "f64")
    yield plain("cvt.rn.bf16.f32", "b16", "f32")
    yield plain("cvt.f32.bf16", "f32", "b16")
    yield plain("cvt.rn.f16x2.f32", "b32", "f32", "f32")
    yield plain("cvt.rn.bf16x2.f32", "b32", "f32", "f32")
    for space in ("const", "global", "local", "shared", "param"):
        yield plain(f"cvta.{space}.u64", "b64", "b64")
        yield plain(f"cvta.to.{space}.u64", "b64", "b64")
    for space in ("const", "global", "local", "shared"):
        yield plain(f"isspacep.{space}", "pred", "b64")


def memory():
    for space in ("global", "shared", "local", "const", ""):
        dot = f".{space}" if space else ""
        for kind in ("b8", "b16", "b32", "b64"):
            value = {"b8": "b16"}.get(kind, kind)
            address = {"": "in", "global": "in"}.get(space, f"{space}in")
            for vector in ("", ".v2", ".v4"):
                yield from access(dot, vector, kind, value, address)
    for kind in ("b8", "b16", "b32", "b64"):
        value = {"b8": "b16"}.get(kind, kind)
        for vector in ("", ".v2", ".v4"):
            yield from loads(".global.nc", vector, kind, value, "in")
    for space in ("global", "shared", ""):
        dot = f".{space}" if space else ""
        address = "sharedin" if space == "shared" else "in"
        yield from atomics(dot, address)


def loads(dot, vector, kind, value, address):
    count = int(vector[2:] or 1)
    if count * int(kind[1:]) > 128:
        return
    names = ["{d}", "{d2}", "{d3}", "{d4}"][:count]
    listed = names[0] if count == 1 else "{{" + ", ".join(names) + "}}"
    mnemonic = f"ld{dot}{vector}.{kind}"
    yield Operation(
        mnemonic, ",".join([value] * count), [], f"{mnemonic} {listed}, [{{{address}}}];"
    )


def access(dot, vector, kind, value, address):
    yield from loads(dot, vector, kind, value, address)
    count = int(vector[2:] or 1)
    if dot == ".const" or count * int(kind[1:]) > 128:
        return
    names = ["{a}", "{b}", "{c}", "{e}"][:count]
    listed = names[0] if count == 1 else "{{" + ", ".join(names) + "}}"
    mnemonic = f"st{dot}{vector}.{kind}"
    yield Operation(
        mnemonic, None, [value] * count, f"{mnemonic} [{{{address}}}], {listed};"
    )


def atomics(dot, address):
    kinds = ["add.u32", "add.u64", "add.f32", "add.f64", "inc.u32", "dec.u32"]
    for name in ("min", "max"):
        kinds += [f"{name}.{kind}" for kind in ("s32", "u32", "s64", "u64")]
    for name in ("and", "or", "xor", "exch"):
        kinds += [f"{name}.b32", f"{name}.b64"]
    for kind in kinds:
        value = base(kind) if "f" in base(kind) else f"b{base(kind)[1:]}"
        mnemonic = f"atom{dot}.{kind}"
        text = f"{mnemonic} {{d}}, [{{{address}}}], {{a}};"
        yield Operation(mnemonic, value, [value], text)
    for value in ("b32", "b64"):
        mnemonic = f"atom{dot}.cas.{value}"
        text = f"{mnemonic} {{d}}, [{{{address}}}], {{a}}, {{b}};"
        yield Operation(mnemonic, value, [value, value], text)


def warps():
    for mode in ("idx", "up", "down", "bfly"):
        mnemonic = f"shfl.sync.{mode}.b32"
        text = f"{mnemonic} {{d}}, {{a}}, {{b}}, 31, -1;"
        yield Operation(mnemonic, "b32", ["b32", "b32"], text)
    for mode in ("all", "any", "uni"):
        mnemonic = f"vote.sync.{mode}.pred"
        yield Operation(mnemonic, "pred", ["pred"], f"{mnemonic} {{d}}, {{a}}, -1;")
    text = "vote.sync.ballot.b32 {d}, {a}, -1;"
    yield Operation("vote.sync.ballot.b32", "b32", ["pred"], text)
    for bits in (32, 64):
        for mode in ("any", "all"):
            mnemonic = f"match.{mode}.sync.b{bits}"
            yield Operation(mnemonic, "b32", [f"b{bits}"], f"{mnemonic} {{d}}, {{a}}, -1;")
    for name in (
        *("add.s32", "min.s32", "max.s32", "min.u32"),
        *("max.u32", "and.b32", "or.b32", "xor.b32"),
    ):
        mnemonic = f"redux.sync.{name}"
        yield Operation(mnemonic, "b32", ["b32"], f"{mnemonic} {{d}}, {{a}}, -1;")
    for text in (
        *("bar.sync 0", "barrier.sync 0", "bar.warp.sync -1"),
        *("membar.cta", "membar.gl", "membar.sys"),
        *("fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.acq_rel.sys"),
        *("fence.sc.cta", "fence.sc.gpu", "fence.sc.sys"),
    ):
        yield Operation(text.split()[0], None, [], f"{text};")
    for name in ("and", "or"):
        mnemonic = f"bar.red.{name}.pred"
        yield Operation(mnemonic, "pred", ["pred"], f"{mnemonic} {{d}}, 0, {{a}};")
    yield Operation("bar.red.popc.u32", "b32", ["pred"], "bar.red.popc.u32 {d}, 0, {a};")


FAMILIES = (
    integer_arithmetic, carries, bits, predicates, float_arithmetic, conversions, memory, warps
)


def operations():
    """All of them, each mnemonic once."""
    found = {}
    for family in FAMILIES:
        for operation in family():
            found.setdefault(operation.mnemonic, operation)
    return list(found.values())


def find(mnemonic):
    return next(o for o in operations() if o.mnemonic == mnemonic)
