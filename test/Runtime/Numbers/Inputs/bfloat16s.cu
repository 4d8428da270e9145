// Prints a hash of what each of a group of functions makes of all bfloat16
// numbers, so that our header's can be compared with the toolkit's.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>

typedef __nv_bfloat16 Number;
typedef __nv_bfloat162 Pair;

__device__ unsigned bitsOf(Number A) { return __bfloat16_as_ushort(A); }
__device__ unsigned bitsOf(Pair A) {
  unsigned Bits;
  memcpy(&Bits, &A, sizeof(Bits));
  return Bits;
}
__device__ unsigned bitsOf(long long A) { return unsigned(A ^ A >> 32); }
__device__ unsigned bitsOf(unsigned long long A) {
  return unsigned(A ^ A >> 32);
}
__device__ unsigned bitsOf(int A) { return A; }
__device__ unsigned bitsOf(unsigned A) { return A; }
__device__ unsigned bitsOf(short A) { return A; }
__device__ unsigned bitsOf(unsigned short A) { return A; }
__device__ unsigned bitsOf(signed char A) { return A; }
__device__ unsigned bitsOf(unsigned char A) { return A; }
__device__ unsigned bitsOf(bool A) { return A; }

/// A NaN's bits are not the same everywhere.
__device__ unsigned plain(unsigned Bits) {
  return (Bits & 0x7fff) > 0x7f80 ? (Bits & 0xffff0000) | 0x7fff : Bits;
}

struct Hash {
  unsigned Value = 0;
  __device__ void number(Number A) { word(plain(bitsOf(A))); }
  __device__ void pair(Pair A) {
    word(plain(bitsOf(A.x)) | plain(bitsOf(A.y)) << 16);
  }
  __device__ void word(unsigned A) {
    Value = (Value ^ A) * 2654435761u;
    Value ^= Value >> 15;
  }
};

