// Carries the precompiled LLVM headers; see RegShareLLVM.cmake.
