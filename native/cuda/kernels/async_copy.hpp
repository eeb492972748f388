// Asynchronous copies from global to shared memory (cp.async, from Ampere on; synchronous on
// Turing). The emulation copies at the wait, so that a read before it, or one without a barrier
// after it, returns stale data.
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda {

struct alignas(16) Chunk16 {
  std::uint32_t word[4];
};

struct alignas(8) Chunk8 {
  std::uint32_t word[2];
};

inline constexpr unsigned most_copies_left = 6;

#if !defined(__CUDACC__)

inline void copy_sixteen(void* to, const void* from) {
  emulation::copy_later(to, from, 16);
}
inline void commit_copies() {
  emulation::commit_copies();
}
inline void wait_copies(unsigned left) {
  emulation::wait_copies(left);
}

#elif __CUDA_ARCH__ >= 800

__device__ inline void copy_sixteen(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
__device__ inline void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits for all but the `left` latest groups of this thread; the instruction takes a constant.
__device__ inline void wait_copies(unsigned left) {
  switch (left) {
    case 0:
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      break;
    case 1:
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      break;
    case 2:
      asm volatile("cp.async.wait_group 2;" ::: "memory");
      break;
    case 3:
      asm volatile("cp.async.wait_group 3;" ::: "memory");
      break;
    case 4:
      asm volatile("cp.async.wait_group 4;" ::: "memory");
      break;
    case 5:
      asm volatile("cp.async.wait_group 5;" ::: "memory");
      break;
    default:
      asm volatile("cp.async.wait_group 6;" ::: "memory");
      break;
  }
}

#else

__device__ inline void copy_sixteen(void* to, const void* from) {
  *static_cast<Chunk16*>(to) = *static_cast<const Chunk16*>(from);
}
__device__ inline void commit_copies() {}
__device__ inline void wait_copies(unsigned) {}

#endif

}  // namespace asof::cuda
