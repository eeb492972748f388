// The library's edge: functions of C over device/ and search/. What is thrown within becomes a cause and a sentence.
#include <algorithm>
#include <cstring>
#include <new>

#include "cuda/search/search.hpp"

namespace asof::cuda {
namespace {

void say(Failure* failure, Cause cause, const char* text) {
  failure->cause = cause;
  std::strncpy(failure->text, text, sizeof failure->text - 1);
  failure->text[sizeof failure->text - 1] = 0;
}

template <typename Work>
bool guarded(Failure* failure, Work work) noexcept {
  try {
    work();
    return true;
  } catch (const Refusal& refusal) {
    say(failure, refusal.cause, refusal.what());
  } catch (const std::bad_alloc&) {
    say(failure, Cause::memory, "The host has no memory left.");
  } catch (const std::exception& error) {
    say(failure, Cause::failed, error.what());
  }
  return false;
}

std::uint32_t device_count() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) throw Refusal(Cause::unavailable, std::string("No device can be asked for: ") + cudaGetErrorString(error) + ".");
  return static_cast<std::uint32_t>(count);
}

void expect_device(std::uint32_t ordinal) {
  const std::uint32_t count = device_count();
  if (ordinal < count) return;
  throw Refusal(Cause::unavailable, "Expected one of " + std::to_string(count) + " devices, received number " + std::to_string(ordinal) + ".");
}

bool count(std::uint32_t* devices, Failure* failure) {
  return guarded(failure, [&] { *devices = device_count(); });
}

bool facts(std::uint32_t ordinal, DeviceFacts* facts, Failure* failure) {
  return guarded(failure, [&] {
    expect_device(ordinal);
    cudaDeviceProp properties;
    check(cudaSetDevice(static_cast<int>(ordinal)), "to be used");
    check(cudaGetDeviceProperties(&properties, static_cast<int>(ordinal)), "to say what it is");
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "to say how much memory is free");
    *facts = {};
    std::strncpy(facts->name, properties.name, sizeof facts->name - 1);
    facts->memory = total;
    facts->free = free;
    facts->major = static_cast<std::uint32_t>(properties.major);
    facts->minor = static_cast<std::uint32_t>(properties.minor);
    facts->processors = static_cast<std::uint32_t>(properties.multiProcessorCount);
  });
}

bool open(std::uint32_t ordinal, std::uint64_t memory_most, Device** device, Failure* failure) {
  return guarded(failure, [&] {
    expect_device(ordinal);
    *device = new Device(static_cast<int>(ordinal), memory_most);
  });
}

void close(Device* device) { delete device; }

bool load(Device* device, const SegmentData* segment, Resident** resident, Failure* failure) {
  return guarded(failure, [&] {
    const std::lock_guard turn(device->one_at_a_time);
    *resident = new Resident(*device, *segment);
  });
}

void unload(Resident* resident) {
  if (resident == nullptr) return;
  Device& device = resident->device;
  const std::lock_guard turn(device.one_at_a_time);
  cudaSetDevice(device.ordinal);
  delete resident;
}

bool run_search(Device* device, const SearchData* asked, const FoundData* found, Failure* failure) {
  return guarded(failure, [&] { search(*device, *asked, *found); });
}

#if defined(__CUDACC__)
#define ASOF_STRING_OF(text) #text
#define ASOF_STRING(text) ASOF_STRING_OF(text)
constexpr char build[] = "CUDA " ASOF_STRING(__CUDACC_VER_MAJOR__) "." ASOF_STRING(__CUDACC_VER_MINOR__);
#else
constexpr char build[] = "emulated on the host";
#endif

constexpr Interface table = {interface_version, sizeof(Interface), build, count, facts, open, close, load, unload, run_search};

}  // namespace
}  // namespace asof::cuda

extern "C" __attribute__((visibility("default"))) const asof::cuda::Interface* asof_cuda_interface() { return &asof::cuda::table; }
