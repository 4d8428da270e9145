// The kernels that sim-bench executes. The .ptx files beside this one were
// made with:
//   regshare-opt kernels.cu -D KERNEL=<NAME> --no-cuda-toolkit --mcpu=sm_75
//     --emit=ptx -o <name>.ptx
// and those in native/ with --device=rtx6000 --code=native as well.
#define SGEMM 1
#define STENCIL 2
#define BFS 3
#define HOTSPOT 4

#if KERNEL == SGEMM
extern "C" __global__ void sgemm(const float *A, const float *B, float *C,
                                 int N) {
  __shared__ float TileA[16][16], TileB[16][16];
  int X = threadIdx.x, Y = threadIdx.y;
  int Row = blockIdx.y * 16 + Y, Column = blockIdx.x * 16 + X;
  float Sum = 0;
  for (int K = 0; K < N; K += 16) {
    TileA[Y][X] = A[Row * N + K + X];
    TileB[Y][X] = B[(K + Y) * N + Column];
    __syncthreads();
    for (int I = 0; I < 16; ++I)
      Sum += TileA[Y][I] * TileB[I][X];
    __syncthreads();
  }
  C[Row * N + Column] = Sum;
}
#elif KERNEL == STENCIL
extern "C" __global__ void stencil(const float *In, float *Out, int NX, int NY,
                                   int NZ) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X < 1 || Y < 1 || X >= NX - 1 || Y >= NY - 1)
    return;
  int Plane = NX * NY, At = Y * NX + X;
  for (int Z = 1; Z < NZ - 1; ++Z) {
    int I = At + Z * Plane;
    Out[I] = 0.5f * (In[I - 1] + In[I + 1] + In[I - NX] + In[I + NX] +
                     In[I - Plane] + In[I + Plane]) -
             2.0f * In[I];
  }
}
#elif KERNEL == BFS
extern "C" __global__ void bfs(const int *Starts, const int *Edges, int *Level,
                               int *Changed, int Current, int N) {
  int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= N || Level[V] != Current)
    return;
  for (int E = Starts[V]; E < Starts[V + 1]; ++E) {
    int To = Edges[E];
    if (Level[To] < 0) {
      Level[To] = Current + 1;
      *Changed = 1;
    }
  }
}
#else
extern "C" __global__ void hotspot(const float *Power, const float *In,
                                   float *Out, int N) {
  __shared__ float Tile[18][18];
  int X = blockIdx.x * 16 + threadIdx.x, Y = blockIdx.y * 16 + threadIdx.y;
  int LX = threadIdx.x + 1, LY = threadIdx.y + 1;
  Tile[LY][LX] = In[Y * N + X];
  if (threadIdx.x == 0)
    Tile[LY][0] = In[Y * N + (X ? X - 1 : X)];
  if (threadIdx.x == 15)
    Tile[LY][17] = In[Y * N + (X < N - 1 ? X + 1 : X)];
  if (threadIdx.y == 0)
    Tile[0][LX] = In[(Y ? Y - 1 : Y) * N + X];
  if (threadIdx.y == 15)
    Tile[17][LX] = In[(Y < N - 1 ? Y + 1 : Y) * N + X];
  __syncthreads();
  float T = Tile[LY][LX];
  float Flow = (Tile[LY - 1][LX] + Tile[LY + 1][LX] - 2.0f * T) * 0.1f +
               (Tile[LY][LX - 1] + Tile[LY][LX + 1] - 2.0f * T) * 0.1f +
               (80.0f - T) * 0.05f;
  Out[Y * N + X] = T + 0.01f * (Power[Y * N + X] + Flow);
}
#endif
