//===- Streams.cpp - Streams and events -*- C++ -*-------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Capture.h"
#include "Runtime.h"

#include <algorithm>
#include <memory>

using namespace regshare::cudart;

/// CUDA's range: the greatest priority is the lowest number.
static constexpr int LeastPriority = 0, GreatestPriority = -5;

/// Runs \p Body(Runtime &, Stream &) for a stream that exists.
template <typename Fn>
static cudaError_t withStream(cudaStream_t Handle, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    Stream *S = R.Clock.find(Handle);
    return S ? Body(R, *S) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Handle,
                                         unsigned int Flags, int Priority) {
  return apiCall([&](Runtime &R) {
    if (!Handle || (Flags & ~unsigned(cudaStreamNonBlocking)))
      return cudaErrorInvalidValue;
    Priority = std::max(GreatestPriority, std::min(LeastPriority, Priority));
    *Handle = reinterpret_cast<cudaStream_t>(R.Clock.create(Flags, Priority));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Handle,
                                      unsigned int Flags) {
  return cudaStreamCreateWithPriority(Handle, Flags, LeastPriority);
}

cudaError_t cudaStreamCreate(cudaStream_t *Handle) {
  return cudaStreamCreateWithPriority(Handle, cudaStreamDefault, LeastPriority);
}

cudaError_t cudaStreamDestroy(cudaStream_t Handle) {
  return withStream(Handle, [](Runtime &R, Stream &S) {
    if (&S == &R.Clock.legacyStream() || &S == &R.Clock.perThreadStream())
      return cudaErrorInvalidResourceHandle;
    R.Captures.forget(S);
    R.Clock.destroy(&S);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t Handle) {
  return apiCall([&](Runtime &R) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStreamToSynchronize(R, Handle, S);
        Error != cudaSuccess)
      return Error;
    R.waitUntil(R.Clock.readyTime(*S));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t Handle) {
  // All work is done when its call returns; whoever asks sees it done.
  return cudaStreamSynchronize(Handle);
}

cudaError_t cudaStreamGetFlags(cudaStream_t Handle, unsigned int *Flags) {
  return withStream(Handle, [&](Runtime &, Stream &S) {
    if (!Flags)
      return cudaErrorInvalidValue;
    *Flags = S.Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t Handle, int *Priority) {
  return withStream(Handle, [&](Runtime &, Stream &S) {
    if (!Priority)
      return cudaErrorInvalidValue;
    *Priority = S.Priority;
    return cudaSuccess;
  });
}

/// CUDA has four attributes of streams besides the priority.
static bool isHint(cudaStreamAttrID Attribute) {
  return Attribute == cudaStreamAttributeAccessPolicyWindow ||
         Attribute == cudaStreamAttributeSynchronizationPolicy ||
         Attribute == cudaStreamAttributeMemSyncDomainMap ||
         Attribute == cudaStreamAttributeMemSyncDomain;
}

static bool isValid(const cudaAccessPolicyWindow &W) {
  // Not so of a NaN.
  return W.hitRatio >= 0 && W.hitRatio <= 1 &&
         W.missProp != cudaAccessPropertyPersisting;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t Handle,
                                   cudaStreamAttrID Attribute,
                                   const cudaStreamAttrValue *Value) {
  return withStream(Handle, [&](Runtime &, Stream &S) {
    if (!Value)
      return cudaErrorInvalidValue;
    if (Attribute == cudaStreamAttributePriority) {
      S.Priority = std::clamp(Value->priority, GreatestPriority, LeastPriority);
      return cudaSuccess;
    }
    if (!isHint(Attribute) ||
        (Attribute == cudaStreamAttributeAccessPolicyWindow &&
         !isValid(Value->accessPolicyWindow)))
      return cudaErrorInvalidValue;
    std::copy(std::begin(Value->pad), std::end(Value->pad),
              S.Hints[Attribute].begin());
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t Handle,
                                   cudaStreamAttrID Attribute,
                                   cudaStreamAttrValue *Value) {
  return withStream(Handle, [&](Runtime &, Stream &S) {
    bool IsPriority = Attribute == cudaStreamAttributePriority;
    if (!Value || (!IsPriority && !isHint(Attribute)))
      return cudaErrorInvalidValue;
    *Value = {};
    if (IsPriority)
      Value->priority = S.Priority;
    else if (auto It = S.Hints.find(Attribute); It != S.Hints.end())
      std::copy(It->second.begin(), It->second.end(), Value->pad);
    else if (Attribute == cudaStreamAttributeSynchronizationPolicy)
      Value->syncPolicy = cudaSyncPolicyAuto;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t To, cudaStream_t From) {
  return withStream(From, [&](Runtime &R, Stream &Source) {
    Stream *Target = R.Clock.find(To);
    if (!Target)
      return cudaErrorInvalidResourceHandle;
    Target->Priority = Source.Priority;
    Target->Hints = Source.Hints;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t Handle, unsigned long long *Id) {
  return withStream(Handle, [&](Runtime &, Stream &S) {
    if (!Id)
      return cudaErrorInvalidValue;
    *Id = S.Number;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t Handle, int *Device) {
  return withStream(Handle, [&](Runtime &, Stream &) {
    if (!Device)
      return cudaErrorInvalidValue;
    *Device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t Handle, void *Ptr, size_t,
                                     unsigned int) {
  return withStream(Handle, [&](Runtime &R, Stream &) {
    auto *Found = R.findAllocation(Ptr);
    return Found && Found->second.Type == cudaMemoryTypeManaged
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  return apiCall([&](Runtime &) {
    if (Least)
      *Least = LeastPriority;
    if (Greatest)
      *Greatest = GreatestPriority;
    return cudaSuccess;
  });
}

/// Calls back into the program without the lock held by anyone else: a
/// callback must not make CUDA calls, which need not be enforced.
cudaError_t cudaStreamAddCallback(cudaStream_t Handle,
                                  cudaStreamCallback_t Callback, void *UserData,
                                  unsigned int Flags) {
  cudaError_t Error = apiCall([&](Runtime &R) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
      return Error;
    if (!Callback || Flags)
      return cudaErrorInvalidValue;
    CapturedPoint *Point = R.Captures.find(*S);
    if (!Point)
      return cudaSuccess;
    Point->In->IsInvalid = true;
    return cudaErrorStreamCaptureUnsupported;
  });
  if (Error == cudaSuccess)
    Callback(Handle, cudaSuccess, UserData);
  return Error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t Handle, cudaHostFn_t Function,
                               void *UserData) {
  bool IsCaptured = false;
  cudaError_t Error = apiCall([&](Runtime &R) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
      return Error;
    IsCaptured = R.Captures.isCapturing(*S);
    return Function ? issue(R, *S, HostWork{Function, UserData})
                    : cudaErrorInvalidValue;
  });
  if (Error == cudaSuccess && !IsCaptured)
    Function(UserData);
  return Error;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Runs \p Body(Runtime &, Event &) for an event that exists.
template <typename Fn>
static cudaError_t withEvent(cudaEvent_t Handle, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    auto It = R.Events.find(Handle);
    return It == R.Events.end() ? cudaErrorInvalidResourceHandle
                                : Body(R, *It->second);
  });
}

/// The same for an event and a stream that takes work, and flags that are 0 or
/// 1. \p Body returns a cudaError_t.
template <typename Fn>
static cudaError_t withEventOn(cudaStream_t Handle, cudaEvent_t Event,
                               unsigned int Flags, Fn &&Body) {
  return withEvent(Event, [&](Runtime &R, regshare::cudart::Event &E) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
      return Error;
    return Flags & ~1u ? cudaErrorInvalidValue : Body(R, *S, E);
  });
}

/// The same for an event that stands for work outside of captures.
template <typename Fn>
static cudaError_t withPlainEvent(cudaEvent_t Handle, Fn &&Body) {
  return withEvent(Handle, [&](Runtime &R, Event &E) {
    CapturedPoint *Point = R.Captures.find(E);
    if (!Point)
      return Body(R, E);
    Point->In->IsInvalid = true;
    return cudaErrorCapturedEvent;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Handle, unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    constexpr unsigned Known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!Handle || (Flags & ~Known))
      return cudaErrorInvalidValue;
    if ((Flags & cudaEventInterprocess) && !(Flags & cudaEventDisableTiming))
      return cudaErrorInvalidValue;
    auto New = std::make_unique<Event>(Event{Flags});
    *Handle = reinterpret_cast<cudaEvent_t>(New.get());
    R.Events.emplace(*Handle, std::move(New));
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t *Handle) {
  return cudaEventCreateWithFlags(Handle, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t Handle) {
  return withEvent(Handle, [&](Runtime &R, Event &E) {
    R.Captures.forget(E);
    R.Events.erase(Handle);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t Handle, cudaStream_t Stream,
                                     unsigned int Flags) {
  return withEventOn(Stream, Handle, Flags, [&](Runtime &R, auto &S, Event &E) {
    if (R.Captures.isCapturing(S) && Flags != cudaEventRecordExternal) {
      R.Captures.record(S, E);
      return cudaSuccess;
    }
    R.Captures.forget(E);
    return issue(R, S, EventRecordWork{Handle});
  });
}

cudaError_t cudaEventRecord(cudaEvent_t Handle, cudaStream_t Stream) {
  return cudaEventRecordWithFlags(Handle, Stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t Handle) {
  return withPlainEvent(Handle, [&](Runtime &R, Event &E) {
    if (E.Recorded)
      R.waitUntil(E.Time);
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t Handle) {
  return cudaEventSynchronize(Handle);
}

cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End) {
  return withPlainEvent(Start, [&](Runtime &, Event &First) {
    return withPlainEvent(End, [&](Runtime &, Event &Last) {
      if (!Milliseconds)
        return cudaErrorInvalidValue;
      for (const Event *E : {&First, &Last})
        if (!E->Recorded || (E->Flags & cudaEventDisableTiming))
          return cudaErrorInvalidResourceHandle;
      *Milliseconds = float((Last.Time - First.Time) * 1e3);
      return cudaSuccess;
    });
  });
}

/// \p S, which may be capturing, waits for an event that was captured.
static cudaError_t waitForCaptured(Runtime &R, Stream &S,
                                   const CapturedPoint &E) {
  if (E.In->IsOver)
    return cudaErrorCapturedEvent;
  if (E.In->IsInvalid)
    return cudaErrorStreamCaptureInvalidated;
  if (&S == &R.Clock.legacyStream()) {
    E.In->IsInvalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  if (CapturedPoint *Point = R.Captures.find(S); Point && Point->In != E.In) {
    Point->In->IsInvalid = E.In->IsInvalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  R.Captures.wait(S, E);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Handle,
                                unsigned int Flags) {
  return withEventOn(Stream, Handle, Flags, [&](Runtime &R, auto &S, Event &E) {
    CapturedPoint *Point = R.Captures.find(S);
    if (Point && Flags == cudaEventWaitExternal)
      return issue(R, S, EventWaitWork{Handle});
    if (CapturedPoint *Captured = R.Captures.find(E))
      return waitForCaptured(R, S, *Captured);
    if (!Point)
      return issue(R, S, EventWaitWork{Handle});
    Point->In->IsInvalid = true;
    return cudaErrorStreamCaptureIsolation;
  });
}
