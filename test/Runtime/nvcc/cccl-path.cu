// --cccl-path says where Thrust and CUB are: they come before our own headers,
// and a checkout of CCCL has them in three folders.
// RUN: mkdir -p %t.flat %t.tree/libcudacxx/include
// RUN: %regshare_clang -c %s -### --cccl-path=%t.flat 2>&1 | FileCheck --check-prefix=FLAT %s
// FLAT-NOT: -idirafter
// FLAT: -isystem {{[^ ]*}}.flat
// RUN: %regshare_clang -c %s -### --cccl-path %t.tree 2>&1 | FileCheck --check-prefix=TREE %s
// TREE: -isystem {{[^ ]*}}.tree/cub -isystem {{[^ ]*}}.tree/thrust -isystem {{[^ ]*}}.tree/libcudacxx/include

// What is found there is taken.
// RUN: mkdir -p %t.flat/thrust
// RUN: echo '#define SORTED 42' > %t.flat/thrust/sort.h
// RUN: %regshare_clang --cccl-path=%t.flat -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: 42
#include <cstdio>
#include <thrust/sort.h>

int main() { std::printf("%d\n", SORTED); }
