"""Short pieces of PTX that show what hardware code folds, joins, predicates and
branches around, for `probe-ptxas --foldings`. Each is an operation as those of
ptx_operations.py, with what it shows in the place of a mnemonic."""

from ptx_operations import Operation

# Names for what a piece computes in between, in a scope of its own.
TEMPORARIES = (
    ".reg .b16 h; .reg .b32 t, t2, t3; .reg .b64 w, w2, w3; .reg .pred z, z2, z3; "
)
PARAMETER = "ld.param.b64 w2, [q]; cvta.to.global.u64 w2, w2; "
IMMEDIATES = {"f32": "0f40A33333", "f64": "0d4014666666666666"}


def piece(what, result, sources, body):
    text = "{{" + TEMPORARIES + body + "}}"
    return Operation(what, result or None, sources.split(), text)


def operand_types(mnemonic, count):
    size = "64" if mnemonic.endswith("64") else "32"
    types = [f"b{size}"] * count
    if mnemonic.startswith(("shl", "shr")):
        types[1] = "b32"
    return types


def constant_operands():
    """A constant in each place of each kind of instruction."""
    classes = {
        3: ("mad.lo.s32", "fma.rn.f32", "fma.rn.f64", "prmt.b32", "shf.l.wrap.b32"),
        2: (
            *("add.s32", "sub.s32", "mul.lo.s32", "mul.hi.u32", "mul.wide.s32"),
            *("min.s32", "and.b32", "shl.b32", "shr.u32", "add.f32", "mul.f32"),
            *("min.f32", "add.s64", "and.b64", "shl.b64", "mul.lo.s64"),
            *("add.f64", "mul.f64"),
        ),
    }
    for count, mnemonics in classes.items():
        for mnemonic in mnemonics:
            for kind in ("immediate", "parameter"):
                for place in range(count):
                    yield constant_operand(mnemonic, count, kind, place)


def constant_operand(mnemonic, count, kind, place):
    types = operand_types(mnemonic, count)
    names = [f"{{{letter}}}" for letter in "abc"[: count - 1]]
    before = ""
    if kind == "immediate":
        value = "7" if mnemonic.startswith("sh") else "1234567"
        value = IMMEDIATES.get(mnemonic[-3:], value)
    else:
        value, source = ("t", "[n]") if types[place] == "b32" else ("w", "[q]")
        before = f"ld.param.{types[place]} {value}, {source}; "
    names.insert(place, value)
    sources = " ".join(types[:place] + types[place + 1 :])
    result = "b64" if "wide" in mnemonic else types[0]
    body = f"{before}{mnemonic} {{d}}, {', '.join(names)};"
    return piece(f"{mnemonic}, {kind} as operand {place + 1}", result, sources, body)


def two_constants():
    load = "ld.param.b32 t, [n]; "
    yield piece(
        "fma.rn.f32 with two immediates",
        *("b32", "b32", "fma.rn.f32 {d}, {a}, 0f40A33333, 0f40A34333;"),
    )
    yield piece(
        "fma.rn.f32 with an immediate and a parameter",
        *("b32", "b32", load + "fma.rn.f32 {d}, {a}, t, 0f40A33333;"),
    )
    yield piece(
        "add.s32 of two parameters, added to a register",
        *("b32", "b32", load + "ld.param.b32 t2, [m]; add.s32 t, t, t2; add.s32 {d}, t, {a};"),
    )
    yield piece("setp.lt.s32 with an immediate", "pred", "b32", "setp.lt.s32 {d}, {a}, 1234;")
    yield piece(
        "selp.b32 with an immediate", "b32", "b32 pred", "selp.b32 {d}, {a}, 1234, {b};"
    )
    yield piece(
        "selp.b32 with two immediates", "b32", "pred", "selp.b32 {d}, 77, 1234, {a};"
    )
    yield piece(
        "ld.const at a fixed address + add",
        *("b32", "b32", "ld.const.b32 t, [cmem+64]; add.s32 {d}, {a}, t;"),
    )


