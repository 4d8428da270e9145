/* The time in seconds, for programs of PolyBench/GPU that lack the file.
 *
 * Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <sys/time.h>

static double rtclock(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return now.tv_sec + now.tv_usec * 1.0e-6;
}
