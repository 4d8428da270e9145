// Limits for continuous integration: who breaks one is named, and the exit code
// is 2; errors have 1.
// RUN: rm -rf %t && mkdir %t && cp %s %t/app.cu && cd %t
// RUN: regshare-opt app.cu --ptxas=none --device=gtx480 --emit=json > old.json
// RUN: regshare-opt app.cu --ptxas=none --device=gtx480 --max-registers=40 --no-spills --min-occupancy=20 2>&1 | FileCheck %s --check-prefix=HOLDS
// HOLDS-NOT: regshare-opt:
//
// RUN: %python %S/Inputs/exit-code.py 2 regshare-opt app.cu --ptxas=none --device=gtx480 --max-registers=10 --min-occupancy=100 --kernel=large 2> broken.txt > report.txt
// RUN: FileCheck %s --check-prefix=BROKEN < broken.txt
// RUN: FileCheck %s --check-prefix=REPORT < report.txt
// BROKEN: regshare-opt: max-registers: kernel large(float*): [[N:[0-9]+]] registers per thread, at most 10 are allowed
// BROKEN-NEXT: regshare-opt: min-occupancy: kernel large(float*): an occupancy of {{[0-9]+}}% ({{[0-9]+}} of 48 warps on gtx480 with 256 threads per CTA, limited by registers), at least 100% is asked for
// BROKEN-NOT: small
// The report is there all the same.
// REPORT: kernel large(float*)
//
// Against a report of before.
// RUN: regshare-opt app.cu --ptxas=none --device=gtx480 --baseline=old.json --no-worse | FileCheck %s --check-prefix=SAME
// SAME: since old.json
// SAME-NEXT: large(float*)
// SAME-NEXT: nothing has changed
// RUN: %python %S/Inputs/exit-code.py 2 regshare-opt app.cu --ptxas=none --device=gtx480 --regshare-max-regs=16 --baseline=old.json --no-worse > changed.txt 2>&1
// RUN: FileCheck %s --check-prefix=CHANGED < changed.txt
// CHANGED: since old.json
// CHANGED-NEXT: large(float*)
// CHANGED-NEXT: registers 27 -> 16 (-11)
// CHANGED-NEXT: spilled values 0 -> [[S:[0-9]+]] (+[[S]])
// CHANGED: live at app.cu:{{[0-9]+ [0-9]+}} -> {{[0-9]+}}
// CHANGED: regshare-opt: no-worse: kernel large(float*): [[S]] spilled values instead of 0: worse than in old.json
// RUN: regshare-opt app.cu --ptxas=none --baseline=old.json -DWITHOUT_SMALL | FileCheck %s --check-prefix=GONE
// GONE: _Z5smallPf: gone
//
// As test cases, and for viewers of findings.
// RUN: %python %S/Inputs/exit-code.py 2 regshare-opt app.cu --max-registers=10 --no-spills --emit=junit -o junit.xml
// RUN: FileCheck %s --check-prefix=JUNIT --match-full-lines < junit.xml
// JUNIT: <testsuite name="regshare-opt app.cu" tests="4" failures="1">
// JUNIT-NEXT: <testcase classname="large(float*)" name="max-registers">
// JUNIT-NEXT: <failure message="{{[0-9]+}} registers per thread, at most 10 are allowed"/>
// JUNIT-NEXT: </testcase>
// JUNIT-NEXT: <testcase classname="large(float*)" name="no-spills"/>
// JUNIT-NEXT: <testcase classname="small(float*)" name="max-registers"/>
// JUNIT-NEXT: <testcase classname="small(float*)" name="no-spills"/>
// JUNIT-NEXT: </testsuite>
// RUN: %python %S/Inputs/exit-code.py 2 regshare-opt app.cu --max-registers=10 --emit=sarif -o findings.sarif
// RUN: %python %S/Inputs/check-sarif.py findings.sarif app.cu | FileCheck %s --check-prefix=SARIF
// SARIF: error max-registers app.cu:[[L:[0-9]+]] kernel large(float*): {{[0-9]+}} registers per thread, at most 10 are allowed
// SARIF-NEXT: note register-peak app.cu:[[L]] kernel large(float*): {{[0-9]+}} registers are live here, the most of the kernel
// SARIF-NEXT: note register-peak app.cu:{{[0-9]+}} kernel small(float*): {{[0-9]+}} registers are live here, the most of the kernel
//
// Mistakes.
// RUN: %python %S/Inputs/exit-code.py 1 regshare-opt app.cu --min-occupancy=101 --device=gtx480 2>&1 | FileCheck %s --check-prefix=PERCENT
// PERCENT: --min-occupancy=101: expected a percentage, 0 to 100
// RUN: not regshare-opt app.cu --min-occupancy=50 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: --min-occupancy needs a --device
// RUN: not regshare-opt app.cu --no-worse 2>&1 | FileCheck %s --check-prefix=WORSE
// WORSE: --no-worse needs a --baseline
// RUN: not regshare-opt app.cu --emit=junit 2>&1 | FileCheck %s --check-prefix=NOLIMIT
// NOLIMIT: --emit=junit needs a limit
// RUN: not regshare-opt app.cu --emit=ptx --no-spills 2>&1 | FileCheck %s --check-prefix=NOREPORT
// NOREPORT: limits and --baseline are for a report
// RUN: not regshare-opt app.cu --baseline=app.cu 2>&1 | FileCheck %s --check-prefix=NOJSON
// NOJSON: app.cu: expected a report that --emit=json wrote
// RUN: echo '{"version": 1, "kernels": [{"name": "k", "registers": 3}]}' > short.json
// RUN: not regshare-opt app.cu --baseline=short.json 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: short.json: kernel 'k' has no spilled

__global__ void large(float *Data) {
  float Values[24];
#pragma unroll
  for (int I = 0; I != 24; ++I)
    Values[I] = Data[I * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int I = 0; I != 24; ++I)
    Data[I * 32 + threadIdx.x] = Values[(I + 1) % 24] - Values[I];
}

#ifndef WITHOUT_SMALL
__global__ void small(float *Data) { Data[threadIdx.x] += 1; }
#endif
