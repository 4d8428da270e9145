// Groups of every kind, with our own headers: what each thread gets of its
// group is compared with a plain computation on lists of threads.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %if !asan %{ env REGSHARE_SCHEME=regmutex REGSHARE_TIMING=0 %run %t | FileCheck %s %}
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
// RUN: %if !asan %{ not %regshare_clang -O2 -DLARGE %s -o %t.large 2>&1 | FileCheck %s --check-prefix=LARGE %}
// LARGE: error: static assertion failed{{.*}}: the size of a tile is a power of two of at most 1,024
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <functional>
#include <vector>

namespace cg = cooperative_groups;

constexpr int Threads = 96, Facts = 17;

__host__ __device__ inline int valueOf(int Thread) {
  return Thread * 37 % 23 - 5;
}

struct Pair {
  double A;
  short B;
};

template <typename Group> __device__ void tell(const Group &G, int *Out) {
  int Thread = threadIdx.x, Value = valueOf(Thread);
  Out += Thread * Facts;
  Out[0] = G.size();
  Out[1] = G.thread_rank();
  Out[2] = G.shfl(Value, G.size() / 2);
  Out[3] = G.shfl_up(Value, 2);
  Out[4] = G.shfl_down(Value, 3);
  Out[5] = G.any(Value == 3);
  Out[6] = G.all(Value < 15);
  Out[7] = G.ballot(Value % 2);
  Out[8] = G.match_any(Value % 4);
  int Predicate = -1;
  Out[9] = G.match_all(Thread / 64, Predicate);
  Out[10] = Predicate;
  Out[11] = cg::reduce(G, Value, cg::plus<int>());
  Out[12] = cg::reduce(G, Value, [](int A, int B) { return A < B ? A : B; });
  Out[13] = cg::inclusive_scan(G, Value);
  Out[14] = cg::exclusive_scan(G, Value, cg::bit_xor<int>());
  Pair P = G.shfl(Pair{Value * 0.5, short(Thread)}, 1 % G.size());
  Out[15] = int(P.A * 2) * 1000 + P.B;
  Out[16] = cg::invoke_one_broadcast(G, [&] { return Thread + 7; });
  G.sync();
}

enum Kind { Eights, Warps, Sixteens, Most, Labels, Halves, Fours, Kinds };

__global__ void groups(int *Out, Kind Which) {
  auto Block = cg::this_thread_block();
  auto Warp = cg::tiled_partition<32>(Block);
  cg::thread_block_tile<16> Sixteen = cg::tiled_partition<16>(Warp);
  if (Which == Eights)
    tell(cg::tiled_partition<8>(Warp), Out);
  else if (Which == Warps)
    tell(Warp, Out);
  else if (Which == Sixteens)
    tell(Sixteen, Out);
  else if (Which == Labels)
    tell(cg::labeled_partition(Warp, int(threadIdx.x % 5)), Out);
  else if (Which == Halves)
    tell(cg::binary_partition(Sixteen, threadIdx.x % 3 == 1), Out);
  else if (threadIdx.x % 4 != 2) {
    cg::coalesced_group Active = cg::coalesced_threads();
    if (Which == Most)
      tell(Active, Out);
    else
      tell(cg::tiled_partition(Active, 4), Out);
  }
}

/// The group of a thread: those of one number are together. -1: in none.
static int groupOf(Kind Which, int Thread) {
  int Warp = Thread / 32, Lane = Thread % 32;
  switch (Which) {
  case Eights:
    return Thread / 8;
  case Warps:
    return Warp;
  case Sixteens:
    return Thread / 16;
  case Labels:
    return Warp * 5 + Thread % 5;
  case Halves:
    return Thread / 16 * 2 + (Thread % 3 == 1);
  case Most:
    return Thread % 4 == 2 ? -1 : Warp;
  default:
    return Thread % 4 == 2 ? -1 : Warp * 8 + (Lane - (Lane + 1) / 4) / 4;
  }
}

static std::vector<int> expected(Kind Which, int Thread) {
  std::vector<int> G;
  for (int T = 0; T != Threads; ++T)
    if (groupOf(Which, T) == groupOf(Which, Thread))
      G.push_back(T);
  int Size = int(G.size()), Rank = 0, Value = valueOf(Thread);
  while (G[Rank] != Thread)
    ++Rank;
  std::vector<int> V;
  for (int T : G)
    V.push_back(valueOf(T));
  auto Bits = [&](std::function<bool(int)> Is) {
    unsigned Mask = 0;
    for (int N = 0; N != Size; ++N)
      Mask |= unsigned(Is(N)) << N;
    return int(Mask);
  };
  int Sum = 0, Least = V[0], Inclusive = 0, Exclusive = 0;
  bool Same = G.front() / 64 == G.back() / 64;
  for (int N = 0; N != Size; ++N) {
    Sum += V[N];
    Least = std::min(Least, V[N]);
    Inclusive += N <= Rank ? V[N] : 0;
    Exclusive ^= N < Rank ? V[N] : 0;
  }
  return {Size,
          Rank,
          V[Size / 2],
          Rank < 2 ? Value : V[Rank - 2],
          Rank + 3 < Size ? V[Rank + 3] : Value,
          Bits([&](int N) { return V[N] == 3; }) != 0,
          Bits([&](int N) { return V[N] >= 15; }) == 0,
          Bits([&](int N) { return V[N] % 2 != 0; }),
          Bits([&](int N) { return V[N] % 4 == Value % 4; }),
          Same ? Bits([](int) { return true; }) : 0,
          Same,
          Sum,
          Least,
          Inclusive,
          Exclusive,
          V[1 % Size] * 1000 + G[1 % Size],
          G[0] + 7};
}

