// Emulation of the CUDA names that native/cuda uses: qualifiers, indices, warp operations and
// atomics over grid.hpp, and the runtime API over host memory. One device of configurable memory;
// streams are synchronous. Never included under nvcc.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/emulation/grid.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static thread_local
#define threadIdx (::asof::cuda::emulation::here.thread)
#define blockIdx (::asof::cuda::emulation::here.block)
#define blockDim (::asof::cuda::emulation::here.threads)
#define gridDim (::asof::cuda::emulation::here.blocks)

using dim3 = asof::cuda::emulation::Dim;

inline void __syncthreads() {
  asof::cuda::emulation::block_barrier();
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  asof::cuda::emulation::meet(asof::cuda::emulation::Meeting::sync, mask, {});
}
inline void __threadfence() {}

namespace asof::cuda::emulation {

template <typename Value>
Value shuffled(unsigned mask, Value value, int width, int source) {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= 8);
  Words given;
  std::memcpy(given.word, &value, sizeof value);
  const Words* all = meet(Meeting::shuffle, mask, given);
  const int own = static_cast<int>(lane()), base = own / width * width;
  const bool outside = source < base || source >= base + width;
  const int from = outside ? own : source;
  if ((mask >> from & 1) == 0) return Value{};  // undefined on a device
  std::memcpy(&value, all[from].word, sizeof value);
  return value;
}

}  // namespace asof::cuda::emulation

template <typename Value>
Value __shfl_sync(unsigned mask, Value value, int source, int width = 32) {
  const int base = static_cast<int>(asof::cuda::emulation::lane()) / width * width;
  return asof::cuda::emulation::shuffled(mask, value, width,
                                         base + ((source % width) + width) % width);
}
template <typename Value>
Value __shfl_xor_sync(unsigned mask, Value value, int bits, int width = 32) {
  return asof::cuda::emulation::shuffled(mask, value, width,
                                         static_cast<int>(asof::cuda::emulation::lane()) ^ bits);
}
template <typename Value>
Value __shfl_down_sync(unsigned mask, Value value, unsigned by, int width = 32) {
  return asof::cuda::emulation::shuffled(mask, value, width,
                                         static_cast<int>(asof::cuda::emulation::lane() + by));
}
template <typename Value>
Value __shfl_up_sync(unsigned mask, Value value, unsigned by, int width = 32) {
  return asof::cuda::emulation::shuffled(
      mask, value, width, static_cast<int>(asof::cuda::emulation::lane()) - static_cast<int>(by));
}
inline unsigned __ballot_sync(unsigned mask, int holds) {
  asof::cuda::emulation::Words given;
  given.word[0] = holds != 0;
  const asof::cuda::emulation::Words* all =
      asof::cuda::emulation::meet(asof::cuda::emulation::Meeting::ballot, mask, given);
  unsigned bits = 0;
  for (unsigned l = 0; l < asof::cuda::emulation::lanes; ++l) {
    if (mask >> l & 1) bits |= all[l].word[0] << l;
  }
  return bits;
}
inline int __any_sync(unsigned mask, int holds) {
  return __ballot_sync(mask, holds) != 0;
}
inline int __all_sync(unsigned mask, int holds) {
  return __ballot_sync(mask, holds) == mask;
}

inline int __popc(unsigned bits) {
  return std::popcount(bits);
}
inline int __popcll(unsigned long long bits) {
  return std::popcount(bits);
}
inline int __ffs(int bits) {
  return __builtin_ffs(bits);
}
inline int __clz(int bits) {
  return std::countl_zero(static_cast<unsigned>(bits));
}
inline float __uint_as_float(unsigned bits) {
  return std::bit_cast<float>(bits);
}
inline float __fmaf_rn(float a, float b, float c) {
  return std::fma(a, b, c);
}
inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
inline long long __double_as_longlong(double value) {
  return std::bit_cast<long long>(value);
}
inline double __longlong_as_double(long long bits) {
  return std::bit_cast<double>(bits);
}

// Blocks and fibers share one host thread, so that relaxed loads and stores suffice for atomics and
// are known to ThreadSanitizer.
template <typename Value, typename Change>
Value changed(Value* at, Change change) {
  Value before;
  __atomic_load(at, &before, __ATOMIC_RELAXED);
  Value after = change(before);
  __atomic_store(at, &after, __ATOMIC_RELAXED);
  return before;
}
template <typename Value>
Value atomicAdd(Value* at, Value more) {
  return changed(at, [=](Value before) { return before + more; });
}
template <typename Value>
Value atomicMax(Value* at, Value other) {
  return changed(at, [=](Value before) { return std::max(before, other); });
}
template <typename Value>
Value atomicMin(Value* at, Value other) {
  return changed(at, [=](Value before) { return std::min(before, other); });
}
template <typename Value>
Value atomicOr(Value* at, Value bits) {
  return changed(at, [=](Value before) { return before | bits; });
}
template <typename Value>
Value atomicExch(Value* at, Value other) {
  return changed(at, [=](Value) { return other; });
}
template <typename Value>
Value atomicCAS(Value* at, Value expected, Value other) {
  return changed(at, [=](Value before) { return before == expected ? other : before; });
}

// The runtime API.
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3
};
struct asof_emulated_stream;
struct asof_emulated_event;
using cudaStream_t = asof_emulated_stream*;
using cudaEvent_t = asof_emulated_event*;
struct cudaDeviceProp {
  char name[256];
  std::size_t totalGlobalMem, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  int major, minor, multiProcessorCount;
};
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2,
                          cudaHostAllocDefault = 0;

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMalloc(void** out, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t error);

namespace asof::cuda::emulation {

/// Number of devices (default 1) and memory of each (default 1 GiB), for tests of paging and of
/// absent devices. The environment variables ASOF_EMULATED_MEMORY, ASOF_EMULATED_DEVICES and
/// ASOF_EMULATED_DRIVER (a version such as 12040, 0 for none) set them for a process.
void set_device(int count, std::size_t bytes);
/// Whether devices opened from now on are Hoppers, else Amperes.
void set_hopper(bool is);
/// Bytes allocated now.
std::size_t allocated();

}  // namespace asof::cuda::emulation
