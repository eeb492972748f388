// Allocator for arrays that are scanned from end to end: aligned to cache lines, and advised to use
// huge pages from 4 MiB on, since TLB misses cost a fifth of a scan over small pages.
#pragma once

#include <cstddef>
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
    if (count > (~std::size_t{0} - page) / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment_of(count));
#if defined(__linux__)
    if (alignment_of(count) == std::align_val_t{page})
      madvise(memory, bytes / page * page, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment_of(count)); }

  template <typename U>
  bool operator==(const HugePageAllocator<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t line = 64, page = std::size_t(2) << 20;
  static std::align_val_t alignment_of(std::size_t count) {
    return std::align_val_t{count * sizeof(T) >= 2 * page ? page : line};
  }
};

template <typename T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace asof