static int testGroups() {
  int *D, Wrong = 0;
  cudaMalloc(&D, Threads * Facts * sizeof(int));
  for (int K = 0; K != Kinds; ++K) {
    std::vector<int> Out(Threads * Facts);
    cudaMemset(D, 0, Out.size() * sizeof(int));
    groups<<<1, Threads>>>(D, Kind(K));
    cudaMemcpy(Out.data(), D, Out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int T = 0; T != Threads; ++T) {
      if (groupOf(Kind(K), T) < 0)
        continue;
      std::vector<int> Wanted = expected(Kind(K), T);
      for (int F = 0; F != Facts; ++F)
        if (Out[T * Facts + F] != Wanted[F] && Wrong++ < 10)
          std::printf("kind %d, thread %d, fact %d: %d, not %d\n", K, T, F,
                      Out[T * Facts + F], Wanted[F]);
    }
  }
  return Wrong;
}

//===--- Blocks, the grid, copies -----------------------------------------===//

__global__ void numbers(unsigned *Out) {
  cg::thread_block Block = cg::this_thread_block();
  cg::grid_group Grid = cg::this_grid();
#ifdef LARGE
  cg::sync(cg::tiled_partition<2048>(Block));
#endif
  unsigned *Mine = Out + 8 * Grid.thread_rank();
  Mine[0] = Block.thread_rank();
  Mine[1] = Block.group_index().y;
  Mine[2] = Block.thread_index().z;
  Mine[3] = Block.dim_threads().x * 100 + Block.num_threads();
  Mine[4] = Grid.size();
  Mine[5] = Grid.block_rank();
  Mine[6] = Grid.dim_blocks().y;
  cg::thread_group Any = cg::tiled_partition(Block, 4);
  Mine[7] = Any.thread_rank() * 10 + Any.size();
}

/// Turns around what each tile has copied, at any alignment.
__global__ void turn(const char *From, char *To, int Bytes) {
  __shared__ __align__(16) char Shared[2][256];
  auto Tile = cg::tiled_partition<32>(cg::this_thread_block());
  char *Own = Shared[Tile.meta_group_rank()];
  From += Tile.meta_group_rank() * Bytes;
  To += Tile.meta_group_rank() * Bytes;
  cg::memcpy_async(Tile, Own, From, Bytes);
  cg::wait(Tile);
  for (int N = Tile.thread_rank(); N < Bytes; N += Tile.size())
    To[N] = Own[Bytes - 1 - N];
}

static int testNumbers() {
  unsigned *D;
  std::vector<unsigned> Out(8 * 144);
  cudaMalloc(&D, Out.size() * sizeof(unsigned));
  numbers<<<dim3(2, 3), dim3(2, 3, 4)>>>(D);
  cudaMemcpy(Out.data(), D, Out.size() * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  int Wrong = 0;
  for (unsigned N = 0; N != 144; ++N) {
    unsigned InBlock = N % 24, Block = N / 24;
    unsigned Wanted[8] = {InBlock, Block / 2, InBlock / 6,         224, 144,
                          Block,   3,         InBlock % 4 * 10 + 4};
    for (unsigned F = 0; F != 8; ++F)
      if (Out[8 * N + F] != Wanted[F] && Wrong++ < 10)
        std::printf("thread %u, number %u: %u, not %u\n", N, F, Out[8 * N + F],
                    Wanted[F]);
  }
  return Wrong;
}

static int testCopies() {
  char *From, *To;
  cudaMallocManaged(&From, 1024);
  cudaMallocManaged(&To, 1024);
  for (int N = 0; N != 1024; ++N)
    From[N] = char(N * 7);
  int Wrong = 0;
  for (int Bytes : {1, 4, 24, 99, 128, 256}) {
    turn<<<1, 64>>>(From, To, Bytes);
    cudaDeviceSynchronize();
    for (int N = 0; N != 2 * Bytes; ++N)
      Wrong += To[N] != From[N / Bytes * Bytes + Bytes - 1 - N % Bytes];
  }
  return Wrong;
}

int main() {
  // CHECK: groups: 0 wrong
  std::printf("groups: %d wrong\n", testGroups());
  // CHECK-NEXT: numbers: 0 wrong
  std::printf("numbers: %d wrong\n", testNumbers());
  // CHECK-NEXT: copies: 0 wrong
  std::printf("copies: %d wrong\n", testCopies());
  // CHECK-NEXT: no error
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
