// Texture references went with CUDA 12: one message for each type of texel.
// RUN: not %regshare_clang -O2 -c %s -o %t 2>&1 | FileCheck %s
// CHECK: error: {{.*}}texture references went with CUDA 12: make a texture object with cudaCreateTextureObject and hand it to the kernel
// CHECK-NOT: error:
// CHECK: 1 error generated
texture<float, 2, cudaReadModeElementType> Picture;
texture<float, 2, cudaReadModeElementType> Other;

__global__ void copy(float *Out) {
  Out[threadIdx.x] = tex2D(Picture, threadIdx.x, 0) + tex2D(Other, 0, 0);
}

int main() {
  float *D;
  size_t Offset;
  Picture.filterMode = cudaFilterModeLinear;
  Picture.addressMode[0] = cudaAddressModeClamp;
  Picture.normalized = true;
  cudaMalloc(&D, 64);
  cudaBindTexture(&Offset, Picture, D, 64);
  copy<<<1, 4>>>(D);
  cudaUnbindTexture(Picture);
}
