// Arithmetic, comparisons and conversions of random halves, special ones among
// them: the device's instructions against the host's calculation with floats
// and doubles. half-precision-toolkit.test compares the checksums of all
// results.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

constexpr int Facts = 120;

__host__ __device__ inline unsigned bits(__half h) {
  __half_raw r = h;
  return r.x;
}
__host__ __device__ inline unsigned bits(__half2 h) {
  __half2_raw r = h;
  return r.x | unsigned(r.y) << 16;
}
__host__ __device__ inline unsigned fbits(float f) {
  unsigned u;
  memcpy(&u, &f, 4);
  return u;
}
#ifdef TOOLKIT
__device__ // Its header has some of it for the device alone.
#else
__host__ __device__
#endif
    inline void all(unsigned short ab, unsigned short bb, unsigned short cb,
                    unsigned *O) {
  __half a = __ushort_as_half(ab), b = __ushort_as_half(bb),
         c = __ushort_as_half(cb);
  __half2 p = __halves2half2(a, b), q = __halves2half2(b, c),
          r = __halves2half2(c, a);
  float f = __half2float(a) * 1.0007f + 1e-6f;
  int n = 0;
#define P(X) O[n++] = (X)
  P(bits(__hadd(a, b)));
  P(bits(__hsub(a, b)));
  P(bits(__hmul(a, b)));
  P(bits(__hfma(a, b, c)));
  P(bits(__hadd_sat(a, b)));
  P(bits(__hsub_sat(a, b)));
  P(bits(__hmul_sat(a, b)));
  P(bits(__hfma_sat(a, b, c)));
  P(bits(__hadd2(p, q)));
  P(bits(__hsub2(p, q)));
  P(bits(__hmul2(p, q)));
  P(bits(__hfma2(p, q, r)));
  P(bits(__hadd_rn(a, b)));
  P(bits(__hmul2_rn(p, q)));
  P(bits(__hfma2_sat(p, q, r)));
  P(__heq(a, b));
  P(__hne(a, b));
  P(__hlt(a, b));
  P(__hle(a, b));
  P(__hgt(a, b));
  P(__hge(a, b));
  P(__hequ(a, b));
  P(__hneu(a, b));
  P(__hltu(a, b));
  P(__hleu(a, b));
  P(__hgtu(a, b));
  P(__hgeu(a, b));
  P(bits(__heq2(p, q)));
  P(bits(__hltu2(p, q)));
  P(__hbge2(p, q));
  P(__hblt2(p, q));
  P(__hbneu2(p, q));
  P(__hle2_mask(p, q));
  P(__hgtu2_mask(p, q));
  P(bits(__hneg2(p)) * !__hisnan(a) * !__hisnan(b));
  P(bits(__habs2(p)) * !__hisnan(a) * !__hisnan(b));
  P(__hisnan(a));
  P(__hisinf(a));
  P(bits(__hisnan2(p)));
  P(bits(__hmax(a, b)));
  P(bits(__hmin(a, b)));
  P(bits(__hmax_nan(a, b)));
  P(bits(__hmin_nan(a, b)));
  P(bits(__hmax2(p, q)));
  P(fbits(__half2float(a)));
  P(fbits(__low2float(p)));
  P(fbits(__high2float(p)));
  P(fbits(__half22float2(p).y));
  P(bits(__float2half_rn(f)));
  P(bits(__float2half_rz(f)));
  P(bits(__float2half_rd(f)));
  P(bits(__float2half_ru(f)));
  P(bits(__float2half(f)));
  P(bits(__double2half(double(f) * 1.0001)));
  P(bits(__float2half2_rn(f)));
  P(bits(__floats2half2_rn(f, -f)) * (f == f));
  P(bits(__float22half2_rn(make_float2(f, f / 3))));
  P(__half2int_rn(a));
  P(__half2int_rz(a));
  P(__half2int_rd(a));
  P(__half2int_ru(a));
  P(__half2uint_rn(a));
  P(__half2uint_rz(a));
  P(__half2uint_rd(a));
  P(__half2uint_ru(a));
  P(__half2short_rn(a));
  P(__half2short_rz(a));
  P(__half2ushort_rd(a));
  P(__half2ushort_ru(a));
  P((unsigned)(__half2ll_rn(a) >> 7));
  P((unsigned)(__half2ull_rz(a) >> 9));
  int i = ab * 3 - 70000;
  P(bits(__int2half_rn(i)));
  P(bits(__int2half_rz(i)));
  P(bits(__int2half_rd(i)));
  P(bits(__int2half_ru(i)));
  P(bits(__uint2half_rn(unsigned(i))));
  P(bits(__uint2half_rz(unsigned(ab * 2))));
  P(bits(__short2half_rn(short(i))));
  P(bits(__ushort2half_rd((unsigned short)i)));
  P(bits(__ll2half_rn((long long)i)));
  P(bits(__ll2half_ru((long long)i)));
  P(bits(__ull2half_rn((unsigned long long)ab << (bb & 31))));
  P(bits(__ll2half_rz((long long)i << (bb & 31))));
  P(bits(a + b));
  P(bits(a - b));
  P(bits(a * b));
  P(bits(p + q));
  P(bits(p * q));
  P(bits(-p) * !__hisnan(a) * !__hisnan(b));
  P(a < b);
  P(a != b);
  P(p == q);
  P(p >= q);
  __half s = a;
  s += b;
  s *= c;
  P(bits(s));
  __half2 t = p;
  t -= q;
  P(bits(t));
  P(bits(__low2half(p)));
  P(bits(__high2half2(p)));
  P(bits(__lows2half2(p, q)));
  P(bits(__highs2half2(p, q)));
  P(bits(__lowhigh2highlow(p)));
  P(bits(__half2half2(a)));
  P(bits(hfloor(a)) * !__hisnan(a));
  P(bits(hceil(a)) * !__hisnan(a));
  P(bits(htrunc(a)) * !__hisnan(a));
  P(bits(hrint(a)) * !__hisnan(a));
  P(bits(a / b));
  P(bits(__h2div(p, q)));
  P(bits(hsqrt(a)));
  P(bits(hrcp(a)));
}
__device__ __host__ inline unsigned rnd(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}
__host__ __device__ inline unsigned short pick(unsigned x) {
  unsigned r = rnd(x);
  switch (r >> 28) {
  case 0:
    return 0x7c00 | (r & 0x8000);
  case 1:
    return r & 0x8000;
  case 2:
    return 0x7e00 | (r & 0x8000);
  case 3:
    return r & 0x83ff;
  case 4:
    return (r & 0x83ff) | 0x7800;
  case 5:
  case 6:
  case 7:
    return (r & 0x87ff) | 0x3800;
  }
  return r & 0xffff;
}
__global__ void calculate(unsigned *O) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  all(pick(3 * t), pick(3 * t + 1), pick(3 * t + 2), O + t * Facts);
}

