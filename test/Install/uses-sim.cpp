// Runs a kernel, with timing, on the installed reference SM.

#include "regshare/Sim/Timing.h"

#include <cstdio>

using namespace regshare;
using namespace regshare::sim;

static const char *const Text = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry squares(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, %r1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)";

int main() {
  GlobalMemory Memory;
  auto P = loadProgram(Text, "squares.ptx", Memory);
  auto Device = loadDevice("gtx480");
  if (!P || !Device)
    return 1;
  uint64_t Out = Memory.allocate(32 * 4);
  auto Arguments = packArguments(*(*P)->findKernel("squares"), {Out});
  auto M = Machine::create(*Device, {});
  if (!Arguments || !M)
    return 1;
  auto Stats = (*M)->run(**P, Memory, "squares", {{1}, {32}, 0, *Arguments});
  unsigned Last = 0;
  if (!Stats || !Stats->Cycles || !Memory.read(Out + 31 * 4, &Last, 4))
    return 1;
  std::printf("%u\n", Last);
  return 0;
}
