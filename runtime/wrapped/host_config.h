//===- host_config.h - Host compiler configuration -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang needs no adjustment; the file exists because clang's CUDA wrapper
// includes a header of this name.
//
//===----------------------------------------------------------------------===//
