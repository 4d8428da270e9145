// A signal that ends a program leaves its files behind, with what has run.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: %python %S/Inputs/interrupt.py INT 130 %t.timed.json %run %t launch
// RUN: %python %S/Inputs/interrupt.py TERM 143 %t.functional.json env REGSHARE_TIMING=0 %run %t launch
// In the program's own code.
// RUN: %python %S/Inputs/interrupt.py INT 130 %t.host.json %run %t host
// A program's own handler stays, and what is ignored is.
// RUN: %python %S/Inputs/interrupt.py TERM 7 %t.own.json %run %t own
// RUN: %python %S/Inputs/interrupt.py INT 0 %t.ignored.json %run %t ignored
// A child that was forked is not the program.
// RUN: %python %S/Inputs/interrupt.py TERM 0 %t.child.json %run %t child
// A second signal does not wait for the first one's files: here a pipe that
// nobody reads.
// RUN: %python %S/Inputs/interrupt.py TERM+TERM 143 %t.pipe.json %run %t host
// The text, and the timeline.
// RUN: %python %S/Inputs/interrupt.py INT 130 %t.txt env REGSHARE_TRACE=%t.trace %run %t launch 2> %t.err
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// RUN: FileCheck %s --check-prefix=TOLD < %t.err
// RUN: %python -c "import json; json.load(open(r'%t.trace'))"

// TEXT: launch 1: set(int*)
// TEXT-NOT: ended
// TEXT: launch 2: forever(int volatile*)
// TEXT: ended         by SIGINT after 0 of 1 CTAs
// TEXT: time {{.*}} cycles,
// TEXT: ended         by SIGINT, before the program was finished
// TEXT: in all        2 launches
// TOLD: regshare: warning: SIGINT ends the program; its files say what has run until now

#include <csignal>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void set(int *P) { *P = 1; }

/// Changes memory on its way, so that it is not a livelock.
__global__ void forever(volatile int *P) {
  while (*P != -1)
    *P = (*P + 1) & 0xffffff;
}

static void ready() {
  std::puts("ready");
  std::fflush(stdout);
}

static volatile std::sig_atomic_t Arrived = 0;
static void arrive(int) { Arrived = 1; }

static int child() {
  pid_t Pid = fork();
  if (!Pid) {
    for (;;)
      pause();
  }
  kill(Pid, SIGTERM);
  int Status = 0;
  waitpid(Pid, &Status, 0);
  ready();
  return WIFSIGNALED(Status) && WTERMSIG(Status) == SIGTERM ? 0 : 3;
}

int main(int, char **Args) {
  const char *What = Args[1];
  if (!std::strcmp(What, "own"))
    std::signal(SIGTERM, arrive);
  if (!std::strcmp(What, "ignored"))
    std::signal(SIGINT, SIG_IGN);
  int *P;
  cudaMalloc(&P, sizeof(int));
  set<<<1, 1>>>(P);
  cudaDeviceSynchronize();
  if (!std::strcmp(What, "child"))
    return child();
  ready();
  if (!std::strcmp(What, "launch"))
    forever<<<1, 32>>>(P);
  if (!std::strcmp(What, "host"))
    for (;;)
      pause();
  if (!std::strcmp(What, "own")) {
    while (!Arrived)
      usleep(1000);
    return 7;
  }
  if (!std::strcmp(What, "ignored"))
    usleep(300'000);
  return 0;
}
