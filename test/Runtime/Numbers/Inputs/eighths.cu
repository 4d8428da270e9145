// Numbers of eight bits, from everything and to everything, on the device and
// on the host: what they come to, and whether both agree.
#include "../../Inputs/expect.h"
#include <cstring>
#include <cuda_fp8.h>
#include <vector>

/// Floats on, between and next to the numbers that there are, and any.
static __host__ __device__ float sample(unsigned N) {
  unsigned Bits = N * 2654435761u;
  if (N % 2)
    Bits = (N >> 1 & 0xfff) << 19 | (N >> 13 & 3) << 18 |
           ((N >> 15 & 3) - 1) * (N >> 17 & 1);
  // What else is in a NaN says nothing.
  if ((Bits & 0x7fffffff) > 0x7f800000)
    Bits &= 0xffc00000;
  float F;
  memcpy(&F, &Bits, sizeof(F));
  return F;
}

template <typename One, typename Pair, typename Four>
static __host__ __device__ unsigned
types(float F, __nv_fp8_interpretation_t Type, unsigned char *Out) {
  unsigned At = 0;
  for (auto Saturate : {__NV_NOSAT, __NV_SATFINITE}) {
    Out[At++] = __nv_cvt_float_to_fp8(F, Saturate, Type);
    Out[At++] = __nv_cvt_double_to_fp8(double(F) * (1 + 1e-12), Saturate, Type);
    Out[At++] = __nv_cvt_halfraw_to_fp8(__half(F), Saturate, Type);
    Out[At++] = __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16(F), Saturate, Type);
    Out[At++] =
        __nv_cvt_float2_to_fp8x2(make_float2(1, F), Saturate, Type) >> 8;
  }
  One X(F);
  Out[At++] = One(-X.__x).__x;
  Pair P(__halves2half2(__half(F), __half(2.0f)));
  float2 Both(P);
  Out[At++] = P.__x ^ P.__x >> 8;
  Four Q(make_float4(F, 3, -F, 0.1f));
  float4 All(Q);
  Out[At++] = Q.__x ^ Q.__x >> 8 ^ Q.__x >> 16 ^ Q.__x >> 24;
  float Back[] = {float(X), float(__half(X)), Both.x, Both.y, All.x, All.w};
  // NaNs differ in bits that say nothing.
  for (float B : Back) {
    unsigned Bits = 0;
    if (B == B)
      memcpy(&Bits, &B, sizeof(B));
    Out[At++] = Bits >> 20;
    Out[At++] = Bits >> 24;
  }
  Out[At++] = F == F ? int(X) + (unsigned long long)X + bool(X) : 0;
  return At;
}

static constexpr unsigned N = 1 << 18, Each = 64;

static __host__ __device__ unsigned all(unsigned I, unsigned char *Out) {
  unsigned At = types<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(
      sample(I), __NV_E4M3, Out);
  return At + types<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(
                  sample(I), __NV_E5M2, Out + At);
}

__global__ void convert(unsigned char *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char Mine[Each] = {};
  all(I, Mine);
  for (unsigned J = 0; J < Each; ++J)
    Out[I * Each + J] = Mine[J];
}

int main() {
  std::vector<unsigned char> Device(N * Each), Host(N * Each);
  unsigned char *D;
  EXPECT_OK(cudaMalloc(&D, Device.size()));
  convert<<<N / 256, 256>>>(D);
  EXPECT_OK(
      cudaMemcpy(Device.data(), D, Device.size(), cudaMemcpyDeviceToHost));
  unsigned Wrong = 0;
  for (unsigned I = 0; I < N; ++I) {
    unsigned Written = all(I, &Host[I * Each]);
    Wrong += std::memcmp(&Host[I * Each], &Device[I * Each], Each) != 0;
    EXPECT(Written <= Each);
  }
  std::printf("%u differ\n", Wrong);
  // The sums of each place over every thousand or so.
  for (unsigned J = 0; J < Each; ++J)
    for (unsigned Part = 0; Part < 8; ++Part) {
      unsigned Sum = 0;
      for (unsigned I = Part * N / 8; I < (Part + 1) * N / 8; ++I)
        Sum = Sum * 31 + Device[I * Each + J];
      std::printf("%u.%u %08x\n", J, Part, Sum);
    }
  std::printf("%g %g %g\n", float(__nv_fp8_e4m3(448.0f)),
              float(__nv_fp8_e5m2(1e9)), float(__nv_fp8_e4m3(0.3f)));
  return failures();
}
