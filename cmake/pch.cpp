// Carries a precompiled header; see RegShareLLVM.cmake and RegShareTests.cmake.
