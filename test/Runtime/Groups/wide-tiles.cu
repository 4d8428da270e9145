// Tiles of cooperative groups that are wider than a warp, of our own header:
// ranks, barriers, votes, values of one thread and of all, of every size, in
// blocks with several of them that do not run in step.
// RUN: %regshare_clang -std=c++17 -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: %if !asan %{ env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=regmutex %run %t | FileCheck %s %}
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 %run %t without 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: the kernel executed 'trap'
// WITHOUT: a kernel failed
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;
constexpr int BlockSize = 1024;

struct Pair {
  long long Sum;
  int Most, Count;
};

struct Join {
  __device__ Pair operator()(const Pair &A, const Pair &B) const {
    return {A.Sum + B.Sum, A.Most > B.Most ? A.Most : B.Most,
            A.Count + B.Count};
  }
};

/// Out has for each thread eight numbers, which main() computes as well.
template <unsigned Size> __global__ void ask(long long *Out) {
  __shared__ cg::block_tile_memory<BlockSize> Memory;
  __shared__ int Box[BlockSize];
  auto Block = cg::this_thread_block(Memory);
  auto Tile = cg::tiled_partition<Size>(Block);
  int T = threadIdx.x;
  long long *Own = Out + 8 * T;
  Own[0] = Tile.thread_rank() * 10000 + Tile.meta_group_rank() * 100 +
           Tile.meta_group_size();
  Own[1] = 0;
  // Some tiles meet more often than others.
  for (unsigned R = 0; R != 3 + Tile.meta_group_rank(); ++R) {
    Box[T] = int(R) * 5 + T;
    Tile.sync();
    Own[1] += Box[T / Size * Size + (T + 37) % Size];
    Tile.sync();
  }
  Own[2] = Tile.shfl(T * 3, Size - 7);
  Own[3] = Tile.any(T % BlockSize == 77) * 2 + Tile.all(T != 77);
  Own[4] = cg::reduce(Tile, T, cg::plus<int>());
  Pair P = cg::reduce(Tile, Pair{T * 1ll << 33, T % 50, 1}, Join());
  Own[5] = P.Sum;
  Own[6] = P.Most * 10000 + P.Count;
  // A warp's tile of the wide one.
  auto Warp = cg::tiled_partition<32>(Tile);
  Own[7] =
      cg::reduce(Warp, T, cg::greater<int>()) * 100 + Warp.meta_group_size();
}

template <unsigned Size> static int wrong(long long *D) {
  static long long Got[8 * BlockSize];
  int Wrong = 0;
  ask<Size><<<1, BlockSize>>>(D);
  cudaMemcpy(Got, D, sizeof(Got), cudaMemcpyDeviceToHost);
  for (int T = 0; T != BlockSize; ++T) {
    const long long *G = Got + 8 * T;
    int First = T / Size * Size, Meta = T / Size;
    long long Want[8] = {(T - First) * 10000 + Meta * 100 + BlockSize / Size, 0,
                         (First + int(Size) - 7) * 3};
    for (int R = 0; R != 3 + Meta; ++R)
      Want[1] += R * 5 + First + (T + 37) % int(Size);
    bool Has = First <= 77 && 77 < First + int(Size);
    Want[3] = Has ? 2 : 1;
    int Most = 0;
    for (int O = First; O != First + int(Size); ++O) {
      Want[4] += O;
      Want[5] += O * 1ll << 33;
      Most = O % 50 > Most ? O % 50 : Most;
    }
    Want[6] = Most * 10000 + int(Size);
    Want[7] = (T / 32 * 32 + 31) * 100 + Size / 32;
    for (int N = 0; N != 8; ++N)
      Wrong += G[N] != Want[N];
  }
  return Wrong;
}

/// Without memory for the tiles to meet in.
__global__ void without(int *Out) {
  auto Tile = cg::tiled_partition<64>(cg::this_thread_block());
  *Out = int(Tile.meta_group_size());
}

int main(int Argc, char **) {
  long long *D;
  cudaMalloc(&D, 8 * BlockSize * sizeof(long long));
  if (Argc > 1) {
    without<<<1, 64>>>(reinterpret_cast<int *>(D));
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
  }
  // CHECK: 64: 0 wrong
  std::printf("64: %d wrong\n", wrong<64>(D));
  // CHECK: 128: 0 wrong
  std::printf("128: %d wrong\n", wrong<128>(D));
  // CHECK: 256: 0 wrong
  std::printf("256: %d wrong\n", wrong<256>(D));
  // CHECK: 512: 0 wrong
  std::printf("512: %d wrong\n", wrong<512>(D));
  // CHECK: 1024: 0 wrong
  std::printf("1024: %d wrong\n", wrong<1024>(D));
  // CHECK: no error
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
