// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void broken(int *Out) { *Out = nowhere; }
int main() { broken<<<1, 1>>>(nullptr); }
