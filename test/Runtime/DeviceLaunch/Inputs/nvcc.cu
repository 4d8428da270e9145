struct alignas(16) Shift {
  double By;
  char Sign;
};

extern "C" __global__ void child(int *To, char Much, Shift S, short Last) {
  extern __shared__ int Copy[];
  Copy[threadIdx.x] = threadIdx.x;
  __syncthreads();
  To[threadIdx.x] =
      Copy[blockDim.x - 1 - threadIdx.x] + Much + S.Sign * int(S.By) + Last;
}

/// Odd threads launch CTAs of their own sizes, even ones empty grids.
extern "C" __global__ void parent(int *To, int *Codes) {
  int T = threadIdx.x;
  cudaStream_t Stream;
  cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking);
  if (T % 2)
    child<<<1, T + 1, 4 * (T + 1), Stream>>>(
        To + 32 * T, char(-T), {2.5 * T, char(-1)}, short(T * 100));
  else
    child<<<0, 1>>>(To, 1, {1, 1}, 1);
  Codes[T] = cudaGetLastError();
  cudaStreamDestroy(Stream);
}
