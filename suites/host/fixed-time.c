/*===- fixed-time.c - Programs that seed by the clock ---------------------===*\
|*
|* Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Linked with a program that takes its random numbers' seed from the clock, so
|* that it does the same each time, and the same as its reference.
|*
\*===----------------------------------------------------------------------===*/

#include <time.h>

time_t time(time_t *Result) {
  if (Result)
    *Result = 7;
  return 7;
}
