//===- cl.h - Names of OpenCL in a header that all programs include -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parboil's header declares its functions for OpenCL beside those for CUDA.
//
//===----------------------------------------------------------------------===//

typedef struct NoOpenCL *cl_platform_id;
typedef struct NoOpenCL *cl_device_id;
typedef struct NoOpenCL *cl_context;
typedef struct NoOpenCL *cl_command_queue;
typedef struct NoOpenCL *cl_program;
typedef struct NoOpenCL *cl_kernel;
typedef struct NoOpenCL *cl_event;
typedef struct NoOpenCL *cl_mem;
typedef unsigned long cl_ulong;
typedef unsigned cl_uint;
typedef int cl_int;
