// An atomic on one address is done by one lane, whose result others get by a
// shuffle; the verifier of folds takes both, which have other operands than
// loads and stores.
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s | FileCheck %s
// CHECK: atom.global.add
// CHECK: shfl.sync.idx

extern "C" __global__ void next(int *Place, int *Counter) {
  Place[threadIdx.x] = atomicAdd(Counter, 1);
}
