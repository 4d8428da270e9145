// Managed, pinned and registered memory at one address for host and device;
// copies in rows and layers; fills.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t

#include "../Inputs/expect.h"
#include <vector>

__global__ void increment(int *P, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    ++P[I];
}

static void managed() {
  int *P;
  EXPECT_OK(cudaMallocManaged(&P, 400));
  for (int I = 0; I < 100; ++I)
    P[I] = I;
  increment<<<2, 64>>>(P, 100);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I < 100; ++I)
    EXPECT(P[I] == I + 1);
  cudaPointerAttributes A;
  EXPECT_OK(cudaPointerGetAttributes(&A, P + 5));
  EXPECT(A.type == cudaMemoryTypeManaged && A.devicePointer == P + 5 &&
         A.hostPointer == P + 5);
  cudaMemLocation Where = {cudaMemLocationTypeDevice, 0};
  EXPECT_OK(cudaMemAdvise(P, 400, cudaMemAdviseSetReadMostly, Where));
  EXPECT_OK(cudaMemPrefetchAsync(P, 400, Where, 0));
#if CUDART_VERSION < 13000
  EXPECT_OK(cudaMemAdvise(P, 400, cudaMemAdviseSetReadMostly, 0));
  EXPECT_OK(cudaMemPrefetchAsync(P, 400, 0));
#endif
  EXPECT_OK(cudaFree(P));
}

static void pinned() {
  int *P, *Device, *Mapped;
  EXPECT_OK(cudaMallocHost(&P, 64));
  EXPECT_OK(cudaMalloc(&Device, 64));
  for (int I = 0; I < 16; ++I)
    P[I] = I * I;
  EXPECT_OK(cudaMemcpyAsync(Device, P, 64, cudaMemcpyHostToDevice));
  increment<<<1, 16>>>(Device, 16);
  EXPECT_OK(cudaMemcpyAsync(P, Device, 64, cudaMemcpyDefault));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(P[5] == 26);
  // Kernels reach it where it lies.
  EXPECT_OK(cudaHostGetDevicePointer(&Mapped, P, 0));
  increment<<<1, 16>>>(Mapped, 16);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(P[5] == 27);
  EXPECT_OK(cudaFreeHost(P));
  std::vector<int> Own(100, 1);
  EXPECT_OK(cudaHostRegister(Own.data(), 400, cudaHostRegisterMapped));
  EXPECT_OK(cudaHostGetDevicePointer(&Mapped, Own.data(), 0));
  increment<<<1, 128>>>(Mapped, 100);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(Own[0] == 2 && Own[99] == 2);
  EXPECT_OK(cudaHostUnregister(Own.data()));
  EXPECT_OK(cudaFree(Device));
}

/// A 5x3 picture in memory whose rows are longer.
static void rows() {
  constexpr int W = 5, H = 3;
  int Host[H][W], Back[H][W + 2] = {}, *P, *Q;
  size_t Pitch;
  for (int Y = 0; Y < H; ++Y)
    for (int X = 0; X < W; ++X)
      Host[Y][X] = 10 * Y + X;
  EXPECT_OK(cudaMallocPitch(&P, &Pitch, W * 4, H));
  EXPECT(Pitch >= W * 4 && Pitch % 512 == 0);
  EXPECT_OK(cudaMemset2D(P, Pitch, 0xff, Pitch, H));
  EXPECT_OK(
      cudaMemcpy2D(P, Pitch, Host, W * 4, W * 4, H, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMalloc(&Q, H * (W + 2) * 4));
  EXPECT_OK(cudaMemcpy2DAsync(Q, (W + 2) * 4, P, Pitch, (W + 1) * 4, H,
                              cudaMemcpyDeviceToDevice, 0));
  EXPECT_OK(cudaMemcpy(Back, Q, sizeof(Back), cudaMemcpyDeviceToHost));
  for (int Y = 0; Y < H; ++Y) {
    for (int X = 0; X < W; ++X)
      EXPECT(Back[Y][X] == Host[Y][X]);
    EXPECT(Back[Y][W] == -1 && Back[Y][W + 1] == 0);
  }
  EXPECT_OK(cudaMemset(Q, 1, 8));
  EXPECT_OK(cudaMemcpy(Back, Q, 12, cudaMemcpyDeviceToHost));
  EXPECT(Back[0][1] == 0x01010101 && Back[0][2] == Host[0][2]);
}

static void layers() {
  constexpr int W = 4, H = 3, D = 2;
  int Host[D][H][W], Back[D][H][W] = {};
  for (int I = 0; I < W * H * D; ++I)
    Host[0][0][I] = I;
  cudaPitchedPtr P;
  cudaExtent E = make_cudaExtent(W * 4, H, D);
  EXPECT_OK(cudaMalloc3D(&P, E));
  cudaMemcpy3DParms Parms = {};
  Parms.srcPtr = make_cudaPitchedPtr(Host, W * 4, W, H);
  Parms.dstPtr = P;
  Parms.extent = E;
  Parms.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaMemcpy3D(&Parms));
  // The last two elements of the last two rows of the second layer only.
  Parms.srcPtr = P;
  Parms.dstPtr = make_cudaPitchedPtr(Back, W * 4, W, H);
  Parms.srcPos = Parms.dstPos = make_cudaPos(8, 1, 1);
  Parms.extent = make_cudaExtent(8, 2, 1);
  Parms.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&Parms));
  for (int Z = 0; Z < D; ++Z)
    for (int Y = 0; Y < H; ++Y)
      for (int X = 0; X < W; ++X)
        EXPECT(Back[Z][Y][X] ==
               (Z == 1 && Y >= 1 && X >= 2 ? Host[Z][Y][X] : 0));
}

int main() {
  managed();
  pinned();
  rows();
  layers();
  EXPECT_OK(cudaGetLastError());
  return failures();
}
