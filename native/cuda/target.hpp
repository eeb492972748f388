// CUDA under nvcc, its emulation under the host's compiler: the only header of either that kernels/
// and device/ include. Kernels use CUDA's names; the few differences are defined here.
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include "cuda/emulation/runtime.hpp"
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

/// ASOF_UNROLL: before a loop over an array in registers. ASOF_ROLLED: before a loop with a long
/// body that seldom runs.
#if defined(__CUDACC__)
#define ASOF_UNROLL _Pragma("unroll")
#define ASOF_ROLLED _Pragma("unroll 1")
#define ASOF_KERNEL \
  static __global__             // a kernel that is no template, launched by its own source only
#define ASOF_RARE __noinline__  // a function that few threads call, from many places
#define ASOF_STAYS \
  __grid_constant__  // a kernel parameter whose address is taken: otherwise every thread copies it
#else
#define ASOF_UNROLL
#define ASOF_ROLLED
#define ASOF_KERNEL static inline
#define ASOF_RARE
#define ASOF_STAYS
#endif

/// Whether Hopper-only code is compiled: for that generation, for the host, and in the emulation.
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define ASOF_WARPGROUPS 1
#else
#define ASOF_WARPGROUPS 0
#endif

namespace asof::cuda {

inline constexpr unsigned warp_lanes = 32, all_lanes = 0xffffffffu;

/// Launch configuration of a kernel.
struct Launch {
  dim3 blocks, threads;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

#if defined(__CUDACC__)

template <typename... Parameters, typename... Arguments>
cudaError_t launch(const Launch& how, void (*kernel)(Parameters...), Arguments&&... arguments) {
  kernel<<<how.blocks, how.threads, how.shared_bytes, how.stream>>>(
      std::forward<Arguments>(arguments)...);
  return cudaGetLastError();
}

/// Raises a kernel's limit of dynamic shared memory.
template <typename... Parameters>
cudaError_t allow_shared(void (*kernel)(Parameters...), std::size_t bytes) {
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
}

/// Blocks of a kernel resident on a processor at once; at least 1.
template <typename... Parameters>
unsigned blocks_at_once(void (*kernel)(Parameters...), unsigned threads, std::size_t shared_bytes) {
  int blocks = 0;
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel, static_cast<int>(threads), shared_bytes);
  return error == cudaSuccess && blocks > 0 ? static_cast<unsigned>(blocks) : 1;
}

/// The block's dynamic shared memory.
__device__ inline void* dynamic_shared() {
  extern __shared__ __align__(128) unsigned char bytes[];
  return bytes;
}

#else

template <typename... Parameters, typename... Arguments>
cudaError_t launch(const Launch& how, void (*kernel)(Parameters...),
                   const Arguments&... arguments) {
  emulation::run(how.blocks, how.threads, how.shared_bytes, [&] { kernel(arguments...); });
  return cudaGetLastError();
}

template <typename... Parameters>
cudaError_t allow_shared(void (*)(Parameters...), std::size_t) {
  return cudaSuccess;
}

template <typename... Parameters>
unsigned blocks_at_once(void (*)(Parameters...), unsigned, std::size_t) {
  return 1;
}

inline void* dynamic_shared() {
  return emulation::here.dynamic_shared;
}

#endif

}  // namespace asof::cuda
