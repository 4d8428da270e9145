"""Kernels that show what ptxas keeps in uniform registers, for `probe-ptxas
--foldings`. Values are computed before a loop and read in it, so that all are alive
there; by how many registers and instructions a kernel with 12 of them takes more than
one with 4 is what each of them takes."""

import cubin

FEW, MANY = 4, 12
PARAMETERS = 16
HEAD = (
    """.version 8.0
.target {arch}
.address_size 64
.pragma "nounroll";
.visible .entry k(.param .u64 o, .param .u32 n, .param .u32 m, """
    + ", ".join(f".param .u64 q{i}" for i in range(PARAMETERS))
    + """) {{
.reg .b32 %r<400>; .reg .b64 %d<300>; .reg .pred %p<100>; .reg .f32 %f<100>;
ld.param.u64 %d0, [o]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [m];
mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;
mul.wide.u32 %d1, %r3, 4; add.s64 %d1, %d1, %d0;
mad.lo.s32 %r9, %r4, %r5, %r3; mul.wide.s32 %d11, %r9, %r9; cvt.s64.s32 %d12, %r9;
"""
    + "".join(f"ld.param.u64 %d{200 + i}, [q{i}];\n" for i in range(PARAMETERS))
)
# A value of the CTA's, and what reads one without hindering anything.
VALUE = "mul.lo.s32 %r{v}, %r4, {k};"
READER = "xor.b32 %r11, %r11, %r{v}; add.s32 %r11, %r11, %r3;"
COUNT = "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r0; @%p1 bra L;"
COUNT_APART = "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r9; @%p1 bra L;"
STORE = "st.volatile.global.u32 [%d1], %r11;"


def each(count, text):
    """`text` for each value: v is its number, k a constant of its own."""
    return "\n".join(
        text.format(v=100 + n, w=150 + n, p=20 + n, q=200 + n, k=1001 + 7 * n)
        for n in range(count)
    )


def loop(before, body, count, end=COUNT):
    return (
        f"{each(count, before)}\nmov.u32 %r10, 0; mov.u32 %r11, %r3;\nL:\n"
        f"{each(count, body)}\n{STORE}\n{end}\nret;\n}}\n"
    )


def probes():
    """Of each table the rows: what each shows, and its kernel by the number of
    values."""

    def computed(text):
        return lambda count: loop(text, READER, count)

    def read(text):
        return lambda count: loop(VALUE, text, count)

    def carried(text, end=COUNT):
        return lambda count: loop("mov.u32 %r{v}, {k};", READER + text, count, end)

    def address(text):
        return lambda count: loop("", text, count)

    return {
        "what computes it": {
            "`%ctaid` times a number": computed(VALUE),
            "times a parameter, and a number": computed(
                "mad.lo.s32 %r{v}, %r4, %r1, {k};"
            ),
            "upper half of a product": computed("mul.hi.u32 %r{v}, %r4, {k}00001;"),
            "exclusive or, and a shift by a parameter": computed(
                "xor.b32 %r{v}, %r4, {k}; shl.b32 %r{v}, %r{v}, %r1;"
            ),
            "maximum": computed("max.s32 %r{v}, %r4, {k};"),
            "absolute value": computed("xor.b32 %r{v}, %r4, {k}; abs.s32 %r{v}, %r{v};"),
            "conversion to floating point": computed(
                "add.s32 %r{w}, %r4, {k}; cvt.rn.f32.s32 %f1, %r{w}; mov.b32 %r{v}, %f1;"
            ),
            "a load from a parameter": computed("ld.global.nc.u32 %r{v}, [%d{q}];"),
            "a counter in the loop": carried("add.s32 %r{v}, %r{v}, {k};"),
            "the same, if lanes leave the loop one by one": carried(
                "add.s32 %r{v}, %r{v}, {k};", COUNT_APART
            ),
        },
        "what reads it": {
            "exclusive or": read(READER),
            "`add`": read("mul.lo.s32 %r11, %r11, %r3; add.s32 %r11, %r11, %r{v};"),
            "`mad`, a product's factor": read("mad.lo.s32 %r11, %r{v}, %r11, %r3;"),
            "`mad`, what is added": read("mad.lo.s32 %r11, %r3, %r11, %r{v};"),
            "the same, and a number": read("mad.lo.s32 %r11, %r11, {v}, %r{v};"),
            "`shl`, what is shifted": read("shl.b32 %r11, %r{v}, %r11;"),
            "`shl`, by how much": read("shl.b32 %r11, %r11, %r{v};"),
            "`setp`": read(
                "setp.lt.u32 %p{p}, %r11, %r{v}; selp.b32 %r11, %r11, %r3, %p{p}; "
                "mul.lo.s32 %r11, %r11, %r11;"
            ),
            "`min`": read("min.u32 %r11, %r11, %r{v}; add.s32 %r11, %r11, %r3;"),
            "`prmt`, the second": read("prmt.b32 %r11, %r11, %r{v}, 0x2136;"),
            "`add.f32`": read(
                "mov.b32 %f1, %r11; mov.b32 %f2, %r{v}; add.rn.f32 %f1, %f1, %f2; "
                "mov.b32 %r11, %f1;"
            ),
            "a store": read("st.volatile.global.u32 [%d1], %r{v};"),
        },
        "an address": {
            "a parameter": address("st.volatile.global.u32 [%d{q}], %r3;"),
            "and 64 bits of each lane": address(
                "add.s64 %d{v}, %d{q}, %d11; st.volatile.global.u32 [%d{v}], %r3;"
            ),
            "and 32 bits of each lane": address(
                "add.s64 %d{v}, %d{q}, %d12; st.volatile.global.u8 [%d{v}], %r3;"
            ),
            "and an index times 4": address(
                "mul.wide.s32 %d{v}, %r9, 4; add.s64 %d{v}, %d{v}, %d{q}; "
                "st.volatile.global.u32 [%d{v}], %r3;"
            ),
            "and `%ctaid` times 4": address(
                "mul.wide.s32 %d{v}, %r4, 4; add.s64 %d{v}, %d{v}, %d{q}; "
                "st.volatile.global.u32 [%d{v}], %r3;"
            ),
        },
    }


def slopes(ptxas, arch, kernel):
    """Such as "0 / 3": registers and instructions for each value."""
    few, many = (
        cubin.compile_ptx(ptxas, HEAD.format(arch=arch) + kernel(count), arch)["k"]
        for count in (FEW, MANY)
    )
    figures = (many.registers - few.registers, many.instructions - few.instructions)
    return " / ".join(f"{f / (MANY - FEW):.1f}".removesuffix(".0") for f in figures)


def write(ptxas, archs, page):
    """The section of docs/native-code-probes.md."""
    print("\n## Uniform registers", file=page)
    print("\nRegisters / instructions that one more value takes.", file=page)
    for title, rows in probes().items():
        print(f"\n| {title} | {' | '.join(archs)} |", file=page)
        print("|---" * (len(archs) + 1) + "|", file=page)
        for what, kernel in rows.items():
            cells = [slopes(ptxas, arch, kernel) for arch in archs]
            print(f"| {what} | {' | '.join(cells)} |", file=page)
