//===- Interruption.cpp - Programs that a signal ends -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interruption.h"

#include "Runtime.h"

#include "regshare/Sim/StopRequest.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace regshare::cudart {

static constexpr int Signals[] = {SIGINT, SIGTERM};

static std::atomic<int> Received = 0;
static std::atomic<pid_t> Owner = 0;
static bool Forgotten = false; ///< Guarded by apiLock().
/// The handler writes, a thread that may wait for locks reads.
static int WakeUp[2] = {-1, -1};

static void endBy(int Signal) {
  std::signal(Signal, SIG_DFL);
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Set, nullptr);
  kill(getpid(), Signal);
  _exit(128 + Signal);
}

/// A forked child has the handler, but not the thread.
static void handle(int Signal) {
  int Before = errno;
  if (getpid() != Owner)
    endBy(Signal);
  int None = 0;
  if (!Received.compare_exchange_strong(None, Signal))
    endBy(Signal);
  sim::requestStop();
  char Byte = 0;
  if (write(WakeUp[1], &Byte, 1) != 1)
    endBy(Signal);
  errno = Before;
}

const char *interruption() {
  switch (Received) {
  case SIGINT:
    return "SIGINT";
  case SIGTERM:
    return "SIGTERM";
  default:
    return nullptr;
  }
}

void endIfInterrupted(Report &Log) {
  int Signal = Received;
  if (!Signal)
    return;
  printWarning(std::string(interruption()) +
               " ends the program; its files say what has run until now");
  Log.write();
  endBy(Signal);
}

/// A program in its own code does not come to endIfInterrupted(). One in a
/// launch does, and holds the lock until then.
static void *watch(void *Log) {
  char Byte;
  while (read(WakeUp[0], &Byte, 1) != 1)
    if (errno != EINTR)
      return nullptr;
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  if (!Forgotten)
    endIfInterrupted(*static_cast<Report *>(Log));
  return nullptr;
}

/// The thread takes no signals: handlers of the program expect its own threads.
static bool startWatching(Report &Log) {
  if (pipe2(WakeUp, O_CLOEXEC))
    return false;
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_t Thread;
  int Error = pthread_create(&Thread, nullptr, watch, &Log);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (Error)
    return false;
  pthread_detach(Thread);
  return true;
}

static bool hasHandler(int Signal, void (*Handler)(int)) {
  struct sigaction Action;
  return !sigaction(Signal, nullptr, &Action) &&
         !(Action.sa_flags & SA_SIGINFO) && Action.sa_handler == Handler;
}

void awaitInterruptions(Report &Log) {
  if (!startWatching(Log)) {
    printWarning("a signal that ends the program leaves no files: the host has "
                 "no more threads or pipes");
    return;
  }
  Owner = getpid();
  struct sigaction Action = {};
  Action.sa_handler = handle;
  Action.sa_flags = SA_RESTART;
  for (int Signal : Signals)
    sigaddset(&Action.sa_mask, Signal);
  for (int Signal : Signals)
    if (hasHandler(Signal, SIG_DFL))
      sigaction(Signal, &Action, nullptr);
}

void forgetInterruptions() {
  Forgotten = true;
  for (int Signal : Signals)
    if (hasHandler(Signal, handle))
      std::signal(Signal, SIG_DFL);
}

} // namespace regshare::cudart