def addresses():
    load = "ld.global.b32 {d}, [w];"
    for what, result, sources, body in (
        ("load at parameter + wide(index) * 4", "b32", "b32",
         PARAMETER + "mul.wide.s32 w, {a}, 4; add.s64 w, w2, w; " + load),
        ("the same as shl of cvt.s64.s32", "b32", "b32",
         PARAMETER + "cvt.s64.s32 w, {a}; shl.b64 w, w, 2; add.s64 w, w2, w; " + load),
        ("the same as shl of cvt.u64.u32", "b32", "b32",
         PARAMETER + "cvt.u64.u32 w, {a}; shl.b64 w, w, 2; add.s64 w, w2, w; " + load),
        ("load at parameter + cvt.s64.s32", "b32", "b32",
         PARAMETER + "cvt.s64.s32 w, {a}; add.s64 w, w2, w; " + load),
        ("load at register pair + wide(index) * 4", "b32", "b32 b64",
         "mul.wide.s32 w, {a}, 4; add.s64 w, {b}, w; " + load),
        ("load at mad.wide", "b32", "b32 b64", "mad.wide.s32 w, {a}, 4, {b}; " + load),
        ("load at the sum of two register pairs", "b32", "b64 b64",
         "add.s64 w, {a}, {b}; " + load),
        ("load at register pair + 1024", "b32", "b64", "add.s64 w, {a}, 1024; " + load),
        ("load at register pair + 100000000", "b32", "b64",
         "add.s64 w, {a}, 100000000; " + load),
        ("ld.shared at symbol + index * 4", "b32", "b32",
         "shl.b32 t, {a}, 2; mov.b32 t2, shmem; add.s32 t, t2, t; ld.shared.b32 {d}, [t];"),
        ("ld.shared at symbol + wide(index) * 4", "b32", "b32",
         "mul.wide.u32 w, {a}, 4; mov.b64 w2, shmem; add.s64 w, w2, w; ld.shared.b32 {d}, [w];"),
        ("ld.const at symbol + wide(index) * 4", "b32", "b32",
         "mul.wide.s32 w, {a}, 4; mov.b64 w2, cmem; add.s64 w, w2, w; ld.const.b32 {d}, [w];"),
    ):
        yield piece(what, result, sources, body)


