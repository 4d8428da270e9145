// What each thread gets of groups of every kind, for cooperative-groups.test,
// which compares our headers' with the toolkit's.
#ifdef TOOLKIT
#include <cuda/barrier>
#endif
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct Big {
  double A;
  int B;
  short C;
};
template <typename G> __device__ int sumOf(const G &g, int v) {
  return cg::reduce(g, v, cg::plus<int>());
}
__global__ void k(int *O, float *F, double *D) {
  auto b = cg::this_thread_block();
  unsigned t = b.thread_rank();
  int n = 0;
#define PUT(X) O[n++ * 96 + t] = int(X)
  PUT(b.size());
  PUT(b.num_threads());
  PUT(b.group_index().x);
  PUT(b.thread_index().y);
  PUT(b.dim_threads().x);
  PUT(b.group_dim().y);
  auto t32 = cg::tiled_partition<32>(b);
  auto t8 = cg::tiled_partition<8>(b);
  auto t4 = cg::tiled_partition<4>(t32);
  cg::thread_block_tile<16> t16 = cg::tiled_partition<16>(b);
  cg::thread_group tg = cg::tiled_partition(b, 8);
  cg::thread_group tgg = cg::tiled_partition(tg, 2);
  cg::thread_group whole = b;
  cg::thread_group sl = t8;
  PUT(tg.size());
  PUT(tg.thread_rank());
  PUT(tgg.thread_rank());
  PUT(tgg.size());
  PUT(whole.size());
  PUT(whole.thread_rank());
  PUT(sl.size());
  PUT(sl.thread_rank());
  sl.sync();
  whole.sync();
  tg.sync();
  PUT(t32.meta_group_rank());
  PUT(t32.meta_group_size());
  PUT(t8.meta_group_rank());
  PUT(t8.meta_group_size());
  PUT(t4.meta_group_rank());
  PUT(t4.meta_group_size());
  PUT(t16.thread_rank());
  PUT(t16.meta_group_rank());
  PUT(t16.size());
  PUT(t16.meta_group_size());
  PUT(t8.shfl(t, 3));
  PUT(t8.shfl_up(t, 2));
  PUT(t8.shfl_down(t, 3));
  PUT(t8.shfl_xor(t, 5));
  PUT(t32.shfl(t, 9));
  PUT(t32.shfl_xor(t, 17));
  Big big = {t * 1.5, int(t), short(t + 1)};
  big = t16.shfl_xor(big, 3);
  PUT(big.A * 2);
  PUT(big.B);
  PUT(big.C);
  PUT(t8.any(t == 11));
  PUT(t8.all(t % 8 < 7));
  PUT(t8.all(1));
  PUT(t8.ballot(t % 3 == 0));
  PUT(t32.ballot(t % 5 == 0));
  PUT(t8.match_any(t % 3));
  int p = 7;
  PUT(t8.match_all(t / 8, p));
  PUT(p);
  p = 9;
  PUT(t8.match_all(t / 4, p));
  PUT(p);
  PUT(t8.match_any((long long)(t % 2)));
  auto bp = cg::binary_partition(t16, t % 3 == 1);
  PUT(bp.size());
  PUT(bp.thread_rank());
  PUT(bp.meta_group_rank());
  PUT(bp.meta_group_size());
  auto all = cg::binary_partition<16>(t16, t < 48);
  PUT(all.size());
  PUT(all.thread_rank());
  PUT(all.meta_group_rank());
  PUT(all.meta_group_size());
  auto lp = cg::labeled_partition(t32, int(t % 5));
  PUT(lp.size());
  PUT(lp.thread_rank());
  PUT(lp.meta_group_rank());
  PUT(lp.meta_group_size());
  PUT(cg::reduce(lp, int(t), cg::plus<int>()));
  PUT(cg::reduce(lp, int(t), cg::less<int>()));
  PUT(cg::inclusive_scan(lp, int(t)));
  PUT(cg::exclusive_scan(lp, int(t)));
  PUT(cg::exclusive_scan(lp, int(t), cg::greater<int>()));
  if (t % 4 != 2) {
    auto c = cg::coalesced_threads();
    PUT(c.size());
    PUT(c.thread_rank());
    PUT(c.shfl(t, 5));
    PUT(c.shfl_up(t, 3));
    PUT(c.shfl_down(t, 4));
    PUT(c.any(t == 1));
    PUT(c.all(t < 32));
    PUT(c.ballot(t % 3 == 1));
    PUT(c.match_any(int(t % 7)));
    int q;
    PUT(c.match_all(int(t / 64), q));
    PUT(q);
    PUT(c.meta_group_size());
    PUT(c.meta_group_rank());
    PUT(cg::reduce(c, int(t), cg::greater<int>()));
    PUT(cg::reduce(c, t, cg::bit_xor<unsigned>()));
    PUT(cg::reduce(c, t, cg::bit_or<unsigned>()));
    PUT(cg::reduce(c, t | 64, cg::bit_and<unsigned>()));
    F[t] = cg::reduce(c, 1.0f / (t + 1), cg::plus<float>());
    PUT(cg::inclusive_scan(c, int(t), cg::plus<int>()));
    PUT(cg::exclusive_scan(c, int(t), cg::plus<int>()));
    auto ct = cg::tiled_partition(c, 4);
    PUT(ct.size());
    PUT(ct.thread_rank());
    auto cb = cg::binary_partition(c, t % 8 == 1);
    PUT(cb.size());
    PUT(cb.thread_rank());
    auto cl = cg::labeled_partition(c, t % 3);
    PUT(cl.size());
    PUT(cl.thread_rank());
    PUT(sumOf(cl, t));
    Big v = {t * 0.5, int(t), short(t)};
    v = c.shfl(v, 2);
    PUT(v.A * 2);
    PUT(v.B);
    c.sync();
  }
  n = 120;
  F[96 + t] = cg::reduce(t32, 1.0f / (t + 1), cg::plus<float>());
  F[192 + t] = cg::reduce(t8, 1.0f / (t + 1), cg::plus<float>());
  F[288 + t] = cg::inclusive_scan(t32, 1.0f / (t + 1));
  F[384 + t] = cg::exclusive_scan(t16, 1.0f / (t + 1), cg::plus<float>());
  D[t] = cg::reduce(t32, 1.0 / (t + 1), cg::plus<double>());
  PUT(cg::reduce(t32, int(t), cg::plus<int>()));
  PUT(cg::reduce(t16, t * 77 % 13, cg::less<unsigned>()));
  PUT(cg::reduce(t16, int(t * 77 % 13) - 6, cg::greater<int>()));
  PUT(cg::reduce(t32, (long long)t << 3, cg::plus<long long>()));
  PUT(cg::reduce(t8, int(t), [](int a, int b) { return a > b ? a : b; }));
  PUT(cg::inclusive_scan(t32, int(t)));
  PUT(cg::exclusive_scan(t32, int(t)));
  PUT(cg::exclusive_scan(t8, int(t % 5), cg::less<int>()));
  PUT(cg::inclusive_scan(t8, int(t * 7 % 5), cg::less<int>()));
  PUT(cg::exclusive_scan(t8, unsigned(t % 5 + 3), cg::bit_and<unsigned>()));
  PUT(cg::exclusive_scan(t8, unsigned(t % 5 + 3), cg::bit_or<unsigned>()));
  PUT(cg::exclusive_scan(t8, unsigned(t % 5 + 3), cg::bit_xor<unsigned>()));
  __shared__ int S[96];
  __shared__ alignas(16) char Bytes[400];
  cg::memcpy_async(b, S, O, sizeof(int) * 96);
  cg::wait(b);
  PUT(S[95 - t]);
  b.sync();
  cg::memcpy_async(t32, Bytes + t / 32 * 100, (char *)O + 1 + t / 32 * 100, 99);
  cg::wait(t32);
  PUT(Bytes[t / 32 * 100 + t % 32 * 3]);
  b.sync();
  cg::memcpy_async(b, S, cuda::aligned_size_t<16>(96), O,
                   cuda::aligned_size_t<16>(96));
  cg::wait_prior<0>(b);
  PUT(S[95 - t]);
  auto g = cg::this_grid();
  PUT(g.size());
  PUT(g.thread_rank());
  PUT(g.dim_blocks().x);
  PUT(g.block_rank());
  PUT(g.num_blocks());
  PUT(g.block_index().x);
  PUT(g.group_dim().x);
  PUT(cg::thread_rank(t8));
  PUT(cg::group_size(t8));
  cg::sync(t8);
  cg::sync(b);
  cg::invoke_one(t8, [&](int x) { O[(n) * 96 + t / 8] = x + t / 8; }, 5);
  n++;
  PUT(cg::invoke_one_broadcast(t8, [&](int x) { return x + int(t / 8); }, 5));
  auto tok = b.barrier_arrive();
  b.barrier_wait(std::move(tok));
  PUT(sizeof(b.size()));
  PUT(sizeof(t32.size()));
  PUT(sizeof(whole.size()));
  PUT(sizeof(g.size()));
  PUT(sizeof(bp.size()));
  PUT(sizeof(tg.thread_rank()));
  PUT(sizeof(t32.thread_rank()));
}
int main() {
  int *O;
  float *F;
  double *D;
  cudaMallocManaged(&O, 96 * 200 * 4);
  cudaMallocManaged(&F, 96 * 5 * 4);
  cudaMallocManaged(&D, 96 * 8);
  cudaMemset(O, 0, 96 * 200 * 4);
  cudaMemset(F, 0, 96 * 5 * 4);
  k<<<1, dim3(24, 4)>>>(O, F, D);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 200; i++) {
    printf("%d:", i);
    for (int t = 0; t < 96; t++)
      printf(" %d", O[i * 96 + t]);
    puts("");
  }
  for (int i = 0; i < 480; i++)
    printf("%a%s", F[i], i % 8 == 7 ? "\n" : " ");
  for (int i = 0; i < 96; i++)
    printf("%a%s", D[i], i % 8 == 7 ? "\n" : " ");
}
