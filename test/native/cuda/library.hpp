// The library that a test asks: the emulated one that is linked, or the one that ASOF_CUDA_LIBRARY
// names, opened as the addon opens it. So the same tests prove the emulation on any machine and the
// device where there is one.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../check.hpp"
#include "cuda/emulation/runtime.hpp"
#include "device/interface.hpp"

namespace asof::cuda::test {

inline const char* library_override() {
  return std::getenv("ASOF_CUDA_LIBRARY");
}
inline bool emulated() {
  return library_override() == nullptr;
}

inline const Interface* interface_of() {
  if (emulated()) return asof_cuda_interface();
  void* library = dlopen(library_override(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  CHECK(library != nullptr);
  const auto table_of =
      reinterpret_cast<const Interface* (*)()>(dlsym(library, "asof_cuda_interface"));
  CHECK(table_of != nullptr);
  const Interface* table = table_of();
  CHECK(table->version == interface_version && table->bytes == sizeof(Interface));
  return table;
}

/// An open device, and what was made on it.
struct Library {
  const Interface* table = interface_of();
  Device* device = nullptr;
  std::vector<DeviceSegment*> residents;

  explicit Library(std::size_t memory) {
    Failure failure;
    expect(table->open(0, memory, &device, &failure), failure);
  }
  ~Library() {
    for (DeviceSegment* each : residents) table->unload(each);
    table->close(device);
  }
  Library(const Library&) = delete;

  static void expect(bool good, const Failure& failure) {
    if (!good) std::fprintf(stderr, "%s\n", failure.text);
    CHECK(good);
  }

  DeviceSegment* load(const SegmentData& data) {
    Failure failure;
    DeviceSegment* resident = nullptr;
    expect(table->load(device, &data, &resident, &failure), failure);
    residents.push_back(resident);
    return resident;
  }
};

/// The order of fibers and blocks, where there are fibers.
inline void emulation_order(std::uint64_t order) {
  if (emulated()) emulation::set_order(order);
}

/// Whether an emulated device is a Hopper: what is opened from here on.
inline void emulate_hopper(bool is) {
  if (emulated()) emulation::set_hopper(is);
}

/// Everything that was taken of the emulated device is given back.
inline void nothing_is_left() {
  if (emulated()) CHECK(emulation::allocated() == 0);
}

}  // namespace asof::cuda::test