def joined():
    for result, sources, body in (
        ("b64", "b32 b64", "mul.wide.s32 w, {a}, 4; add.s64 {d}, w, {b};"),
        ("b64", "b32 b32 b64", "mul.wide.s32 w, {a}, {b}; add.s64 {d}, w, {c};"),
        ("b64", "b32 b32 b64", "mad.wide.s32 {d}, {a}, {b}, {c};"),
        ("b32", "b32 b32 b32", "mul.lo.s32 t, {a}, {b}; add.s32 {d}, t, {c};"),
        ("b32", "b32 b32 b32", "mul.lo.s32 t, {a}, {b}; sub.s32 {d}, {c}, t;"),
        ("b32", "b32 b32 b32", "add.s32 t, {a}, {b}; add.s32 {d}, t, {c};"),
        ("b32", "b32 b32 b32", "add.s32 t, {a}, {b}; sub.s32 {d}, t, {c};"),
        ("b32", "b32 b32", "add.s32 t, {a}, {b}; add.s32 {d}, t, 19;"),
        ("b32", "b32", "ld.param.b32 t, [n]; add.s32 t, {a}, t; add.s32 {d}, t, 9;"),
        ("b32", "b32 b32", "neg.s32 t, {a}; add.s32 {d}, t, {b};"),
        ("b32", "b32 b32", "shl.b32 t, {a}, 2; add.s32 {d}, t, {b};"),
        ("b32", "b32", "shl.b32 t, {a}, 2; add.s32 {d}, t, 1000;"),
        ("b32", "b32 b32", "shl.b32 t, {a}, 2; or.b32 {d}, t, {b};"),
        ("b64", "b64 b64", "shl.b64 w, {a}, 2; add.s64 {d}, w, {b};"),
        ("b32", "b32 b32 b32", "and.b32 t, {a}, {b}; or.b32 {d}, t, {c};"),
        ("b32", "b32 b32 b32", "and.b32 t, {a}, {b}; xor.b32 t, t, {c}; or.b32 {d}, t, {a};"),
        ("b32", "b32 b32", "and.b32 t, {a}, 255; or.b32 {d}, t, {b};"),
        ("b32", "b32", "and.b32 t, {a}, 255; or.b32 {d}, t, 4096;"),
        ("b32", "b32 b32", "not.b32 t, {a}; and.b32 {d}, t, {b};"),
        ("b32", "b32 b32", "shl.b32 t, {a}, 5; shr.u32 t2, {b}, 27; or.b32 {d}, t, t2;"),
        ("b32", "b32", "shr.u32 t, {a}, 5; and.b32 {d}, t, 31;"),
        ("b32", "b32", "bfe.u32 {d}, {a}, 8, 8;"),
        ("b32", "b32", "bfe.u32 {d}, {a}, 5, 6;"),
        ("b32", "b32 b32", "bfi.b32 {d}, {a}, {b}, 5, 6;"),
        ("b32", "b32 b32 b32", "add.s32 t, {a}, {b}; min.s32 {d}, t, {c};"),
        ("b32", "b32 b32 b32", "min.s32 t, {a}, {b}; max.s32 {d}, t, {c};"),
        ("b32", "b32 b32 b32", "mul.f32 t, {a}, {b}; add.f32 {d}, t, {c};"),
        ("b32", "b32 b32 b32", "mul.rn.f32 t, {a}, {b}; add.rn.f32 {d}, t, {c};"),
        ("b32", "b32 b32", "add.f32 t, {a}, {b}; cvt.sat.f32.f32 {d}, t;"),
        ("pred", "b32 b32 b32", "setp.lt.s32 z, {a}, {b}; setp.gt.s32 z2, {c}, 17; and.pred {d}, z, z2;"),
        ("pred", "b32 b32", "setp.lt.f32 z, {a}, 0f40A33333; setp.gt.f32 z2, {b}, 0f40A33333; or.pred {d}, z, z2;"),
        ("pred", "b32 b32 b32", "setp.lt.s32 z, {a}, 3; setp.gt.s32 z2, {b}, 17; setp.gt.s32 z3, {c}, 17; and.pred z, z, z2; and.pred {d}, z, z3;"),
        ("pred", "b32", "setp.lt.s32 z, {a}, 3; not.pred {d}, z;"),
        ("pred", "b32 b32", "and.b32 t, {a}, {b}; setp.eq.s32 {d}, t, 0;"),
        ("pred", "b32 b32", "add.s32 t, {a}, {b}; setp.eq.s32 {d}, t, 0;"),
        ("b32", "b32 b32", "setp.lt.s32 z, {a}, {b}; selp.b32 {d}, {a}, {b}, z;"),
        ("b32", "b32 b32", "setp.lt.f32 z, {a}, {b}; selp.f32 {d}, {a}, {b}, z;"),
    ):
        yield piece(shown(body), result, sources, body)


def modifiers():
    f32 = {
        "add.f32 {d}, t, {b};": "b32 b32",
        "mul.f32 {d}, t, {b};": "b32 b32",
        "min.f32 {d}, t, {b};": "b32 b32",
        "fma.rn.f32 {d}, t, {b}, {c};": "b32 b32 b32",
        "rcp.approx.ftz.f32 {d}, t;": "b32",
        "cvt.rzi.s32.f32 {d}, t;": "b32",
    }
    for name in ("neg.f32", "abs.f32"):
        for user, sources in f32.items():
            body = f"{name} t, {{a}}; {user}"
            yield piece(shown(body), "b32", sources, body)
    body = "abs.f32 t, {a}; setp.lt.f32 {d}, t, {b};"
    yield piece(shown(body), "pred", "b32 b32", body)
    body = "neg.f64 w, {a}; fma.rn.f64 {d}, w, {b}, {c};"
    yield piece(shown(body), "b64", "b64 b64 b64", body)


