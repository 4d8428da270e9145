// Sides that hardware executes under predicates are ordered as one block with
// the code around them: the loads of all come first, and what waits for them
// after. Each stretch with one guard has a branch that hardware does not have.
// LABELS: schedule
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: regshare-opt --code=native -mcpu=sm_75 -regshare-schedule-code=0 --emit=ptx %s | FileCheck %s --check-prefix=ASIS
// It is machine code that LLVM's verifier accepts where it is read again.
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=mir %s -o %t.mir
// RUN: regshare-opt %t.mir --emit=mir -o /dev/null

// CHECK-LABEL: .entry update(
// CHECK-COUNT-4: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: fma.rn.f32
// CHECK-COUNT-4: st.global.b32
// CHECK: ret;
// ASIS-LABEL: .entry update(
// ASIS: ld.global.b32
// ASIS-NOT: ld.global
// ASIS: st.global.b32
// ASIS: ld.global.b32
extern "C" __global__ void update(float *C, int N, int M, float By) {
  int I = threadIdx.x;
#pragma unroll
  for (int J = 0; J < 4; ++J)
    if (I * M + J * J < N)
      C[I * 4 + J] = C[I * 4 + J] * By + 1.0f;
}

// Two sides of one branch stay the sides of one; what is computed in one of
// them is not there for threads that go around it, and has some value there.
// CHECK-LABEL: .entry choose(
// CHECK-NOT: "regshare.issue
// CHECK: implicit-def: [[A:%r[0-9]+]]
// CHECK: implicit-def: [[B:%r[0-9]+]]
// CHECK: "regshare.issue slots=0"
// CHECK: @[[P:%p[0-9]+]] bra [[ELSE:[$]L[_A-Z0-9]+]];
// CHECK: ld.global.b32 [[A]],
// CHECK: "regshare.issue slots=0"
// CHECK: bra.uni [[MEET:[$]L[_A-Z0-9]+]];
// CHECK: [[ELSE]]:
// CHECK: ld.global.b32 [[B]],
// CHECK: [[MEET]]:
// CHECK: ld.global.b32
// CHECK: @[[P]] bra
// CHECK: mul.f32 [[X:%r[0-9]+]], {{%r[0-9]+}}, [[A]];
// CHECK: add.f32 [[X]], {{%r[0-9]+}}, [[B]];
// CHECK: ret;
extern "C" __global__ void choose(const float *In, float *Out, int N, int M,
                                  float By) {
  int I = threadIdx.x;
  float X, Always = In[I + 3];
  if (I * M < N)
    X = In[I] * By;
  else
    X = In[I + 1] + By;
  if (I * N < M)
    X += In[I + 2];
  Out[I] = X * Always;
}

// An update that no other load is near stays in a branch.
// CHECK-LABEL: .entry alone(
// CHECK-NOT: slots=0
// CHECK: bra
// CHECK: ld.global.b32
// CHECK-NOT: slots=0
// CHECK: ret;
extern "C" __global__ void alone(float *C, float *Out, int N, int M, float By) {
  int I = threadIdx.x;
  if (I * M < N)
    C[I] = C[I] * By + 1.0f;
  Out[I] = By;
}

// What a side computes on uniform registers is computed for all threads.
// CHECK-LABEL: .entry uniform(
// CHECK: regshare.map{{.*}} [[OF:%r[0-9]+]]=U3{{[ "]}}
// CHECK-NOT: "regshare.issue
// CHECK: mul.lo.s32 [[OF]],
// CHECK: "regshare.issue slots=0"
// CHECK: xor.b32 {{%r[0-9]+}}, [[OF]],
// CHECK: ret;
extern "C" __global__ void uniform(const float *In, float *Out, int N, int M,
                                   int K) {
  int I = threadIdx.x;
  float X = In[I + 3], Y = 1;
  if (N < M) {
    int Of = N * K * M;
    Y = In[I ^ Of] * X;
    Out[I + Of] = Y;
  }
  if (I * N < M)
    X += In[I + 2];
  Out[I] = X * Y;
}
