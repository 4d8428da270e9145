// PTX as Triton writes it: registers in braces, and a load under a guard whose
// result all threads of a warp shuffle, those too that have loaded nothing.
// Once as a module that the driver's interface loads, once as inline PTX.
// RUN: %regshare_clang -O2 %s -o %t -lcuda
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t
// RUN: env REGSHARE_DEVICE=h100 %run %t
// RUN: env REGSHARE_SCHEME=rfv %run %t
// RUN: env REGSHARE_SCHEME=rfv REGSHARE_CODE=native %run %t
// RUN: env REGSHARE_SCHEME=ltrf-plus %run %t
// RUN: env REGSHARE_SCHEME=shrf %run %t
// RUN: env REGSHARE_SCHEME=regmutex+ltrf-plus %run %t

#include "../Inputs/expect.h"
#include <cuda.h>

/// Adds up 128 numbers for each CTA: in warps, then the four partial sums in
/// the first threads. What the other threads shuffle then, nobody uses.
static const char Module[] = R"(
.version 7.1
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 global_smem[];
.visible .entry sums(.param .u64 in, .param .u64 out)
.maxntid 128, 1, 1
{
  .reg .pred %p<4>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<8>;
  ld.param.u64 {%rd1}, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  shl.b32 %r3, %r2, 7;
  add.s32 %r4, %r3, %r1;
  mul.wide.s32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.b32 { %r5 }, [ %rd4 + 0 ];
  shfl.sync.bfly.b32 %r6, %r5, 16, 31, -1;
  add.s32 %r7, %r5, %r6;
  shfl.sync.bfly.b32 %r8, %r7, 8, 31, -1;
  add.s32 %r9, %r7, %r8;
  shfl.sync.bfly.b32 %r10, %r9, 4, 31, -1;
  add.s32 %r11, %r9, %r10;
  shfl.sync.bfly.b32 %r12, %r11, 2, 31, -1;
  add.s32 %r13, %r11, %r12;
  shfl.sync.bfly.b32 %r14, %r13, 1, 31, -1;
  add.s32 %r15, %r13, %r14;
  and.b32 %r16, %r1, 31;
  setp.eq.s32 %p1, %r16, 0;
  shr.u32 %r17, %r1, 3;
  mov.u32 %r18, global_smem;
  add.s32 %r19, %r18, %r17;
  @%p1 st.shared.b32 [ %r19 + 0 ], { %r15 };
  bar.sync 0;
  setp.lt.s32 %p2, %r1, 4;
  shl.b32 %r20, %r1, 2;
  add.s32 %r21, %r18, %r20;
  @%p2 ld.shared.b32 { %r22 }, [ %r21 + 0 ];
  shfl.sync.bfly.b32 %r23, %r22, 2, 31, -1;
  add.s32 %r24, %r22, %r23;
  shfl.sync.bfly.b32 %r25, %r24, 1, 31, -1;
  add.s32 %r26, %r24, %r25;
  setp.eq.s32 %p3, %r1, 0;
  mul.wide.s32 %rd5, %r2, 4;
  add.s64 %rd6, %rd2, %rd5;
  @%p3 st.global.b32 [ %rd6 + 0 ], { %r26 };
  ret;
}
)";

__global__ void __launch_bounds__(128) sums(const int *In, int *Out) {
  __shared__ int Partial[4];
  int Thread = threadIdx.x, Sum = In[blockIdx.x * 128 + Thread];
  for (int Lane = 16; Lane; Lane /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Lane);
  if (Thread % 32 == 0)
    Partial[Thread / 32] = Sum;
  __syncthreads();
  auto Address = unsigned(__cvta_generic_to_shared(Partial)) + 4 * Thread;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, 4;\n"
               " @p ld.shared.b32 { %0 }, [ %1 + 0 ]; }"
               : "=r"(Sum)
               : "r"(Address), "r"(Thread));
  for (int Lane = 2; Lane; Lane /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Lane);
  if (Thread == 0)
    Out[blockIdx.x] = Sum;
}

int main() {
  constexpr int CTAs = 20;
  int *In, *Out;
  EXPECT_OK(cudaMallocManaged(&In, CTAs * 128 * sizeof(*In)));
  EXPECT_OK(cudaMallocManaged(&Out, 2 * CTAs * sizeof(*Out)));
  int Want[CTAs] = {};
  for (int I = 0; I < CTAs * 128; ++I)
    Want[I / 128] += In[I] = I * I % 1009;
  CUmodule M;
  CUfunction F;
  EXPECT(cuModuleLoadData(&M, Module) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&F, M, "sums") == CUDA_SUCCESS);
  void *Arguments[] = {&In, &Out};
  EXPECT(cuLaunchKernel(F, CTAs, 1, 1, 128, 1, 1, 16, nullptr, Arguments,
                        nullptr) == CUDA_SUCCESS);
  sums<<<CTAs, 128>>>(In, Out + CTAs);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I < CTAs; ++I) {
    EXPECT(Out[I] == Want[I]);
    EXPECT(Out[CTAs + I] == Want[I]);
  }
  return failures();
}