def conversions():
    for result, sources, body in (
        ("b32", "b64", "ld.global.b8 h, [{a}]; cvt.u32.u8 {d}, h;"),
        ("b32", "b64", "ld.global.b8 h, [{a}]; cvt.s32.s8 {d}, h;"),
        ("b32", "b64", "ld.global.s8 h, [{a}]; cvt.s32.s8 {d}, h;"),
        ("b32", "b64", "ld.global.b16 h, [{a}]; cvt.u32.u16 {d}, h;"),
        ("b32", "b64", "ld.global.b16 h, [{a}]; cvt.s32.s16 {d}, h;"),
        ("b32", "b64", "ld.global.b8 h, [{a}]; cvt.rn.f32.u16 {d}, h;"),
        ("", "b32 b64", "cvt.u16.u32 h, {a}; st.global.b8 [{b}], h;"),
        ("b32", "b64 b32", "cvt.u32.u64 t, {a}; add.s32 {d}, t, {b};"),
        ("b64", "b32 b64", "cvt.u64.u32 w, {a}; add.s64 {d}, w, {b};"),
        ("b64", "b32 b64", "cvt.s64.s32 w, {a}; add.s64 {d}, w, {b};"),
        ("b64", "b32 b32", "cvt.u64.u32 w, {a}; shl.b64 w, w, 32; cvt.u64.u32 w2, {b}; or.b64 {d}, w, w2;"),
        ("b64", "b64", "shl.b64 {d}, {a}, 32;"),
        ("b64", "b64", "shr.u64 {d}, {a}, 32;"),
        ("b64", "b64", "shr.u64 {d}, {a}, 3;"),
        ("b64", "b64", "and.b64 {d}, {a}, 255;"),
        ("pred", "b64", "setp.ne.s64 {d}, {a}, 0;"),
    ):
        yield piece(shown(body), result, sources, body)


def arithmetic(count, first="{a}"):
    """A chain of instructions that cannot be joined."""
    steps = [f"mul.lo.s32 t, {first}, {{b}};"]
    for step in range(1, count):
        shift = f"shf.l.wrap.b32 t, t, t, {step + 3};"
        steps.append(f"min.s32 t, t, {1000 + step};" if step % 2 else shift)
    return " ".join(steps)


def branches():
    divergent = "setp.lt.s32 z, {a}, {b}; @!z bra S; "
    for count in (1, 2, 4, 6, 8, 9, 12, 16):
        body = f"mov.b32 t, {{a}}; {divergent}{arithmetic(count)} S: mov.b32 {{d}}, t;"
        yield piece(f"if: {count} arithmetic", "b32", "b32 b32", body)
    for count in (1, 4, 6, 8, 12):
        other = arithmetic(count, "{b}").replace("mul.lo", "mul.hi")
        body = (
            "setp.lt.s32 z, {a}, {b}; @!z bra E; "
            f"{arithmetic(count)} bra S; E: {other} S: mov.b32 {{d}}, t;"
        )
        yield piece(f"if: {count} arithmetic, else: {count}", "b32", "b32 b32", body)
    for count in (1, 4, 8, 10, 12):
        stores = "".join(f"st.global.b32 [{{c}}+{n * 64}], {{a}}; " for n in range(count))
        yield piece(f"if: {count} stores", "", "b32 b32 b64", f"{divergent}{stores}S:")
    uniform = "ld.param.b32 t3, [n]; mov.b32 t, {a}; setp.lt.s32 z, t3, 5; @!z bra S; "
    for count in (2, 12):
        body = f"{uniform}{arithmetic(count)} S: mov.b32 {{d}}, t;"
        yield piece(f"if on a parameter: {count} arithmetic", "b32", "b32 b32", body)
    start = "mov.b32 t, {a}; mov.b32 t2, 0; "
    step = (
        'L: .pragma "nounroll"; mul.lo.s32 t, t, {b}; add.s32 t2, t2, 1; '
        "setp.lt.s32 z, t2, LIMIT; @z bra L; mov.b32 {d}, t;"
    )
    for what, before, limit in (
        ("register", "", "{b}"),
        ("parameter", "ld.param.b32 t3, [n]; ", "t3"),
        ("constant", "", "100"),
    ):
        body = before + start + step.replace("LIMIT", limit)
        yield piece(f"loop of one mul.lo.s32 up to a {what}", "b32", "b32 b32", body)


def shown(body):
    """PTX as a table has it."""
    for letter in "abcd":
        body = body.replace(f"{{{letter}}}", letter)
    return f"`{body.rstrip(';').strip()}`"


SECTIONS = {
    "Constants as operands": (constant_operands, two_constants),
    "Addresses": (addresses,),
    "Instructions that are joined": (joined,),
    "Modifiers of floating-point operands": (modifiers,),
    "Conversions and parts of 64 bits": (conversions,),
    "Branches and loops": (branches,),
}


def sections():
    """Operations by heading."""
    return {
        heading: [piece for family in families for piece in family()]
        for heading, families in SECTIONS.items()
    }
