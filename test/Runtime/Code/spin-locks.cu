// Locks that lanes of a warp compete for, in the forms that programs have: the
// critical section is executed before the lanes that try again are waited for.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: %if !asan %{ env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=ltrf %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=regmutex REGSHARE_CODE=native %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_DEVICE=hopper REGSHARE_SCHEME=expars REGSHARE_CODE=native %run %t | FileCheck %s %}
// RUN: %if !asan %{ %regshare_clang -O3 %s -o %t.3 && env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_TIMING=0 %run %t.3 | FileCheck %s %}
// RUN: %if !asan %{ %regshare_clang -O1 %s -o %t.1 && env REGSHARE_INSTRUCTION_LIMIT=20000000 REGSHARE_TIMING=0 %run %t.1 | FileCheck %s %}
// CHECK: 21 forms are right
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int Blocks = 3, Threads = 80, All = Blocks * Threads, Locks = 7;

struct Memory {
  int Lock[16], Sum[16], Count[16];
  unsigned long long Wide;
  unsigned Bits;
  int Serving, Next, Heads[Locks], Links[All];
};

static __device__ int number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void whileNotDone(Memory *M) {
  bool Done = false;
  while (!Done) {
    if (atomicCAS(&M->Lock[0], 0, 1) == 0) {
      M->Sum[0] += number();
      M->Count[0]++;
      __threadfence();
      atomicExch(&M->Lock[0], 0);
      Done = true;
    }
  }
}

__global__ void doWhile(Memory *M) {
  bool Goes = true;
  do {
    if (atomicExch(&M->Lock[0], 1) == 0) {
      M->Sum[0] += number();
      M->Count[0]++;
      __threadfence();
      *(volatile int *)&M->Lock[0] = 0;
      Goes = false;
    }
  } while (Goes);
}

__global__ void breaks(Memory *M) {
  int Turn;
  for (;;) {
    if (!atomicCAS(&M->Lock[0], 0, 1)) {
      Turn = M->Count[0]++;
      __threadfence();
      atomicExch(&M->Lock[0], 0);
      break;
    }
  }
  atomicAdd(&M->Sum[0], Turn);
}

__global__ void spinsFirst(Memory *M) {
  while (atomicCAS(&M->Lock[0], 0, 1) != 0) {
  }
  M->Sum[0] += number();
  M->Count[0]++;
  __threadfence();
  atomicExch(&M->Lock[0], 0);
}

__global__ void readsFirst(Memory *M) {
  for (;;) {
    while (*(volatile int *)&M->Lock[0]) {
    }
    if (atomicCAS(&M->Lock[0], 0, number() + 1) == 0)
      break;
  }
  M->Sum[0] += number();
  M->Count[0]++;
  __threadfence();
  atomicCAS(&M->Lock[0], number() + 1, 0);
}

__global__ void again(Memory *M) {
  for (int I = 0; I < 5; ++I) {
    bool Done = false;
    while (!Done) {
      if (atomicCAS(&M->Lock[I % 2], 0, 1) == 0) {
        M->Sum[I % 2] += number() * I;
        M->Count[I % 2]++;
        __threadfence();
        atomicExch(&M->Lock[I % 2], 0);
        Done = true;
      }
    }
  }
}

__global__ void branches(Memory *M, int N) {
  bool Done = false;
  while (!Done) {
    if (atomicCAS(&M->Lock[0], 0, 1) == 0) {
      int T = number();
      if (T % 2) {
        M->Sum[0] += T;
      } else {
        for (int I = 0; I < N; ++I)
          M->Sum[0] += T % (I + 2);
      }
      if (T % 3 == 0)
        M->Count[1]++;
      M->Count[0]++;
      __threadfence();
      atomicExch(&M->Lock[0], 0);
      Done = true;
    }
  }
}

__global__ void buckets(Memory *M) {
  int T = number(), B = T * 5 % Locks;
  bool Done = false;
  while (!Done) {
    if (atomicCAS(M->Lock + B, 0, 1) == 0) {
      M->Links[T] = M->Heads[B];
      M->Heads[B] = T + 1;
      __threadfence();
      atomicExch(&M->Lock[B], 0);
      Done = true;
    }
  }
}

