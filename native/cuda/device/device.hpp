// One device: which it is, how much of its memory may be taken and is, its stream, and the way of
// bytes to it and back. Everything that makes a device different from the host is here; kernels and
// search begin with their data where they need it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "cuda/device/failure.hpp"

namespace asof::cuda {

/// Allocations of a device, within a budget. What is given back is kept for whoever takes as much
/// next (searches take the same again and again, and the runtime's own allocations wait for the
/// device), until somebody needs the room. One stream at a time uses what is taken, or waits for
/// who did.
class Memory {
 public:
  explicit Memory(std::size_t most) : most_(most) {}
  ~Memory() { free_kept(); }
  Memory(const Memory&) = delete;

  void* take(std::size_t bytes, const char* what);
  void give_back(void* memory);
  /// Bytes that may be taken yet.
  std::size_t left() const;
  /// Gives the device what nobody uses.
  void free_kept();

 private:
  void free_all();
  mutable std::mutex mutex_;
  std::size_t most_, taken_ = 0, kept_bytes_ = 0;
  std::unordered_map<void*, std::size_t> sizes_;  // of what is taken
  std::multimap<std::size_t, void*> kept_;        // by size
};

/// `count` values on a device. Freed with its owner; moved, never copied.
template <typename Value>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Memory& memory, std::size_t count, const char* what)
      : memory_(&memory),
        count_(count),
        values_(count == 0 ? nullptr
                           : static_cast<Value*>(memory.take(count * sizeof(Value), what))) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (values_ != nullptr) memory_->give_back(values_);
  }

  Value* get() const { return values_; }
  std::size_t size() const { return count_; }
  std::span<const Value> view() const { return {values_, count_}; }

 private:
  void swap(Buffer& other) {
    std::swap(memory_, other.memory_);
    std::swap(count_, other.count_);
    std::swap(values_, other.values_);
  }

  Memory* memory_ = nullptr;
  std::size_t count_ = 0;
  Value* values_ = nullptr;
};

/// A stream and two pinned buffers before it, so that the host reads (a mapped file, say) while the
/// device receives. One thread at a time uses it.
class Way {
 public:
  Way();
  ~Way();
  Way(const Way&) = delete;

  cudaStream_t stream() const { return stream_; }
  /// Returns when the source is read; what the stream does later finds it there. Throws where
  /// `stop`, if there is one, says so between pieces.
  void upload(void* to, const void* from, std::size_t bytes);
  void finish() const { check(cudaStreamSynchronize(stream_), "to finish its work"); }

  bool (*stop)(void* context) = nullptr;
  void* stop_context = nullptr;

 private:
  static constexpr std::size_t slot_bytes = std::size_t(8) << 20;
  struct Slot {
    void* bytes = nullptr;
    cudaEvent_t free = nullptr;
  };
  void close();
  cudaStream_t stream_ = nullptr;
  Slot slots_[2];
};

/// Pinned memory of the host, as much as was ever asked for at once.
class Pinned {
 public:
  Pinned() = default;
  ~Pinned() { cudaFreeHost(bytes_); }
  Pinned(const Pinned&) = delete;
  /// What was there before is gone.
  void* room_for(std::size_t bytes);

 private:
  void* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// What a stream has reached.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  void record(cudaStream_t stream) {
    check(cudaEventRecord(event_, stream), "to note how far it is");
  }
  void wait() const { check(cudaEventSynchronize(event_), "to finish its work"); }
  void hold_back(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, event_, 0), "to wait for itself");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

struct Device {
  Device(int ordinal, std::size_t memory_limit);
  Device(const Device&) = delete;

  /// Makes it the calling thread's device.
  void use() const { check(cudaSetDevice(ordinal), "to be used"); }
  /// Waits for everything that was started.
  void finish() const { way.finish(); }
  void upload(void* to, const void* from, std::size_t bytes) { way.upload(to, from, bytes); }
  /// A second way, for who reads pages while the first works; made when first asked for.
  Way& second();

  template <typename Value>
  Buffer<Value> uploaded(const Value* from, std::size_t count, const char* what) {
    Buffer<Value> buffer(memory, count, what);
    upload(buffer.get(), from, count * sizeof(Value));
    return buffer;
  }
  template <typename Value>
  Buffer<Value> filled(std::size_t count, int byte, const char* what) {
    Buffer<Value> buffer(memory, count, what);
    check(cudaMemsetAsync(buffer.get(), byte, count * sizeof(Value), stream), "to clear memory");
    return buffer;
  }
  /// Waits for what was started before, then for the copy.
  template <typename Value>
  std::vector<Value> downloaded(const Value* from, std::size_t count) {
    std::vector<Value> values(count);
    if (count == 0) return values;
    check(
        cudaMemcpyAsync(values.data(), from, count * sizeof(Value), cudaMemcpyDeviceToHost, stream),
        "to send results");
    finish();
    return values;
  }

  const int ordinal;
  const cudaDeviceProp properties;
  Memory memory;
  Way way;
  const cudaStream_t stream;         // of the way
  std::mutex one_at_a_time;          // calls of one device take turns
  Pinned outgoing, incoming, flags;  // of the search whose turn it is

 private:
  std::unique_ptr<Way> second_;
};

}  // namespace asof::cuda
