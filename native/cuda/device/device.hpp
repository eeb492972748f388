// A device: its properties, memory pool, stream, and transfers to and from it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "cuda/device/error.hpp"

namespace asof::cuda {

/// Pool of device memory within a limit. Released blocks are kept for the next allocation of their
/// size (searches repeat theirs, and cudaMalloc synchronizes the device) until memory is short.
/// Blocks may only be reused on one stream, or after synchronization.
class MemoryPool {
 public:
  explicit MemoryPool(std::size_t limit) : limit_(limit) {}
  ~MemoryPool() { trim(); }
  MemoryPool(const MemoryPool&) = delete;

  /// Throws Cause::memory with `what` in its text.
  void* allocate(std::size_t bytes, const char* what);
  void release(void* memory);
  /// Bytes that may still be allocated.
  std::size_t available() const;
  /// Returns unused blocks to the device.
  void trim();

 private:
  void free_unused();
  mutable std::mutex mutex_;
  std::size_t limit_, allocated_ = 0, unused_bytes_ = 0;
  std::unordered_map<void*, std::size_t> sizes_;  // of allocated blocks
  std::multimap<std::size_t, void*> unused_;      // by size
};

/// Device memory of `count` values; move-only.
template <typename Value>
class Buffer {
 public:
  Buffer() = default;
  Buffer(MemoryPool& memory, std::size_t count, const char* what)
      : memory_(&memory),
        count_(count),
        values_(count == 0 ? nullptr
                           : static_cast<Value*>(memory.allocate(count * sizeof(Value), what))) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (values_ != nullptr) memory_->release(values_);
  }

  Value* get() const { return values_; }
  std::size_t size() const { return count_; }
  std::span<const Value> view() const { return {values_, count_}; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(count_, other.count_);
    std::swap(values_, other.values_);
  }

  MemoryPool* memory_ = nullptr;
  std::size_t count_ = 0;
  Value* values_ = nullptr;
};

/// A stream with two pinned buffers, which overlap reads of host memory (a mapped file, say) with
/// transfers. Not thread-safe.
class UploadStream {
 public:
  UploadStream();
  ~UploadStream();
  UploadStream(const UploadStream&) = delete;

  cudaStream_t stream() const { return stream_; }
  /// Returns when the source has been read; the copy is ordered before later work of the stream.
  /// Throws Cause::aborted if `stop`, polled between chunks, returns true.
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

/// Pinned host memory that grows to the largest size requested.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer() { cudaFreeHost(bytes_); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  /// Memory of at least `bytes`; invalidates the previous pointer and contents.
  void* reserve(std::size_t bytes);

 private:
  void* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// A point in the work of a stream.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "to record an event"); }
  void wait() const { check(cudaEventSynchronize(event_), "to finish its work"); }
  void make_wait(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, event_, 0), "to wait for itself");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

struct Device {
  Device(int ordinal, std::size_t memory_limit);
  Device(const Device&) = delete;

  /// Makes this the current device of the calling thread.
  void use() const { check(cudaSetDevice(ordinal), "to be used"); }
  /// Synchronizes the stream.
  void finish() const { upload_stream.finish(); }
  void upload(void* to, const void* from, std::size_t bytes) {
    upload_stream.upload(to, from, bytes);
  }
  /// A second stream, created at first use, for uploads of pages during a scan.
  UploadStream& page_stream();

  template <typename Value>
  Buffer<Value> upload_copy(const Value* from, std::size_t count, const char* what) {
    Buffer<Value> buffer(memory, count, what);
    upload(buffer.get(), from, count * sizeof(Value));
    return buffer;
  }
  template <typename Value>
  Buffer<Value> filled_buffer(std::size_t count, int byte, const char* what) {
    Buffer<Value> buffer(memory, count, what);
    check(cudaMemsetAsync(buffer.get(), byte, count * sizeof(Value), stream), "to clear memory");
    return buffer;
  }
  /// Synchronizes the stream, then the copy.
  template <typename Value>
  std::vector<Value> download_copy(const Value* from, std::size_t count) {
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
  MemoryPool memory;
  UploadStream upload_stream;
  const cudaStream_t stream;               // of upload_stream
  std::mutex mutex;                        // serializes the calls of the interface
  PinnedBuffer outgoing, incoming, flags;  // pinned transfer buffers of the current call

 private:
  std::unique_ptr<UploadStream> page_stream_;
};

}  // namespace asof::cuda
