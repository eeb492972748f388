// Runtime API over host memory. See runtime.hpp.
#include "cuda/emulation/runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace {

std::mutex lock;
std::map<void*, std::size_t> blocks;
std::size_t in_use = 0, most = std::size_t(1) << 30;
int devices = 1;
bool hopper = false;
constexpr int runtime = 13000;
int driver = runtime;
thread_local cudaError_t remembered = cudaSuccess;

cudaError_t no_memory() {
  return remembered = cudaErrorMemoryAllocation;
}

void read_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const char* count = std::getenv("ASOF_EMULATED_DEVICES"))
      devices = static_cast<int>(std::strtol(count, nullptr, 10));
    if (const char* version = std::getenv("ASOF_EMULATED_DRIVER"))
      driver = static_cast<int>(std::strtol(version, nullptr, 10));
    if (const char* bytes = std::getenv("ASOF_EMULATED_MEMORY"))
      most = std::strtoull(bytes, nullptr, 10);
  });
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  read_environment();
  *count = 0;
  if (driver < runtime) return cudaErrorInsufficientDriver;
  if (devices == 0) return cudaErrorNoDevice;
  *count = devices;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device >= 0 && device < devices ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (cudaSetDevice(device) != cudaSuccess) return cudaErrorInvalidValue;
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "emulated on the host");
  properties->totalGlobalMem = most;
  properties->sharedMemPerBlockOptin = (hopper ? 227 : 96) * 1024;
  properties->sharedMemPerMultiprocessor = (hopper ? 228 : 100) * 1024;
  properties->major = hopper ? 9 : 8;
  properties->multiProcessorCount = 2;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  read_environment();
  *version = driver;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = runtime;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  read_environment();
  const std::lock_guard guard(lock);
  *free = most - in_use;
  *total = most;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** out, std::size_t bytes) {
  read_environment();
  const std::lock_guard guard(lock);
  *out = nullptr;
  if (bytes > most - in_use) return no_memory();
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (memory == nullptr) return no_memory();
  std::memset(memory, asof::cuda::emulation::unwritten, bytes);
  blocks[memory] = bytes;
  in_use += bytes;
  *out = memory;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  const std::lock_guard guard(lock);
  const auto known = blocks.find(memory);
  if (known == blocks.end()) return cudaErrorInvalidValue;
  in_use -= known->second;
  blocks.erase(known);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned) {
  *out = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *out != nullptr ? cudaSuccess : no_memory();
}
cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  if (bytes > 0) std::memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned) {
  *out = reinterpret_cast<cudaStream_t>(std::uintptr_t{1});
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned) {
  *out = reinterpret_cast<cudaEvent_t>(std::uintptr_t{1});
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return std::exchange(remembered, cudaSuccess);
}
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    default:
      return "launch failure";
  }
}

namespace asof::cuda::emulation {

void set_hopper(bool is) {
  hopper = is;
}

void set_device(int count, std::size_t bytes) {
  read_environment();
  const std::lock_guard guard(lock);
  devices = count;
  most = bytes;
}

std::size_t allocated() {
  const std::lock_guard guard(lock);
  return in_use;
}

}  // namespace asof::cuda::emulation
