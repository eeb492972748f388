// Allocations that fail on request: the test addon's own operator new and mmap, which count while
// they are watched, refuse the n-th, and know what has not been freed. On Linux, where the addon's
// symbols bind within it; elsewhere nothing is counted.
#include <napi.h>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_set>

namespace {

template <typename T>
struct Malloc {
  using value_type = T;
  Malloc() = default;
  template <typename U>
  Malloc(const Malloc<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(std::malloc(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  template <typename U>
  bool operator==(const Malloc<U>&) const {
    return true;
  }
};

std::atomic<bool> watching{false};
std::atomic<std::size_t> kept{0};  // the size of `held`
std::mutex mutex;                  // of what follows
std::size_t made = 0, failed = 0, failing = 0;
bool lasting = false;
auto& held = *new (std::malloc(
    sizeof(std::unordered_set<void*, std::hash<void*>, std::equal_to<void*>, Malloc<void*>>)))
                 std::unordered_set<void*, std::hash<void*>, std::equal_to<void*>, Malloc<void*>>;

bool fails() {
  const std::lock_guard lock(mutex);
  made += 1;
  const bool fail = failing != 0 && (made == failing || (lasting && made > failing));
  failed += fail ? 1 : 0;
  return fail;
}

void hold(void* memory) {
  const std::lock_guard lock(mutex);
  held.insert(memory);
  kept.store(held.size(), std::memory_order_relaxed);
}

void forget(void* memory) {
  if (memory == nullptr || kept.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(mutex);
  held.erase(memory);
  kept.store(held.size(), std::memory_order_relaxed);
}

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  const bool watched = watching.load(std::memory_order_relaxed);
  if (watched && fails()) return nullptr;
  if (bytes == 0) bytes = 1;
  void* memory = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                     ? std::malloc(bytes)
                     : std::aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
  if (watched && memory != nullptr) hold(memory);
  return memory;
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  forget(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return or_throw(allocate(bytes, 0));
}
void* operator new[](std::size_t bytes) {
  return or_throw(allocate(bytes, 0));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, 0);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return or_throw(allocate(bytes, static_cast<std::size_t>(alignment)));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return or_throw(allocate(bytes, static_cast<std::size_t>(alignment)));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  release(memory);
}

extern "C" void* mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor,
                      off_t offset) noexcept {
  const bool watched = watching.load(std::memory_order_relaxed);
  if (watched && fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  const long mapped =
      ::syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset);  // errno is set
  void* memory = reinterpret_cast<void*>(mapped);
  if (watched && memory != MAP_FAILED) hold(memory);
  return memory;
}

extern "C" int munmap(void* address, std::size_t bytes) noexcept {
  forget(address);
  return static_cast<int>(::syscall(SYS_munmap, address, bytes));
}
#endif

namespace asof::boundary {
namespace {

// watchAllocations(failing: number, lasting: boolean): void
Napi::Value watch_allocations(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::size_t number = size(info[0], "failing");
    const bool also_later = boolean(info[1], "lasting");
#if defined(__linux__)
    const std::lock_guard lock(mutex);
    made = failed = 0;
    failing = number;
    lasting = also_later;
    watching = true;
#else
    (void)number, (void)also_later;
#endif
    return info.Env().Undefined();
  });
}

// watchedAllocations(): { made, failed, kept }
Napi::Value watched_allocations(const Napi::CallbackInfo& info) {
  std::size_t counts[3] = {};
#if defined(__linux__)
  watching = false;
  {
    const std::lock_guard lock(mutex);
    counts[0] = made;
    counts[1] = failed;
    counts[2] = held.size();
  }
#endif
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("made", static_cast<double>(counts[0]));
  result.Set("failed", static_cast<double>(counts[1]));
  result.Set("kept", static_cast<double>(counts[2]));
  return result;
}

}  // namespace

void export_test_allocations(Napi::Env env, Napi::Object exports) {
  exports.Set("watchAllocations", Napi::Function::New(env, watch_allocations, "watchAllocations"));
  exports.Set("watchedAllocations",
              Napi::Function::New(env, watched_allocations, "watchedAllocations"));
}

}  // namespace asof::boundary
