// Parses an architected register with the installed, LLVM-free base library.

#include "regshare/Base/ArchReg.h"

#include <cstdio>

int main() {
  regshare::Result<regshare::ArchReg> Reg = regshare::ArchReg::parse("R6_7");
  if (!Reg || Reg->units() != 2)
    return 1;
  std::printf("%s\n", Reg->name().c_str());
  return 0;
}
