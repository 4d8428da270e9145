//===- Symbols.h - Variables as calls of the API name them -*- C++ -*------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call names a variable, a texture or a surface of the device by the address
/// of its counterpart on the host. Before CUDA 5 it could give a string with
/// the name instead, which lenient mode takes and warns of.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LIB_API_SYMBOLS_H
#define REGSHARE_RUNTIME_LIB_API_SYMBOLS_H

#include "Runtime.h"

namespace regshare::cudart {

/// Sets \p Found to the variable that \p Symbol names.
cudaError_t findVariable(Runtime &R, const void *Symbol, Variable *&Found);

/// Sets \p Host to the address of the texture or surface reference that
/// \p Symbol names.
cudaError_t findReference(Runtime &R, const void *Symbol, bool IsSurface,
                          const void *&Host);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LIB_API_SYMBOLS_H