__device__ unsigned integers(unsigned N, Number A) {
  Hash H;
#define FROM(NAME, X)                                                          \
  H.number(NAME##_rn(X)), H.number(NAME##_rz(X)), H.number(NAME##_rd(X)),      \
      H.number(NAME##_ru(X));
  unsigned long long Wide = N * 0x9e3779b97f4a7c15ull >> N % 61;
  FROM(__short2bfloat16, short(N))
  FROM(__ushort2bfloat16, (unsigned short)(N))
  FROM(__int2bfloat16, int(Wide))
  FROM(__uint2bfloat16, unsigned(Wide))
  FROM(__ll2bfloat16, (long long)(Wide))
  FROM(__ull2bfloat16, Wide)
  H.number(Number((long long)Wide)), H.number(Number(Wide));
#define TO(NAME)                                                               \
  H.word(bitsOf(NAME##_rn(A))), H.word(bitsOf(NAME##_rz(A))),                  \
      H.word(bitsOf(NAME##_rd(A))), H.word(bitsOf(NAME##_ru(A)));
  TO(__bfloat162short)
  TO(__bfloat162ushort)
  TO(__bfloat162int)
  TO(__bfloat162uint)
  TO(__bfloat162ll)
  TO(__bfloat162ull)
  H.word(bitsOf(__bfloat162char_rz(A))), H.word(bitsOf(__bfloat162uchar_rz(A)));
  return H.Value;
}

__device__ unsigned arithmetic(Pair A, Pair B, Pair C) {
  Hash H;
  H.pair(__lows2bfloat162(A, B)), H.pair(__highs2bfloat162(A, B));
  H.pair(__low2bfloat162(A)), H.pair(__high2bfloat162(A));
  H.pair(__lowhigh2highlow(A)), H.pair(__hneg2(A)), H.pair(__habs2(A));
  H.pair(__hisnan2(A));
  H.pair(__hadd2_rn(A, B)), H.pair(__hsub2_rn(A, B)), H.pair(__hmul2_rn(A, B));
  H.pair(__hadd2_sat(A, B)), H.pair(__hsub2_sat(A, B));
  H.pair(__hmul2_sat(A, B)), H.pair(__hfma2_sat(A, B, C));
  H.pair(__hfma2_relu(A, B, C)), H.pair(__hcmadd(A, B, C));
  H.pair(__hmax2_nan(A, B)), H.pair(__hmin2_nan(A, B));
  H.number(__hadd_sat(A.x, B.x)), H.number(__hfma_relu(A.x, B.x, C.x));
  return H.Value;
}

__device__ unsigned comparisons(Pair A, Pair B) {
  Hash H;
#define COMPARE(NAME)                                                          \
  H.word(__h##NAME(A.x, B.x)), H.pair(__h##NAME##2(A, B)),                     \
      H.word(__h##NAME##2_mask(A, B)), H.word(__hb##NAME##2(A, B));
  COMPARE(eq)
  COMPARE(ne) COMPARE(lt) COMPARE(le) COMPARE(gt) COMPARE(ge) COMPARE(equ)
      COMPARE(neu) COMPARE(ltu) COMPARE(leu) COMPARE(gtu)
          COMPARE(geu) return H.Value;
}

__device__ unsigned functions(Pair A) {
  Hash H;
  H.pair(h2floor(A)), H.pair(h2ceil(A)), H.pair(h2trunc(A)), H.pair(h2rint(A));
  return H.Value;
}

__device__ unsigned exchange(Pair A, Pair *At) {
  Hash H;
  H.pair(__shfl_sync(~0u, A, 5)), H.pair(__shfl_xor_sync(~0u, A, 3));
  H.pair(__shfl_up_sync(~0u, A, 2)), H.pair(__shfl_down_sync(~0u, A, 7));
  H.number(__shfl_sync(~0u, A.x, 9)), H.number(__shfl_xor_sync(~0u, A.y, 1));
  __stcs(At, A), H.pair(__ldcs(At));
  __stcg(At, H.Value & 1 ? A : __hneg2(A)), H.pair(__ldcg(At));
  __stwb(&At->x, A.y), H.pair(__ldca(At)), H.number(__ldlu(&At->y));
  __stwt(At, A), H.pair(__ldcv(At));
  return H.Value;
}

__global__ void hash(unsigned *Out, Pair *Place) {
  unsigned N = blockIdx.x * blockDim.x + threadIdx.x;
  Number A = __ushort_as_bfloat16((unsigned short)N);
  auto other = [&](unsigned Times) {
    unsigned Any = N * Times;
    return __ushort_as_bfloat16((unsigned short)(Any ^ Any >> 13));
  };
  Pair P(A, other(40503)), Q(other(2654435761u), A), R(other(3), other(77));
  atomicXor(&Out[0], integers(N, A) * (2 * N + 1));
  atomicXor(&Out[1], arithmetic(P, Q, R) * (2 * N + 1));
  atomicXor(&Out[2], (comparisons(P, Q) ^ comparisons(P, P)) * (2 * N + 1));
  atomicXor(&Out[3], functions(P) * (2 * N + 1));
  atomicXor(&Out[4], exchange(P, Place + N) * (2 * N + 1));
}

__global__ void readAgain(unsigned *Out, const Pair *Place) {
  unsigned N = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Out[5],
            bitsOf(__ldg(Place + N).x) == N && bitsOf(__ldg(&Place[N].x)) == N);
}

int main() {
  unsigned H[6] = {}, *D;
  Pair *Place;
  cudaMalloc(&D, sizeof(H));
  cudaMalloc(&Place, 65536 * sizeof(Pair));
  cudaMemcpy(D, H, sizeof(H), cudaMemcpyHostToDevice);
  hash<<<512, 128>>>(D, Place);
  readAgain<<<512, 128>>>(D, Place);
  cudaError_t Error = cudaMemcpy(H, D, sizeof(H), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(Error));
  const char *Of[] = {"integers",  "arithmetic", "comparisons",
                      "functions", "exchange",   "read again"};
  for (int K = 0; K != 6; ++K)
    std::printf("%s: %08x\n", Of[K], H[K]);
}
