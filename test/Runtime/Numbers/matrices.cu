// Products of matrices by mma.h, from our header and from the toolkit's, of all
// types and orders in memory, against the host's own in double precision. What
// is added is exact in a float, so that the order of additions does not matter.
// RUN: %regshare_clang -arch=sm_80 -std=c++17 -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=shrf REGSHARE_TIMING=0 %run %t | FileCheck %s
// With sanitizers the other devices, schemes and compiles run nothing new of
// ours.
// RUN: %if !asan %{ env REGSHARE_DEVICE=hopper %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=expars %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_DEVICE=rtx6000 %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_SIM_HANDLERS=portable REGSHARE_TIMING=0 %run %t | FileCheck %s %}
// RUN: %if !asan %{ %regshare_clang -arch=sm_80 -std=c++17 -O0 %s -o %t.O0 %}
// RUN: %if !asan %{ env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s %}
// RUN: %if cuda-toolkit && !asan %{ %regshare_clang --cuda-path=%cuda_path -arch=sm_80 -std=c++17 -O2 %s -o %t.toolkit %}
// RUN: %if cuda-toolkit && !asan %{ env REGSHARE_DEVICE=hopper %run %t.toolkit | FileCheck %s %}
#include <cstdio>
#include <mma.h>
#include <vector>
using namespace nvcuda;

/// The device's type of a number, and the number.
template <typename T> __host__ __device__ T make(int Value) { return T(Value); }
template <> __host__ __device__ half make(int Value) {
  return __float2half(float(Value) / 4);
}
template <> __host__ __device__ __nv_bfloat16 make(int Value) {
  return __float2bfloat16(float(Value) / 4);
}
template <> __host__ __device__ float make(int Value) {
  return float(Value) / 4;
}
template <typename T> double valueOf(T V) { return double(V); }
template <> double valueOf(half V) { return __half2float(V); }
template <> double valueOf(__nv_bfloat16 V) { return __bfloat162float(V); }

/// One warp: D = A B + C, doubled by elements, with the matrices in global
/// memory, or in shared memory by generic addresses.
template <int M, int N, int K, typename T, typename TA, typename TC,
          typename OrderA, typename OrderB>
__global__ void product(const TA *A, const TA *B, const TC *C, TC *D, int LdA,
                        int LdB, int LdC, wmma::layout_t Order, bool Shared) {
  __shared__ __align__(32) TA Copy[M * K];
  for (int I = threadIdx.x; I < M * K; I += 32)
    Copy[I] = A[I];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, T, OrderA> FA;
  wmma::fragment<wmma::matrix_b, M, N, K, T, OrderB> FB;
  wmma::fragment<wmma::accumulator, M, N, K, TC> FC;
  wmma::load_matrix_sync(FA, Shared ? Copy : A, LdA);
  wmma::load_matrix_sync(FB, B, LdB);
  wmma::load_matrix_sync(FC, C, LdC, Order);
  wmma::mma_sync(FC, FA, FB, FC);
  for (int I = 0; I < FC.num_elements; ++I)
    FC.x[I] = FC.x[I] + FC.x[I];
  wmma::store_matrix_sync(D, FC, LdC, Order);
}

static unsigned State = 1;
static int randomSmall() {
  State = State * 1664525 + 1013904223;
  return int(State >> 28) - 8;
}