class Guard {
public:
  __device__ explicit Guard(int *Lock) : Lock(Lock) {
    while (atomicCAS(Lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ ~Guard() {
    __threadfence();
    atomicExch(Lock, 0);
  }

private:
  int *Lock;
};

static __device__ __noinline__ void addUnderLock(Memory *M, int *Lock, int V) {
  Guard G(Lock);
  M->Sum[0] += V;
  M->Count[0]++;
}

__global__ void inFunction(Memory *M) { addUnderLock(M, M->Lock, number()); }

__global__ void nested(Memory *M) {
  int A = number() % 4, B = 4 + number() % 3;
  bool Done = false;
  while (!Done) {
    if (atomicCAS(&M->Lock[A], 0, 1) == 0) {
      bool DoneInside = false;
      while (!DoneInside) {
        if (atomicCAS(&M->Lock[B], 0, 1) == 0) {
          M->Sum[A]++;
          M->Sum[B]++;
          __threadfence();
          atomicExch(&M->Lock[B], 0);
          DoneInside = true;
        }
      }
      M->Count[A]++;
      __threadfence();
      atomicExch(&M->Lock[A], 0);
      Done = true;
    }
  }
}

// Two accounts, the lower one first; none is kept where the other is not got.
__global__ void bothOrNone(Memory *M) {
  int From = number() % Locks, To = (number() * 3 + 1) % Locks;
  if (From == To)
    To = (To + 1) % Locks;
  int First = From < To ? From : To, Second = From < To ? To : From;
  bool Done = false;
  while (!Done) {
    if (atomicCAS(&M->Lock[First], 0, 1) == 0) {
      if (atomicCAS(&M->Lock[Second], 0, 1) == 0) {
        M->Sum[From]--;
        M->Sum[To]++;
        __threadfence();
        atomicExch(&M->Lock[Second], 0);
        Done = true;
      }
      atomicExch(&M->Lock[First], 0);
    }
  }
}

__global__ void returns(Memory *M) {
  for (;;) {
    if (atomicCAS(&M->Lock[0], 0, 1) == 0) {
      if (M->Count[0] == 100) {
        __threadfence();
        atomicExch(&M->Lock[0], 0);
        return;
      }
      M->Count[0]++;
      __threadfence();
      atomicExch(&M->Lock[0], 0);
      break;
    }
  }
  atomicAdd(&M->Sum[0], 1);
}

__global__ void givesUp(Memory *M) {
  for (int I = 0; I < 100000; ++I) {
    if (M->Count[2])
      return;
    if (atomicCAS(&M->Lock[0], 0, 1) == 0) {
      M->Sum[0] += number();
      M->Count[0]++;
      __threadfence();
      atomicExch(&M->Lock[0], 0);
      break;
    }
  }
}

__global__ void wide(Memory *M) {
  while (atomicExch(&M->Wide, 1ull) != 0) {
  }
  M->Sum[0] += number();
  M->Count[0]++;
  __threadfence();
  atomicExch(&M->Wide, 0ull);
}

__global__ void bit(Memory *M) {
  unsigned Mine = 1u << number() % 5;
  while (atomicOr(&M->Bits, Mine) & Mine) {
  }
  M->Sum[number() % 5] += number();
  M->Count[number() % 5]++;
  __threadfence();
  atomicAnd(&M->Bits, ~Mine);
}

__global__ void tickets(Memory *M) {
  int Mine = atomicAdd(&M->Next, 1);
  while (atomicAdd(&M->Serving, 0) != Mine) {
  }
  M->Sum[0] += number();
  M->Count[0]++;
  __threadfence();
  atomicAdd(&M->Serving, 1);
}

__global__ void ofTheBlock(Memory *M) {
  __shared__ int Lock, Sum;
  if (threadIdx.x == 0)
    Lock = Sum = 0;
  __syncthreads();
  bool Done = false;
  while (!Done) {
    if (atomicCAS_block(&Lock, 0, 1) == 0) {
      Sum += number();
      __threadfence_block();
      atomicExch_block(&Lock, 0);
      Done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&M->Sum[0], Sum);
    atomicAdd(&M->Count[0], int(blockDim.x));
  }
}

__global__ void asserts(Memory *M) {
  bool Done = false;
  while (!Done) {
    if (atomicCAS(&M->Lock[0], 0, 1) == 0) {
      if (M->Count[0] < 0)
        __trap();
      M->Sum[0] += number();
      M->Count[0]++;
      __threadfence();
      atomicExch(&M->Lock[0], 0);
      Done = true;
    }
  }
}

struct Holder {
  int *Lock;
};

// The address is read from memory again where the lock is given back.
__global__ void readsAddress(Memory *M, Holder *Holders) {
  Holder &H = Holders[number() % 2];
  while (atomicCAS(H.Lock, 0, 1) != 0) {
  }
  M->Sum[number() % 2] += number();
  M->Count[number() % 2]++;
  __threadfence();
  atomicExch(H.Lock, 0);
}

__global__ void inlinePTX(Memory *M) {
  int Old;
  do {
    asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], 0, 1;"
                 : "=r"(Old)
                 : "l"(M->Lock)
                 : "memory");
  } while (Old);
  M->Sum[0] += number();
  M->Count[0]++;
  asm volatile("st.release.gpu.b32 [%0], 0;" ::"l"(M->Lock) : "memory");
}

__global__ void waitsLonger(Memory *M) {
  unsigned Wait = 8;
  while (atomicCAS(&M->Lock[0], 0, 1) != 0) {
    __nanosleep(Wait);
    Wait = Wait < 256 ? 2 * Wait : Wait;
  }
  M->Sum[0] += number();
  M->Count[0]++;
  __threadfence();
  atomicExch(&M->Lock[0], 0);
}

static int Right, Kernels;
static Memory *Device;

template <typename... Rest>
static Memory run(void (*Kernel)(Memory *, Rest...), Rest... Arguments) {
  cudaMemset(Device, 0, sizeof(Memory));
  Kernel<<<Blocks, Threads>>>(Device, Arguments...);
  Memory M;
  if (cudaMemcpy(&M, Device, sizeof(M), cudaMemcpyDeviceToHost) != cudaSuccess)
    printf("failed: kernel %d\n", Kernels);
  return M;
}

static void check(bool IsRight) {
  ++Kernels;
  Right += IsRight;
  if (!IsRight)
    printf("wrong: form %d\n", Kernels);
}

static void checkSums(const Memory &M) {
  check(M.Sum[0] == All * (All - 1) / 2 && M.Count[0] == All && !M.Lock[0]);
}

static Memory runWithHolders() {
  Holder Host[2] = {{Device->Lock}, {Device->Lock + 1}}, *Holders;
  cudaMalloc(&Holders, sizeof(Host));
  cudaMemcpy(Holders, Host, sizeof(Host), cudaMemcpyHostToDevice);
  return run(readsAddress, Holders);
}

static void checkBranches(const Memory &M, int N) {
  int Sum = 0, Thirds = 0;
  for (int T = 0; T < All; ++T) {
    for (int I = 0; I < N && T % 2 == 0; ++I)
      Sum += T % (I + 2);
    Sum += T % 2 * T;
    Thirds += T % 3 == 0;
  }
  check(M.Sum[0] == Sum && M.Count[1] == Thirds && M.Count[0] == All);
}

static void checkBuckets(const Memory &M) {
  int Found = 0;
  bool InPlace = true;
  for (int B = 0; B < Locks; ++B)
    for (int T = M.Heads[B]; T && Found <= All; T = M.Links[T - 1]) {
      ++Found;
      InPlace &= (T - 1) * 5 % Locks == B;
    }
  check(Found == All && InPlace);
}

static void checkNested(const Memory &M) {
  int Sum[16] = {}, Count[16] = {};
  for (int T = 0; T < All; ++T) {
    Sum[T % 4]++;
    Sum[4 + T % 3]++;
    Count[T % 4]++;
  }
  check(!memcmp(Sum, M.Sum, sizeof(Sum)) &&
        !memcmp(Count, M.Count, sizeof(Count)));
}

static void checkBoth(const Memory &M) {
  int Sum[16] = {};
  for (int T = 0; T < All; ++T) {
    int From = T % Locks, To = (T * 3 + 1) % Locks;
    if (From == To)
      To = (To + 1) % Locks;
    Sum[From]--;
    Sum[To]++;
  }
  check(!memcmp(Sum, M.Sum, sizeof(Sum)));
}

int main() {
  cudaMalloc(&Device, sizeof(Memory));
  checkSums(run(whileNotDone));
  checkSums(run(doWhile));
  checkSums(run(breaks));
  checkSums(run(spinsFirst));
  checkSums(run(readsFirst));
  Memory M = run(again);
  check(M.Sum[0] == 6 * All * (All - 1) / 2 && M.Count[0] == 3 * All &&
        M.Sum[1] == 4 * All * (All - 1) / 2 && M.Count[1] == 2 * All);
  checkBranches(run(branches, 9), 9);
  checkBuckets(run(buckets));
  checkSums(run(inFunction));
  checkNested(run(nested));
  checkBoth(run(bothOrNone));
  M = run(returns);
  check(M.Count[0] == 100 && M.Sum[0] == 100);
  checkSums(run(givesUp));
  checkSums(run(wide));
  M = run(bit);
  check(M.Count[4] == All / 5 && M.Bits == 0 &&
        M.Sum[0] + M.Sum[1] + M.Sum[2] + M.Sum[3] + M.Sum[4] ==
            All * (All - 1) / 2);
  checkSums(run(tickets));
  checkSums(run(ofTheBlock));
  checkSums(run(asserts));
  M = runWithHolders();
  check(M.Sum[0] == (All / 2 - 1) * (All / 2) &&
        M.Sum[1] == All / 2 * (All / 2) && M.Count[0] == All / 2 &&
        M.Count[1] == All / 2);
  checkSums(run(inlinePTX));
  checkSums(run(waitsLonger));
  printf("%d forms are %s\n", Kernels, Right == Kernels ? "right" : "wrong");
  return Right != Kernels;
}
