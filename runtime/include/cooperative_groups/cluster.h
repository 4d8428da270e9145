//===- cluster.h - The group of a cluster's threads -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// cluster_group, from sm_90 on, of which cooperative_groups.h includes this. A
/// launch that asks for no clusters has clusters of one CTA; the reference SM
/// has no others.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_CLUSTER_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_CLUSTER_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP

namespace cooperative_groups {

namespace regshare_groups {

#define REGSHARE_CLUSTER_REGISTER(NAME, PTX)                                   \
  REGSHARE_GROUPS unsigned int NAME() {                                        \
    unsigned int Value;                                                        \
    asm("mov.u32 %0, %%" PTX ";" : "=r"(Value));                               \
    return Value;                                                              \
  }
REGSHARE_CLUSTER_REGISTER(clusterRank, "cluster_ctarank")
REGSHARE_CLUSTER_REGISTER(clusterSize, "cluster_nctarank")
REGSHARE_CLUSTER_REGISTER(clusterIndexX, "cluster_ctaid.x")
REGSHARE_CLUSTER_REGISTER(clusterIndexY, "cluster_ctaid.y")
REGSHARE_CLUSTER_REGISTER(clusterIndexZ, "cluster_ctaid.z")
REGSHARE_CLUSTER_REGISTER(clusterExtentX, "cluster_nctaid.x")
REGSHARE_CLUSTER_REGISTER(clusterExtentY, "cluster_nctaid.y")
REGSHARE_CLUSTER_REGISTER(clusterExtentZ, "cluster_nctaid.z")
#undef REGSHARE_CLUSTER_REGISTER

} // namespace regshare_groups

class cluster_group {
public:
  struct arrival_token {};

  static REGSHARE_MEMBER void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static REGSHARE_MEMBER arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    return {};
  }
  static REGSHARE_MEMBER void barrier_wait() {
    asm volatile("barrier.cluster.wait;" ::: "memory");
  }
  static REGSHARE_MEMBER void barrier_wait(arrival_token &&) { barrier_wait(); }

  /// The rank of the CTA whose shared memory \p Address is in.
  static REGSHARE_MEMBER unsigned int query_shared_rank(const void *Address) {
    unsigned int Rank;
    asm("getctarank.u64 %0, %1;" : "=r"(Rank) : "l"(Address));
    return Rank;
  }
  /// The same variable of the CTA that has \p Rank.
  template <typename T>
  static REGSHARE_MEMBER T *map_shared_rank(T *Address, int Rank) {
    unsigned long long Mapped;
    asm("mapa.u64 %0, %1, %2;" : "=l"(Mapped) : "l"(Address), "r"(Rank));
    return reinterpret_cast<T *>(Mapped);
  }

  static REGSHARE_MEMBER unsigned int block_rank() {
    return regshare_groups::clusterRank();
  }
  static REGSHARE_MEMBER dim3 block_index() {
    return dim3(regshare_groups::clusterIndexX(),
                regshare_groups::clusterIndexY(),
                regshare_groups::clusterIndexZ());
  }
  static REGSHARE_MEMBER unsigned int num_blocks() {
    return regshare_groups::clusterSize();
  }
  static REGSHARE_MEMBER dim3 dim_blocks() {
    return dim3(regshare_groups::clusterExtentX(),
                regshare_groups::clusterExtentY(),
                regshare_groups::clusterExtentZ());
  }
  static REGSHARE_MEMBER unsigned int thread_rank() {
    return block_rank() * regshare_groups::blockSize() +
           regshare_groups::rankInBlock();
  }
  static REGSHARE_MEMBER dim3 thread_index() {
    dim3 Block = block_index();
    return dim3(Block.x * blockDim.x + threadIdx.x,
                Block.y * blockDim.y + threadIdx.y,
                Block.z * blockDim.z + threadIdx.z);
  }
  static REGSHARE_MEMBER unsigned int num_threads() {
    return num_blocks() * regshare_groups::blockSize();
  }
  static REGSHARE_MEMBER unsigned int size() { return num_threads(); }
  static REGSHARE_MEMBER dim3 dim_threads() {
    dim3 Blocks = dim_blocks();
    return dim3(Blocks.x * blockDim.x, Blocks.y * blockDim.y,
                Blocks.z * blockDim.z);
  }

private:
  REGSHARE_MEMBER cluster_group() {}
  friend __device__ cluster_group this_cluster();
};

REGSHARE_MEMBER cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#endif // sm_90

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_CLUSTER_H
