// Device cache: an open device and the segments resident in its memory. A segment is uploaded at
// its first search and invalidated when one of its keys is destroyed; device memory is freed by a
// thread of the cache, because freeing blocks while the device is busy.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/cancel.hpp"
#include "device/cache_key.hpp"
#include "device/library.hpp"

namespace asof {

class DeviceCache {
 public:
  /// Throws ERR_DEVICE_UNAVAILABLE. Lives until the process ends: destroying the context of a
  /// device costs more than it frees.
  DeviceCache(const cuda::Interface& library, std::uint32_t ordinal);
  DeviceCache(const DeviceCache&) = delete;

  const DeviceHandle& handle() const { return handle_; }

  /// The resident copy of a segment, uploaded on a cache miss; null for an empty or uncacheable
  /// segment. The host memory behind `segment` must outlive the copy. When the device is full, idle
  /// entries are evicted. A search in progress keeps its copies alive. Release the pointer off the
  /// JS thread.
  std::shared_ptr<cuda::DeviceSegment> acquire(const DeviceCacheKey& key,
                                               const cuda::SegmentData& segment,
                                               const Cancel& cancel);

  /// Drops every entry with this key number.
  void invalidate(std::uint64_t key_number);
  /// Destroys an object of the device on the cache's thread.
  void release_async(std::shared_ptr<void> object);

 private:
  struct Entry {
    std::mutex upload;
    std::shared_ptr<cuda::DeviceSegment> segment;
  };
  std::shared_ptr<cuda::DeviceSegment> upload(cuda::SegmentData segment, const Cancel& cancel);
  bool evict_idle();
  void release_loop();

  DeviceHandle handle_;
  std::mutex mutex_;  // not held across calls of the library
  std::map<DeviceCacheKey, std::shared_ptr<Entry>> entries_;
  std::vector<std::shared_ptr<void>> retired_;
  std::condition_variable retired_available_;
};

/// The cache of device `ordinal`, which is opened at the first call. Throws ERR_DEVICE_UNAVAILABLE.
DeviceCache& device_cache(std::uint32_t ordinal);

}  // namespace asof
