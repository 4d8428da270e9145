"""Prints LLVM IR of a kernel with more live values than its launch bounds leave registers, and
two for which ptxas refuses to spill to shared memory."""

VALUES = 60
LINES = ["target triple = \"nvptx64-nvidia-cuda\"",
         "@array = external addrspace(3) global [0 x float]",
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
         "define ptx_kernel void @spills(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {",
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
         "  %b = getelementptr float, ptr addrspace(1) %p, i32 %t"]
for n in range(VALUES):
    LINES += [f"  %a{n} = getelementptr float, ptr addrspace(1) %b, i32 {256 * n}",
              f"  %v{n} = load volatile float, ptr addrspace(1) %a{n}"]
for n in range(VALUES):
    LINES += [f"  %w{n} = fmul float %v{n}, %v{(n + 7) % VALUES}",
              f"  %c{n} = getelementptr float, ptr addrspace(1) %q, i32 {256 * n}",
              f"  store volatile float %w{n}, ptr addrspace(1) %c{n}"]
LINES += ["  ret void", "}",
          "define ptx_kernel void @dynamic(ptr addrspace(1) %p) {",
          "  %v = load float, ptr addrspace(3) @array",
          "  store float %v, ptr addrspace(1) %p",
          "  ret void", "}",
          "declare i32 @vprintf(ptr, ptr)",
          "define ptx_kernel void @prints() {",
          "  %r = call i32 @vprintf(ptr null, ptr null)",
          "  ret void", "}",
          "attributes #0 = { \"nvvm.maxntid\"=\"256\" \"nvvm.minctasm\"=\"8\" }"]
print("\n".join(LINES))
