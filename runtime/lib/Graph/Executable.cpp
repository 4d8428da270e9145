//===- Executable.cpp - Graphs that can be launched ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Executable.h"

#include "API/Copies.h"
#include "Runtime.h"

#include <algorithm>
#include <cstring>
#include <functional>

using namespace regshare::cudart;

static GraphNode *findCopy(const CUgraph_st &Copy, uint64_t OriginalId) {
  for (const auto &Node : Copy.Nodes) {
    if (Node->ClonedOf == OriginalId)
      return Node.get();
    if (const auto *Child = std::get_if<ChildWork>(&Node->What))
      if (GraphNode *Inside = findCopy(*Child->Graph, OriginalId))
        return Inside;
  }
  return nullptr;
}

CUgraphNode_st *CUgraphExec_st::find(const CUgraphNode_st *Original) const {
  return findCopy(*Copy, Original->Id);
}

namespace regshare::cudart {

namespace {
/// Makes the steps of a graph and of those inside it.
class StepList {
public:
  explicit StepList(std::vector<CUgraphExec_st::Step> &Steps) : Steps(Steps) {}

  /// False if there is a cycle. Steps of the graph's first nodes come after
  /// \p After; \p Ends gets those of its last ones.
  bool add(const CUgraph_st &Graph, const std::vector<size_t> &After,
           std::vector<size_t> &Ends) {
    std::vector<GraphNode *> Order = Graph.topologicalOrder();
    if (Order.size() != Graph.Nodes.size())
      return false;
    // What is to be waited for where a node is.
    std::map<const GraphNode *, std::vector<size_t>> EndsOf;
    for (GraphNode *Node : Order) {
      std::vector<size_t> Before;
      for (const GraphNode *Each : Node->Dependencies)
        Before.insert(Before.end(), EndsOf[Each].begin(), EndsOf[Each].end());
      size_t Index = Steps.size();
      Steps.push_back({Node, Node->Dependencies.empty() ? After : Before});
      std::vector<size_t> &Mine = EndsOf[Node];
      const auto *Child = std::get_if<ChildWork>(&Node->What);
      if (Child && !add(*Child->Graph, {Index}, Mine))
        return false;
      if (Mine.empty())
        Mine = {Index};
      if (Node->Dependents.empty())
        Ends.insert(Ends.end(), Mine.begin(), Mine.end());
    }
    return true;
  }

private:
  std::vector<CUgraphExec_st::Step> &Steps;
};
} // namespace

std::shared_ptr<CUgraphExec_st> instantiate(const CUgraph_st &Graph) {
  auto Exec = std::make_shared<CUgraphExec_st>();
  Exec->Copy = Graph.clone();
  std::vector<size_t> Ends;
  if (!StepList(Exec->Steps).add(*Exec->Copy, {}, Ends))
    return nullptr;
  return Exec;
}

bool canReplace(Runtime &R, const Work &Old, const Work &New) {
  if (Old.index() != New.index())
    return false;
  if (const auto *Copy = std::get_if<CopyWork>(&Old))
    return sidesOf(R, Copy->Params) ==
           sidesOf(R, std::get<CopyWork>(New).Params);
  if (const auto *Alloc = std::get_if<AllocWork>(&Old))
    return Alloc->Params.bytesize == std::get<AllocWork>(New).Params.bytesize &&
           Alloc->Params.dptr == std::get<AllocWork>(New).Params.dptr;
  if (const auto *Free = std::get_if<FreeWork>(&Old))
    return Free->Ptr == std::get<FreeWork>(New).Ptr;
  return true;
}

/// The place of each node among its graph's.
static std::map<const GraphNode *, size_t> placesOf(const CUgraph_st &Graph) {
  std::map<const GraphNode *, size_t> Places;
  for (const auto &Node : Graph.Nodes)
    Places.emplace(Node.get(), Places.size());
  return Places;
}

UpdateFailure compare(Runtime &R, const CUgraph_st &Old,
                      const CUgraph_st &New) {
  if (Old.Nodes.size() != New.Nodes.size())
    return {cudaGraphExecUpdateErrorTopologyChanged};
  std::map<const GraphNode *, size_t> OldPlace = placesOf(Old),
                                      NewPlace = placesOf(New);
  for (size_t N = 0; N != Old.Nodes.size(); ++N) {
    GraphNode *Was = Old.Nodes[N].get(), *Is = New.Nodes[N].get();
    if (Was->What.index() != Is->What.index())
      return {cudaGraphExecUpdateErrorNodeTypeChanged, Is};
    std::set<size_t> Before;
    for (const GraphNode *Each : Was->Dependencies)
      Before.insert(OldPlace[Each]);
    for (GraphNode *Each : Is->Dependencies)
      if (!Before.erase(NewPlace[Each]))
        return {cudaGraphExecUpdateErrorTopologyChanged, Is, Each};
    if (!Before.empty())
      return {cudaGraphExecUpdateErrorTopologyChanged, Is};
    if (!canReplace(R, Was->What, Is->What))
      return {cudaGraphExecUpdateErrorParametersChanged, Is};
    if (const auto *Child = std::get_if<ChildWork>(&Was->What)) {
      const auto &Other = std::get<ChildWork>(Is->What);
      if (UpdateFailure Inside = compare(R, *Child->Graph, *Other.Graph);
          Inside.Result != cudaGraphExecUpdateSuccess)
        return Inside;
    }
  }
  return {};
}

void update(CUgraph_st &Old, const CUgraph_st &New) {
  for (size_t N = 0; N != Old.Nodes.size(); ++N) {
    Work &Was = Old.Nodes[N]->What;
    const Work &Is = New.Nodes[N]->What;
    // The steps know the nodes inside, which stay.
    if (auto *Child = std::get_if<ChildWork>(&Was))
      update(*Child->Graph, *std::get<ChildWork>(Is).Graph);
    else
      Was = cloneOf(Is);
  }
}

} // namespace regshare::cudart

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Runs \p Body(Runtime &, std::shared_ptr<CUgraphExec_st> &) for an executable
/// graph that exists.
template <typename Fn>
static cudaError_t withExec(cudaGraphExec_t Handle, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    auto It = R.Executables.find(Handle);
    return It == R.Executables.end() ? cudaErrorInvalidValue
                                     : Body(R, It->second);
  });
}

