// A vote of some lanes takes an issue slot on every architecture.
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: regshare-opt --simulate --functional --block=32 '--arg=buf:u32*32' %t.ptx | FileCheck %s --check-prefix=RUNS
// CHECK-NOT: issue slots=0
// CHECK: vote.sync.ballot.b32
// RUNS: 1 CTA, 32 threads

extern "C" __global__ void odd(unsigned *Place) {
  unsigned Half = threadIdx.x < 16 ? 0xFFFF : 0xFFFF0000;
  Place[threadIdx.x] = __ballot_sync(Half, Place[threadIdx.x] & 1);
}
