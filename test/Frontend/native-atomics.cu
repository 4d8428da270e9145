// An integer atomic on an address that all lanes share is one of the warp in
// native code, done by one of the lanes that are there; what each lane gets
// back is as if they had come one after the other.
// RUN: regshare-opt %s --kernel=count --code=native -mcpu=sm_75 --emit=ptx -o - | FileCheck %s --check-prefixes=COUNT,SM75
// RUN: regshare-opt %s --kernel=count --code=native -mcpu=sm_80 --emit=ptx -o - | FileCheck %s --check-prefixes=COUNT,SM80
// RUN: regshare-opt %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// PTX-NOT: activemask
// COUNT: .entry count(
// COUNT: activemask.b32
// COUNT: popc.b32
// COUNT: atom.global.add.u
// COUNT: shfl.sync.idx.b32
// SM75-NOT: redux
// SM80: redux.sync.add.s32
// Neither what differs from lane to lane, nor floating point.
// COUNT: .entry plain(
// COUNT-NOT: activemask
// COUNT: ret;

// Lanes of odd number are in one branch, the others in the other; what each
// lane finds is the same in both forms.
// RUN: regshare-opt %s --kernel=count --simulate --functional --block=40 --grid=3 --arg=buf:i32*8 --arg=buf:i64*1 --arg=buf:i32*120 --arg=5 \
// RUN:   --check-arg=0=300,7110,-60,19,55,7,119,0 --check-arg=1=515396075580 --print-arg=2:120 -o - | grep -v instructions > %t.ptx
// RUN: regshare-opt %s --kernel=count --code=native -mcpu=sm_80 --simulate --functional --block=40 --grid=3 --arg=buf:i32*8 --arg=buf:i64*1 --arg=buf:i32*120 --arg=5 \
// RUN:   --check-arg=0=300,7110,-60,19,55,7,119,0 --check-arg=1=515396075580 --print-arg=2:120 -o - | grep -v instructions > %t.native
// RUN: cmp %t.ptx %t.native
// RUN: regshare-opt %s --kernel=count --code=native --simulate --functional --block=40 --grid=3 --arg=buf:i32*8 --arg=buf:i64*1 --arg=buf:i32*120 --arg=5 \
// RUN:   --check-arg=0=300,7110,-60,19,55,7,119,0 --check-arg=1=515396075580 --print-arg=2:120 -o - | grep -v instructions > %t.native
// RUN: cmp %t.ptx %t.native

extern "C" __global__ void count(int *sums, unsigned long long *wide,
                                 int *found, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t & 1)
    found[t] = atomicAdd(&sums[0], n);
  else
    found[t] = int(atomicAdd(wide, 8589934593ull) >> 33);
  atomicAdd(&sums[1], t - (t < 30));
  atomicSub(&sums[2], t % 2);
  atomicMax(&sums[3], n + 14);
  atomicOr(&sums[4], t % 4 == 3 ? 33 : 22);
  if (t < 3)
    atomicXor(&sums[5], n + 2);
  atomicMax(&sums[6], t);
}

extern "C" __global__ void plain(int *sums, float *f) {
  atomicAdd(&sums[threadIdx.x % 2], 1);
  atomicAdd(f, 1.0f);
}
