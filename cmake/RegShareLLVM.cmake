# Finds LLVM 22 and makes `regshare_llvm`, the one target that carries its
# include paths, definitions and shared library. Only the shared libLLVM is
# linked: a second static copy inside a plugin would register every
# command-line option twice and abort.

find_package(LLVM 22.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-22/lib/cmake/llvm)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

add_library(regshare_llvm INTERFACE)
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_include_directories(regshare_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(regshare_llvm INTERFACE ${llvm_definitions})
target_link_libraries(regshare_llvm INTERFACE LLVM)

# The headers nearly every compiler source needs, parsed once.
set(regshare_llvm_headers
  <llvm/ADT/BitVector.h>
  <llvm/ADT/DenseMap.h>
  <llvm/ADT/SmallVector.h>
  <llvm/ADT/StringExtras.h>
  <llvm/CodeGen/LiveIntervals.h>
  <llvm/CodeGen/MachineFunctionPass.h>
  <llvm/CodeGen/MachineInstrBuilder.h>
  <llvm/CodeGen/MachineRegisterInfo.h>
  <llvm/CodeGen/TargetInstrInfo.h>
  <llvm/CodeGen/TargetSubtargetInfo.h>
  <llvm/IR/Module.h>
  <llvm/Support/CommandLine.h>
  <llvm/Support/Error.h>
  <llvm/Support/raw_ostream.h>)
add_library(regshare_llvm_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch.cpp)
regshare_configure(regshare_llvm_pch TRUE FALSE regshare_llvm_pch)
target_precompile_headers(regshare_llvm_pch PRIVATE ${regshare_llvm_headers})
