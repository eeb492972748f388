// See device.hpp.
#include "cuda/device/device.hpp"

#include <algorithm>
#include <cstring>

namespace asof::cuda {

void* MemoryPool::allocate(std::size_t bytes, const char* what) {
  const std::lock_guard lock(mutex_);
  // A larger unused block is reused if it wastes little.
  const auto block = unused_.lower_bound(bytes);
  if (block != unused_.end() && block->first <= limit_ - allocated_ &&
      block->first - bytes <= std::min(bytes, (limit_ - allocated_) / 64)) {
    void* memory = block->second;
    allocated_ += sizes_[memory] = block->first;
    unused_bytes_ -= block->first;
    unused_.erase(block);
    return memory;
  }
  if (bytes > limit_ - allocated_) {
    throw DeviceError(Cause::memory, "Expected room for " + std::to_string(bytes) + " bytes of " +
                                         what + " on the device; " +
                                         std::to_string(limit_ - allocated_) + " of " +
                                         std::to_string(limit_) + " are available.");
  }
  if (bytes > limit_ - allocated_ - unused_bytes_) free_unused();
  void* memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, bytes);
  if (error == cudaErrorMemoryAllocation && unused_bytes_ > 0) {
    cudaGetLastError();  // clears the error
    free_unused();
    error = cudaMalloc(&memory, bytes);
  }
  check(error, what);
  allocated_ += sizes_[memory] = bytes;
  return memory;
}

void MemoryPool::release(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto block = sizes_.find(memory);
  allocated_ -= block->second;
  unused_bytes_ += block->second;
  unused_.emplace(block->second, memory);
  sizes_.erase(block);
}

std::size_t MemoryPool::available() const {
  const std::lock_guard lock(mutex_);
  return limit_ - allocated_;
}

void MemoryPool::trim() {
  const std::lock_guard lock(mutex_);
  free_unused();
}

void MemoryPool::free_unused() {
  for (const auto& [bytes, memory] : unused_) cudaFree(memory);
  unused_.clear();
  unused_bytes_ = 0;
}

namespace {

cudaDeviceProp properties_of(int ordinal) {
  check(cudaSetDevice(ordinal), "to be opened");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal), "to report its properties");
  return properties;
}

/// The memory limit: as requested, but at most 15/16 of what is free, for the runtime needs some.
std::size_t memory_budget(std::size_t requested) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "to report its free memory");
  const std::size_t limit = free - free / 16;
  return requested == 0 ? limit : std::min(requested, limit);
}

}  // namespace

UploadStream::UploadStream() {
  try {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream");
    for (Slot& slot : slots_) {
      check(cudaHostAlloc(&slot.bytes, slot_bytes, cudaHostAllocDefault), "pinned memory");
      check(cudaEventCreateWithFlags(&slot.free, cudaEventDisableTiming), "an event");
    }
  } catch (...) {
    close();
    throw;
  }
}

UploadStream::~UploadStream() {
  close();
}

void UploadStream::close() {
  if (stream_ != nullptr) cudaStreamSynchronize(stream_);
  for (Slot& slot : slots_) {
    if (slot.free != nullptr) cudaEventDestroy(slot.free);
    if (slot.bytes != nullptr) cudaFreeHost(slot.bytes);
  }
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void UploadStream::upload(void* to, const void* from, std::size_t bytes) {
  for (std::size_t done = 0, turn = 0; done < bytes; ++turn) {
    if (stop != nullptr && stop(stop_context))
      throw DeviceError(Cause::aborted, "The upload was stopped.");
    const std::size_t chunk = std::min(slot_bytes, bytes - done);
    Slot& slot = slots_[turn % 2];
    check(cudaEventSynchronize(slot.free), "to receive data");
    std::memcpy(slot.bytes, static_cast<const char*>(from) + done, chunk);
    check(cudaMemcpyAsync(static_cast<char*>(to) + done, slot.bytes, chunk, cudaMemcpyHostToDevice,
                          stream_),
          "to receive data");
    check(cudaEventRecord(slot.free, stream_), "to receive data");
    done += chunk;
  }
}

void* PinnedBuffer::reserve(std::size_t bytes) {
  if (bytes <= size_) return bytes_;
  cudaFreeHost(bytes_);
  bytes_ = nullptr;
  size_ = 0;
  check(cudaHostAlloc(&bytes_, bytes, cudaHostAllocDefault), "pinned memory");
  size_ = bytes;
  return bytes_;
}

Device::Device(int ordinal, std::size_t memory_limit)
    : ordinal(ordinal),
      properties(properties_of(ordinal)),
      memory(memory_budget(memory_limit)),
      stream(upload_stream.stream()) {}

UploadStream& Device::page_stream() {
  if (!page_stream_) page_stream_ = std::make_unique<UploadStream>();
  return *page_stream_;
}

}  // namespace asof::cuda