static cudaError_t checkInstantiateFlags(unsigned long long Flags,
                                         cudaGraphInstantiateResult &Result) {
  constexpr unsigned long long Known =
      cudaGraphInstantiateFlagAutoFreeOnLaunch |
      cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagDeviceLaunch |
      cudaGraphInstantiateFlagUseNodePriority;
  Result = cudaGraphInstantiateError;
  if (Flags & ~Known)
    return cudaErrorInvalidValue;
  if (!(Flags & cudaGraphInstantiateFlagDeviceLaunch))
    return cudaSuccess;
  printError("kernels cannot launch graphs; cudaGraphInstantiate with "
             "cudaGraphInstantiateFlagDeviceLaunch returns "
             "cudaErrorNotSupported",
             regshare::ErrorKind::Unsupported);
  return cudaErrorNotSupported;
}

/// A node of \p Graph that is on a cycle, or after one.
static GraphNode *findUnreached(const CUgraph_st &Graph) {
  std::vector<GraphNode *> Order = Graph.topologicalOrder();
  std::set<const GraphNode *> Reached(Order.begin(), Order.end());
  for (const auto &Node : Graph.Nodes)
    if (!Reached.count(Node.get()))
      return Node.get();
  return nullptr;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *Handle,
                                           cudaGraph_t Graph,
                                           cudaGraphInstantiateParams *Params) {
  return apiCall([&](Runtime &R) {
    if (!Handle || !Params || !R.Graphs.isAlive(Graph))
      return cudaErrorInvalidValue;
    Params->errNode_out = nullptr;
    if (cudaError_t Error =
            checkInstantiateFlags(Params->flags, Params->result_out);
        Error != cudaSuccess)
      return Error;
    std::shared_ptr<CUgraphExec_st> Exec = instantiate(*Graph);
    if (!Exec) {
      Params->errNode_out = findUnreached(*Graph);
      Params->result_out = cudaGraphInstantiateInvalidStructure;
      return cudaErrorInvalidValue;
    }
    Params->result_out = cudaGraphInstantiateSuccess;
    Exec->Flags = Params->flags;
    *Handle = Exec.get();
    R.Executables.emplace(*Handle, std::move(Exec));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Exec, cudaGraph_t Graph,
                                 unsigned long long Flags) {
  cudaGraphInstantiateParams Params = {};
  Params.flags = Flags;
  return cudaGraphInstantiateWithParams(Exec, Graph, &Params);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Exec,
                                          cudaGraph_t Graph,
                                          unsigned long long Flags) {
  return cudaGraphInstantiate(Exec, Graph, Flags);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t Exec,
                                  unsigned long long *Flags) {
  return withExec(Exec, [&](Runtime &, auto &E) {
    if (!Flags)
      return cudaErrorInvalidValue;
    *Flags = E->Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec) {
  return withExec(Exec, [&](Runtime &R, auto &) {
    // A launch under way keeps it, the destructor finds the table in order.
    auto Last = R.Executables.extract(Exec);
    return cudaSuccess;
  });
}

/// There is nothing to be brought to the device.
cudaError_t cudaGraphUpload(cudaGraphExec_t Exec, cudaStream_t Handle) {
  return withExec(Exec, [&](Runtime &R, auto &) {
    Stream *S = nullptr;
    return findStream(R, Handle, S);
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Exec, cudaGraph_t Graph,
                                cudaGraphExecUpdateResultInfo *Info) {
  return withExec(Exec, [&](Runtime &R, auto &E) {
    if (!Info || !R.Graphs.isAlive(Graph))
      return cudaErrorInvalidValue;
    UpdateFailure Failure = compare(R, *E->Copy, *Graph);
    *Info = {Failure.Result, Failure.Node, Failure.From};
    if (Failure.Result != cudaGraphExecUpdateSuccess)
      return cudaErrorGraphExecUpdateFailure;
    update(*E->Copy, *Graph);
    return cudaSuccess;
  });
}

/// Runs \p Body(CUgraphExec_st &, GraphNode &) for the copy of a node that can
/// be left out.
template <typename Fn>
static cudaError_t withOptional(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                Fn &&Body) {
  return withExec(Exec, [&](Runtime &R, auto &E) {
    GraphNode *Copy = R.Graphs.isAlive(Node) ? E->find(Node) : nullptr;
    bool CanBe = Copy && (std::holds_alternative<KernelWork>(Copy->What) ||
                          std::holds_alternative<CopyWork>(Copy->What) ||
                          std::holds_alternative<FillWork>(Copy->What));
    return CanBe ? Body(*E, *Copy) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                    unsigned int Enabled) {
  return withOptional(Exec, Node, [&](CUgraphExec_st &E, GraphNode &Copy) {
    if (Enabled)
      E.Disabled.erase(&Copy);
    else
      E.Disabled.insert(&Copy);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                    unsigned int *Enabled) {
  return withOptional(Exec, Node, [&](CUgraphExec_st &E, GraphNode &Copy) {
    if (!Enabled)
      return cudaErrorInvalidValue;
    *Enabled = !E.Disabled.count(&Copy);
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

namespace {
/// One launch: each step is done as work of a stream of its own, which begins
/// when the steps before it have ended.
class GraphLaunch {
public:
  GraphLaunch(std::shared_ptr<CUgraphExec_st> Exec, cudaStream_t Handle)
      : Exec(std::move(Exec)), Handle(Handle), Ends(this->Exec->Steps.size()) {}

  /// Memory that the last launch left has to be freed, or is now.
  static cudaError_t freeOfLastLaunch(Runtime &R, const CUgraphExec_st &Exec);
  void begin(Runtime &R, const Stream &S) {
    Start = R.Clock.readyTime(S);
    // Not a stream that others wait for.
    Own = S;
    Own.Blocking = false;
  }
  cudaError_t run();

private:
  cudaError_t runSteps();
  cudaError_t runStep(Runtime &R, size_t Index);

  std::shared_ptr<CUgraphExec_st> Exec;
  cudaStream_t Handle;
  double Start = 0;
  Stream Own;
  std::vector<double> Ends;
};
} // namespace

cudaError_t GraphLaunch::freeOfLastLaunch(Runtime &R,
                                          const CUgraphExec_st &Exec) {
  bool Frees = Exec.Flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
  for (const CUgraphExec_st::Step &Step : Exec.Steps) {
    const auto *W = std::get_if<AllocWork>(&Step.Node->What);
    if (!W || !R.findAllocation(W->Params.dptr))
      continue;
    if (!Frees)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = R.release(W->Params.dptr, false, false);
        Error != cudaSuccess)
      return Error;
  }
  return cudaSuccess;
}

cudaError_t GraphLaunch::runStep(Runtime &R, size_t Index) {
  const CUgraphExec_st::Step &Step = Exec->Steps[Index];
  Own.Ready = Start;
  for (size_t Each : Step.After)
    Own.Ready = std::max(Own.Ready, Ends[Each]);
  cudaError_t Error = cudaSuccess;
  if (!Exec->Disabled.count(Step.Node))
    Error = perform(R, Own, Step.Node->What);
  Ends[Index] = Own.Ready;
  return Error;
}

cudaError_t GraphLaunch::run() {
  cudaError_t Error = runSteps();
  // What the stream does next is after all of the graph.
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  Timeline &Clock = Runtime::get()->Clock;
  if (Stream *S = Clock.find(Handle))
    for (double End : Ends)
      Clock.waitUntil(*S, End);
  // It is the last to hold what the program has destroyed meanwhile.
  Exec.reset();
  return Error;
}

/// Host functions run without the lock: they may wait for other threads.
cudaError_t GraphLaunch::runSteps() {
  for (size_t Index = 0; Index != Exec->Steps.size(); ++Index) {
    bool HasFault = false;
    cudaError_t Error = apiCall([&](Runtime &R) {
      cudaError_t Result = runStep(R, Index);
      HasFault = R.Fault != cudaSuccess;
      return Result;
    });
    // A fault shows at the next call, as after a launch of one kernel.
    if (Error != cudaSuccess || HasFault)
      return Error;
    if (const auto *W = std::get_if<HostWork>(&Exec->Steps[Index].Node->What))
      W->Function(W->UserData);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t Handle, cudaStream_t StreamHandle) {
  std::optional<GraphLaunch> Launch;
  cudaError_t Error = withExec(Handle, [&](Runtime &R, auto &E) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, StreamHandle, S);
        Error != cudaSuccess)
      return Error;
    if (CapturedPoint *Point = R.Captures.find(*S)) {
      if (E->Copy->hasMemoryNodes()) {
        Point->In->IsInvalid = true;
        return cudaErrorStreamCaptureUnsupported;
      }
      R.Captures.add(*S, ChildWork{E->Copy->clone()});
      return cudaSuccess;
    }
    if (cudaError_t Error = GraphLaunch::freeOfLastLaunch(R, *E);
        Error != cudaSuccess)
      return Error;
    Launch.emplace(E, StreamHandle).begin(R, *S);
    return cudaSuccess;
  });
  return Error == cudaSuccess && Launch ? Launch->run() : Error;
}
