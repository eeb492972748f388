// Allocator for arrays that are scanned from end to end: aligned to cache lines, and advised to use
// huge pages from 4 MiB on, since TLB misses cost a fifth of a scan over small pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace asof {

template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    constexpr std::size_t line = 64, page = std::size_t(2) << 20;
    const std::size_t bytes = count * sizeof(T), alignment = bytes >= 2 * page ? page : line;
    void* memory =
        count > (~std::size_t{0} - page) / sizeof(T)
            ? nullptr
            : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment == page) madvise(memory, bytes / page * page, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  template <typename U>
  bool operator==(const HugePageAllocator<U>&) const {
    return true;
  }
};

template <typename T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace asof
