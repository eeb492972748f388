// What a search sends to a device before it starts, as one copy from pinned memory: many small
// things one by one would each wait for the device. And what it gets back, in the same way.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "cuda/device/device.hpp"

namespace asof::cuda {

class Letter {
 public:
  /// Room for `bytes`, and for `things` of them.
  Letter(Device& device, std::size_t bytes, std::size_t things)
      : device_(device),
        room_(bytes + things * apart),
        there_(device.memory, room_, "queries"),
        here_(static_cast<std::uint8_t*>(device.outgoing.room_for(room_))) {}

  /// What is to be written in the letter itself, and where it will be.
  template <typename Value>
  struct Page {
    Value *here, *there;
  };
  template <typename Value>
  Page<Value> page(std::size_t count) {
    const std::size_t at = place(count * sizeof(Value));
    return {reinterpret_cast<Value*>(here_ + at), reinterpret_cast<Value*>(there_.get() + at)};
  }
  /// Takes a copy, and says where it will be.
  template <typename Value>
  Value* put(const Value* from, std::size_t count) {
    const auto [here, there] = page<Value>(count);
    std::memcpy(here, from, count * sizeof(Value));
    return there;
  }
  template <typename Value>
  Value* put_zeros(std::size_t count) {
    const auto [here, there] = page<Value>(count);
    std::memset(here, 0, count * sizeof(Value));
    return there;
  }
  /// Sends it: once. The pinned memory is the letter's until the device has finished.
  void send() {
    if (used_ > 0)
      check(cudaMemcpyAsync(there_.get(), here_, used_, cudaMemcpyHostToDevice, device_.stream),
            "to receive data");
  }

 private:
  static constexpr std::size_t apart = 256;
  std::size_t place(std::size_t bytes) {
    if (bytes > room_ - used_)
      throw Refusal(Cause::failed, "A search sends more than it reckoned.");
    return std::exchange(used_, std::min(room_, (used_ + bytes + apart - 1) / apart * apart));
  }

  Device& device_;
  std::size_t room_, used_ = 0;
  Buffer<std::uint8_t> there_;
  std::uint8_t* here_;
};

}  // namespace asof::cuda
