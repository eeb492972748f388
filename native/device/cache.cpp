// See cache.hpp and cache_key.hpp.
#include "device/cache.hpp"

#include <atomic>
#include <cstdlib>
#include <thread>

namespace asof {
namespace {

/// All open devices, for the invalidation of keys; the lock is never held across a device call.
struct CacheRegistry {
  std::mutex mutex;
  std::vector<DeviceCache*> caches;
};
CacheRegistry& cache_registry() {
  static auto* registry = new CacheRegistry;  // keys may be destroyed after static objects are
  return *registry;
}

/// ASOF_CUDA_MEMORY: limit of device memory in bytes; 0 (default): the free memory.
std::uint64_t memory_limit() {
  const char* value = std::getenv("ASOF_CUDA_MEMORY");
  return value == nullptr ? 0 : std::strtoull(value, nullptr, 10);
}

}  // namespace

CacheKey::CacheKey() {
  static std::atomic<std::uint64_t> last = 0;
  number_ = ++last;
}

CacheKey::~CacheKey() {
  CacheRegistry& registry = cache_registry();
  const std::lock_guard lock(registry.mutex);
  for (DeviceCache* each : registry.caches) each->invalidate(number_);
}

DeviceCache::DeviceCache(const cuda::Interface& library, std::uint32_t ordinal) {
  device_count(library);
  cuda::Failure failure;
  if (!library.open(ordinal, memory_limit(), &handle_.device, &failure))
    throw_device_error(failure);
  handle_.library = &library;
  std::thread([this] { release_loop(); }).detach();
}

std::shared_ptr<cuda::DeviceSegment> DeviceCache::acquire(const DeviceCacheKey& key,
                                                          const cuda::SegmentData& segment,
                                                          const Cancel& cancel) {
  if (segment.rows == 0 || key.rows == 0) return nullptr;
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& slot = entries_[key];
    if (!slot) slot = std::make_shared<Entry>();
    entry = slot;
  }
  const std::lock_guard uploading(entry->upload);
  cancel.throw_if_requested();
  if (!entry->segment) entry->segment = upload(segment, cancel);
  return entry->segment;
}

std::shared_ptr<cuda::DeviceSegment> DeviceCache::upload(cuda::SegmentData segment,
                                                         const Cancel& cancel) {
  segment.stop = [](void* context) { return static_cast<const Cancel*>(context)->requested(); };
  segment.context = const_cast<Cancel*>(&cancel);
  cuda::Failure failure;
  cuda::DeviceSegment* uploaded = nullptr;
  while (!handle_.library->load(handle_.device, &segment, &uploaded, &failure)) {
    if (failure.cause != cuda::Cause::memory || !evict_idle()) throw_device_error(failure);
  }
  return {uploaded, handle_.library->unload};
}

bool DeviceCache::evict_idle() {
  std::vector<std::shared_ptr<Entry>> evicted;
  {
    const std::lock_guard lock(mutex_);
    for (auto each = entries_.begin(); each != entries_.end();) {
      // Entries are in use while they are uploaded or a search has their segment.
      const bool idle = each->second.use_count() == 1 && each->second->segment &&
                        each->second->segment.use_count() == 1;
      if (idle) evicted.push_back(std::move(each->second));
      each = idle ? entries_.erase(each) : std::next(each);
    }
  }
  return !evicted.empty();
}

void DeviceCache::invalidate(std::uint64_t key_number) {
  const std::lock_guard lock(mutex_);
  for (auto each = entries_.begin(); each != entries_.end();) {
    const bool stale = each->first.rows == key_number || each->first.vectors == key_number;
    if (stale) retired_.push_back(std::move(each->second));
    each = stale ? entries_.erase(each) : std::next(each);
  }
  if (!retired_.empty()) retired_available_.notify_one();
}

void DeviceCache::release_async(std::shared_ptr<void> object) {
  const std::lock_guard lock(mutex_);
  retired_.push_back(std::move(object));
  retired_available_.notify_one();
}

void DeviceCache::release_loop() {
  while (true) {
    std::vector<std::shared_ptr<void>> retired;
    std::unique_lock lock(mutex_);
    retired_available_.wait(lock, [&] { return !retired_.empty(); });
    retired.swap(retired_);
    lock.unlock();
  }
}

DeviceCache& device_cache(std::uint32_t ordinal) {
  static std::mutex opening;  // held while a device is opened
  static auto* devices =
      new std::map<std::pair<const cuda::Interface*, std::uint32_t>, DeviceCache*>;
  const cuda::Interface& library = cuda_library();
  const std::lock_guard lock(opening);
  DeviceCache*& device = (*devices)[{&library, ordinal}];
  if (device == nullptr) {
    device = new DeviceCache(library, ordinal);
    CacheRegistry& registry = cache_registry();
    const std::lock_guard registration(registry.mutex);
    registry.caches.push_back(device);
  }
  return *device;
}

}  // namespace asof