template <typename T> T *upload(const std::vector<T> &Values) {
  T *Device;
  cudaMalloc(&Device, Values.size() * sizeof(T));
  cudaMemcpy(Device, Values.data(), Values.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return Device;
}

template <typename Order> constexpr bool IsRow = false;
template <> constexpr bool IsRow<wmma::row_major> = true;

template <int M, int N, int K, typename T, typename TA, typename TC,
          typename OrderA, typename OrderB>
int wrong(bool RowC, bool Shared) {
  std::vector<TA> A(M * K), B(K * N);
  std::vector<TC> C(M * N), D(M * N);
  for (TA &V : A)
    V = make<TA>(sizeof(TA) == 1 && TA(-1) > TA(0) ? randomSmall() + 8
                                                   : randomSmall());
  for (TA &V : B)
    V = make<TA>(sizeof(TA) == 1 && TA(-1) > TA(0) ? randomSmall() + 8
                                                   : randomSmall());
  for (TC &V : C)
    V = make<TC>(randomSmall());
  constexpr bool RowA = IsRow<OrderA>, RowB = IsRow<OrderB>;
  TC *To = upload(D);
  product<M, N, K, T, TA, TC, OrderA, OrderB><<<1, 32>>>(
      upload(A), upload(B), upload(C), To, RowA ? K : M, RowB ? N : K,
      RowC ? N : M, RowC ? wmma::mem_row_major : wmma::mem_col_major, Shared);
  cudaError_t Error =
      cudaMemcpy(D.data(), To, D.size() * sizeof(TC), cudaMemcpyDeviceToHost);
  if (Error != cudaSuccess)
    return -int(Error);
  int Count = 0;
  for (int I = 0; I != M; ++I)
    for (int J = 0; J != N; ++J) {
      int At = RowC ? I * N + J : J * M + I;
      double Sum = valueOf(C[At]);
      for (int L = 0; L != K; ++L)
        Sum += valueOf(A[RowA ? I * K + L : L * M + I]) *
               valueOf(B[RowB ? L * N + J : J * K + L]);
      Count += valueOf(D[At]) != 2 * Sum;
    }
  return Count;
}

template <int M, int N, int K, typename T, typename TA, typename TC>
void check(const char *Name) {
  using Row = wmma::row_major;
  using Col = wmma::col_major;
  int Count = wrong<M, N, K, T, TA, TC, Row, Col>(true, false) +
              wrong<M, N, K, T, TA, TC, Col, Row>(false, true) +
              wrong<M, N, K, T, TA, TC, Row, Row>(false, true) +
              wrong<M, N, K, T, TA, TC, Col, Col>(true, true);
  std::printf("%s m%dn%dk%d: %d wrong\n", Name, M, N, K, Count);
}

__global__ void bits(const unsigned *A, const unsigned *B, int *D, bool And) {
  using namespace wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> FA;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> FB;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> FC;
  wmma::load_matrix_sync(FA, A, 128);
  wmma::load_matrix_sync(FB, B, 128);
  wmma::fill_fragment(FC, 1);
  if (And)
    wmma::bmma_sync(FC, FA, FB, FC, bmmaBitOpAND);
  else
    wmma::bmma_sync(FC, FA, FB, FC);
  wmma::store_matrix_sync(D, FC, 8, wmma::mem_row_major);
}

static int wrongBits(bool And) {
  std::vector<unsigned> A(8 * 4), B(8 * 4);
  std::vector<int> D(64);
  for (auto *All : {&A, &B})
    for (unsigned &V : *All)
      V = unsigned(randomSmall() * 0x1234567) ^ State;
  int *To = upload(D), Count = 0;
  bits<<<1, 32>>>(upload(A), upload(B), To, And);
  cudaMemcpy(D.data(), To, 256, cudaMemcpyDeviceToHost);
  for (int I = 0; I != 8; ++I)
    for (int J = 0; J != 8; ++J) {
      int Sum = 1;
      for (int W = 0; W != 4; ++W) {
        unsigned X = A[I * 4 + W], Y = B[J * 4 + W];
        Sum += __builtin_popcount(And ? X & Y : X ^ Y);
      }
      Count += D[I * 8 + J] != Sum;
    }
  return Count;
}

int main() {
  // CHECK: half to float m16n16k16: 0 wrong
  check<16, 16, 16, half, half, float>("half to float");
  // CHECK: half to float m32n8k16: 0 wrong
  check<32, 8, 16, half, half, float>("half to float");
  // CHECK: half to float m8n32k16: 0 wrong
  check<8, 32, 16, half, half, float>("half to float");
  // CHECK: half m16n16k16: 0 wrong
  check<16, 16, 16, half, half, half>("half");
  // CHECK: bfloat16 m16n16k16: 0 wrong
  check<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16");
  // CHECK: bfloat16 m8n32k16: 0 wrong
  check<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16");
  // CHECK: tf32 m16n16k8: 0 wrong
  check<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
  // CHECK: double m8n8k4: 0 wrong
  check<8, 8, 4, double, double, double>("double");
  // CHECK: s8 m16n16k16: 0 wrong
  check<16, 16, 16, signed char, signed char, int>("s8");
  // CHECK: u8 m32n8k16: 0 wrong
  check<32, 8, 16, unsigned char, unsigned char, int>("u8");
  // CHECK: bits: 0 and 0 wrong
  std::printf("bits: %d and %d wrong\n", wrongBits(false), wrongBits(true));
}
