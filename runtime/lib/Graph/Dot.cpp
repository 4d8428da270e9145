//===- Dot.cpp - Graphs as Graphviz draws them ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Graph.h"

#include "Modules.h"

#include <sstream>

namespace regshare::cudart {

namespace {
/// A node's label: its type, and what the flags ask for.
struct Label {
  unsigned Flags;
  std::ostringstream &Out;

  bool shows(unsigned Flag) const {
    return Flags & (Flag | cudaGraphDebugDotFlagsVerbose);
  }
  void operator()(const EmptyWork &) { Out << "empty"; }
  void operator()(const KernelWork &W) {
    const Kernel *K = ModuleTable::get().findKernel(W.Func);
    Out << "kernel\\n" << (K ? K->Name : "?");
    if (shows(cudaGraphDebugDotFlagsKernelNodeParams))
      Out << "\\n"
          << W.Grid.x << 'x' << W.Grid.y << 'x' << W.Grid.z << " CTAs of "
          << W.Block.x << 'x' << W.Block.y << 'x' << W.Block.z << " threads, "
          << W.SharedBytes << " B shared";
  }
  void operator()(const CopyWork &W) {
    Out << "memcpy";
    if (shows(cudaGraphDebugDotFlagsMemcpyNodeParams))
      Out << "\\n"
          << W.Params.extent.width << 'x' << W.Params.extent.height << 'x'
          << W.Params.extent.depth << ", kind " << int(W.Params.kind);
  }
  void operator()(const FillWork &W) {
    Out << "memset";
    if (shows(cudaGraphDebugDotFlagsMemsetNodeParams))
      Out << "\\n"
          << W.Params.width << 'x' << W.Params.height << " of "
          << W.Params.elementSize << " B to " << W.Params.value;
  }
  void operator()(const HostWork &W) {
    Out << "host";
    if (shows(cudaGraphDebugDotFlagsHostNodeParams))
      Out << "\\n" << reinterpret_cast<void *>(W.Function);
  }
  void operator()(const ChildWork &) { Out << "graph"; }
  void operator()(const EventRecordWork &W) { event("event record", W.Event); }
  void operator()(const EventWaitWork &W) { event("event wait", W.Event); }
  void operator()(const AllocWork &W) {
    Out << "alloc\\n" << W.Params.bytesize << " B at " << W.Params.dptr;
  }
  void operator()(const FreeWork &W) { Out << "free\\n" << W.Ptr; }

  void event(const char *What, cudaEvent_t Event) {
    Out << What;
    if (shows(cudaGraphDebugDotFlagsEventNodeParams))
      Out << "\\n" << static_cast<void *>(Event);
  }
};
} // namespace

/// Nodes are n0, n1 and so on in the order of creation; those of a graph inside
/// a node have its name before theirs.
static void writeNodes(const CUgraph_st &Graph, unsigned Flags,
                       const std::string &Prefix, std::ostringstream &Out) {
  std::map<const GraphNode *, std::string> Names;
  for (const auto &Node : Graph.Nodes)
    Names[Node.get()] = Prefix + "n" + std::to_string(Names.size());
  for (const auto &Node : Graph.Nodes) {
    const std::string &Name = Names[Node.get()];
    Out << "  " << Name << " [label=\"";
    std::visit(Label{Flags, Out}, Node->What);
    if (Flags & (cudaGraphDebugDotFlagsHandles | cudaGraphDebugDotFlagsVerbose))
      Out << "\\n" << static_cast<const void *>(Node.get());
    Out << "\"];\n";
    for (const GraphNode *Each : Node->Dependencies)
      Out << "  " << Names[Each] << " -> " << Name << ";\n";
    if (const auto *Child = std::get_if<ChildWork>(&Node->What)) {
      Out << "  subgraph cluster_" << Name << " {\n";
      writeNodes(*Child->Graph, Flags, Name + "_", Out);
      Out << "  }\n";
    }
  }
}

std::string toDot(const CUgraph_st &Graph, unsigned Flags) {
  std::ostringstream Out;
  Out << "digraph graph0 {\n  node [shape=box];\n";
  writeNodes(Graph, Flags, "", Out);
  Out << "}\n";
  return Out.str();
}

} // namespace regshare::cudart
