//===- HostLibdevice.h - Device math on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiles the device math library for the host, so that its accuracy can be
/// measured without a GPU. Functions made of single PTX instructions have no
/// host counterpart and are left out.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_RUNTIME_HOSTLIBDEVICE_H
#define REGSHARE_UNITTESTS_RUNTIME_HOSTLIBDEVICE_H

#include <memory>
#include <string>

namespace llvm {
class StringRef;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

class HostLibdevice {
public:
  /// The library of this build, compiled at the first call.
  static HostLibdevice &get();

  /// The one that native code has.
  static HostLibdevice &getNative();

  /// The function \p Name as a pointer of type F; ends the program if there is
  /// no such function, since a test without its subject proves nothing.
  template <typename F> F *function(const std::string &Name) {
    return reinterpret_cast<F *>(address(Name));
  }

  ~HostLibdevice();

private:
  explicit HostLibdevice(llvm::StringRef Path);
  void *address(const std::string &Name);

  std::unique_ptr<llvm::orc::LLJIT> JIT;
};

#endif // REGSHARE_UNITTESTS_RUNTIME_HOSTLIBDEVICE_H
