// See device.hpp.
#include "cuda/device/device.hpp"

#include <algorithm>
#include <cstring>

namespace asof::cuda {

void* Memory::take(std::size_t bytes, const char* what) {
  const std::lock_guard lock(mutex_);
  // A larger one does as well where that wastes little.
  const auto kept = kept_.lower_bound(bytes);
  if (kept != kept_.end() && kept->first <= most_ - taken_ &&
      kept->first - bytes <= std::min(bytes, (most_ - taken_) / 64)) {
    void* memory = kept->second;
    taken_ += sizes_[memory] = kept->first;
    kept_bytes_ -= kept->first;
    kept_.erase(kept);
    return memory;
  }
  if (bytes > most_ - taken_) {
    throw Refusal(Cause::memory, "Expected room for " + std::to_string(bytes) + " bytes of " +
                                     what + " on the device; " + std::to_string(most_ - taken_) +
                                     " of the " + std::to_string(most_) +
                                     " that may be taken are left.");
  }
  if (bytes > most_ - taken_ - kept_bytes_) free_all();
  void* memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, bytes);
  if (error == cudaErrorMemoryAllocation && kept_bytes_ > 0) {
    cudaGetLastError();  // the runtime remembers it
    free_all();
    error = cudaMalloc(&memory, bytes);
  }
  check(error, what);
  taken_ += sizes_[memory] = bytes;
  return memory;
}

void Memory::give_back(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto taken = sizes_.find(memory);
  taken_ -= taken->second;
  kept_bytes_ += taken->second;
  kept_.emplace(taken->second, memory);
  sizes_.erase(taken);
}

std::size_t Memory::left() const {
  const std::lock_guard lock(mutex_);
  return most_ - taken_;
}

void Memory::free_kept() {
  const std::lock_guard lock(mutex_);
  free_all();
}

void Memory::free_all() {
  for (const auto& [bytes, memory] : kept_) cudaFree(memory);
  kept_.clear();
  kept_bytes_ = 0;
}

namespace {

cudaDeviceProp properties_of(int ordinal) {
  check(cudaSetDevice(ordinal), "to be opened");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, ordinal), "to say what it is");
  return properties;
}

/// What may be taken: what was asked for, but no more than is free now, less a part for the
/// runtime.
std::size_t budget(std::size_t asked) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "to say how much memory is free");
  const std::size_t most = free - free / 16;
  return asked == 0 ? most : std::min(asked, most);
}

}  // namespace

Way::Way() {
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

Way::~Way() {
  close();
}

void Way::close() {
  if (stream_ != nullptr) cudaStreamSynchronize(stream_);
  for (Slot& slot : slots_) {
    if (slot.free != nullptr) cudaEventDestroy(slot.free);
    if (slot.bytes != nullptr) cudaFreeHost(slot.bytes);
  }
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void Way::upload(void* to, const void* from, std::size_t bytes) {
  for (std::size_t done = 0, turn = 0; done < bytes; ++turn) {
    if (stop != nullptr && stop(stop_context))
      throw Refusal(Cause::aborted, "The copy was stopped.");
    const std::size_t piece = std::min(slot_bytes, bytes - done);
    Slot& slot = slots_[turn % 2];
    check(cudaEventSynchronize(slot.free), "to receive data");
    std::memcpy(slot.bytes, static_cast<const char*>(from) + done, piece);
    check(cudaMemcpyAsync(static_cast<char*>(to) + done, slot.bytes, piece, cudaMemcpyHostToDevice,
                          stream_),
          "to receive data");
    check(cudaEventRecord(slot.free, stream_), "to receive data");
    done += piece;
  }
}

void* Pinned::room_for(std::size_t bytes) {
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
      memory(budget(memory_limit)),
      stream(way.stream()) {}

Way& Device::second() {
  if (!second_) second_ = std::make_unique<Way>();
  return *second_;
}

}  // namespace asof::cuda