/// Sums that halves have exactly, by shuffles and by atomics.
__global__ void sums(const __half2 *In, __half *Out, __half2 *Pairs) {
  __half2 Sum = __ldg(In + threadIdx.x);
  for (int Distance = 16; Distance; Distance /= 2)
    Sum += __shfl_down_sync(0xffffffffu, Sum, Distance);
  if (threadIdx.x == 0)
    Pairs[0] = Sum;
  atomicAdd(Out + threadIdx.x % 3, __low2half(In[threadIdx.x]));
  atomicAdd(Pairs + 1, In[threadIdx.x]);
  __half Mine = __high2half(In[threadIdx.x]);
  Out[4 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, Mine, 5);
}

static void testSums() {
  __half2 *In, *Pairs;
  __half *Out;
  cudaMallocManaged(&In, 32 * sizeof(__half2));
  cudaMallocManaged(&Pairs, 2 * sizeof(__half2));
  cudaMallocManaged(&Out, 36 * sizeof(__half));
  for (int N = 0; N != 32; ++N)
    In[N] = __floats2half2_rn(N, 0.5f * N);
  for (int N = 0; N != 36; ++N)
    Out[N] = __float2half(0);
  Pairs[1] = __float2half2_rn(0);
  sums<<<1, 32>>>(In, Out, Pairs);
  std::printf("%s:", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int N = 0; N != 2; ++N)
    std::printf(" (%g, %g)", __low2float(Pairs[N]), __high2float(Pairs[N]));
  for (int N : {0, 1, 2, 4, 35})
    std::printf(" %g", __half2float(Out[N]));
  std::printf("\n");
}

int main() {
  constexpr int Threads = 2048;
  unsigned *O;
  cudaMallocManaged(&O, Threads * Facts * 4);
  memset(O, 0, Threads * Facts * 4);
  calculate<<<Threads / 128, 128>>>(O);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int Wrong = 0;
  unsigned long long Sums[Facts] = {};
  for (int t = 0; t != Threads; ++t) {
    unsigned H[Facts] = {}, *D = O + t * Facts;
#ifdef TOOLKIT
    memcpy(H, D, sizeof(H));
#else
    all(pick(3 * t), pick(3 * t + 1), pick(3 * t + 2), H);
#endif
    for (int N = 0; N != Facts; ++N) {
      Sums[N] = Sums[N] * 1000003 + D[N];
      if (D[N] != H[N] && Wrong++ < 10)
        std::printf("fact %d of %04x %04x %04x: %x, on the host %x\n", N,
                    pick(3 * t), pick(3 * t + 1), pick(3 * t + 2), D[N], H[N]);
    }
  }
  std::printf("%d wrong\n", Wrong);
  testSums();
  for (int N = 0; N != Facts; ++N)
    std::printf("%d: %016llx\n", N, Sums[N]);
}
