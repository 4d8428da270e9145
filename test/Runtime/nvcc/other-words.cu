// Words of clang and of NVIDIA's front end that build systems pass: -S of the
// device alone is -ptx, as CMake has it, and what the front end is to warn of
// is nobody's here.
// RUN: %regshare_clang -S --cuda-device-only %s -o - | FileCheck %s
// RUN: %regshare_clang -ptx -Xcudafe --diag_suppress=177 -Xcudafe "--display_error_number" %s -o - | FileCheck %s
// RUN: not %regshare_clang -S %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %regshare_clang --cuda-device-only -c %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %regshare_clang -v -arch=sm_80 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ARCH
// CHECK: .entry alone
// TEXT: regshare-clang++: error: -S is not supported: for device code alone use -fatbin, -ptx or regshare-opt --emit=ptx
// DEVICE: regshare-clang++: error: --cuda-device-only is not supported: for device code alone use -fatbin, -ptx or regshare-opt --emit=ptx
// ARCH: -target-cpu sm_80
extern "C" __global__ void alone(int *At) { *At = 41; }
