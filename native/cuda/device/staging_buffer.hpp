// Pinned staging buffer: one host-to-device copy per search. Many small copies would each pay the
// latency of a transfer.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "cuda/device/device.hpp"

namespace asof::cuda {

class StagingBuffer {
 public:
  /// Capacity for `bytes` in `slices` allocations.
  StagingBuffer(Device& device, std::size_t bytes, std::size_t slices)
      : device_(device),
        capacity_(bytes + slices * alignment),
        device_bytes_(device.memory, capacity_, "queries"),
        host_bytes_(static_cast<std::uint8_t*>(device.outgoing.reserve(capacity_))) {}

  /// An allocation: its host memory, to be filled before upload(), and its device address.
  template <typename Value>
  struct Slice {
    Value *host, *device;
  };
  template <typename Value>
  Slice<Value> allocate(std::size_t count) {
    const std::size_t at = advance(count * sizeof(Value));
    return {reinterpret_cast<Value*>(host_bytes_ + at),
            reinterpret_cast<Value*>(device_bytes_.get() + at)};
  }
  /// Copies values into the buffer; returns their device address.
  template <typename Value>
  Value* append(const Value* from, std::size_t count) {
    const auto [host, device] = allocate<Value>(count);
    std::memcpy(host, from, count * sizeof(Value));
    return device;
  }
  template <typename Value>
  Value* append_zeros(std::size_t count) {
    const auto [host, device] = allocate<Value>(count);
    std::memset(host, 0, count * sizeof(Value));
    return device;
  }
  /// Starts the copy; call it once. The pinned memory is in use until the device has finished.
  void upload() {
    if (used_ > 0)
      check(cudaMemcpyAsync(device_bytes_.get(), host_bytes_, used_, cudaMemcpyHostToDevice,
                            device_.stream),
            "to receive data");
  }

 private:
  static constexpr std::size_t alignment = 256;
  std::size_t advance(std::size_t bytes) {
    if (bytes > capacity_ - used_)
      throw DeviceError(Cause::failed, "The staging buffer of a search is too small.");
    const std::size_t end = (used_ + bytes + alignment - 1) / alignment * alignment;
    return std::exchange(used_, std::min(capacity_, end));
  }

  Device& device_;
  std::size_t capacity_, used_ = 0;
  Buffer<std::uint8_t> device_bytes_;
  std::uint8_t* host_bytes_;
};

}  // namespace asof::cuda
