// Reads inline PTX with the installed compiler libraries, which bring LLVM.

#include "regshare/CodeGen/InlinePTX.h"

#include "llvm/Support/raw_ostream.h"

int main() {
  auto Temps = regshare::parseInlinePTXTemps("{ .reg .b32 t; mov.b32 t, 1; }");
  if (!Temps) {
    llvm::logAllUnhandledErrors(Temps.takeError(), llvm::errs());
    return 1;
  }
  llvm::outs() << Temps->size() << " " << Temps->front().Name << "\n";
  return 0;
}
