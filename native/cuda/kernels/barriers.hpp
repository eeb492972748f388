// Barriers between the producer and the consumers of a ring buffer: mbarriers in shared memory,
// bulk copies that arrive at them (cp.async.bulk), and named barriers of some warps of a block.
// Hopper only (compute capability 9.0). The emulation copies at the wait on the barrier.
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda {

/// Eight bytes of shared memory. A phase ends when the number of arrivals of set_up() and all
/// announced bytes are complete.
struct Barrier {
  std::uint64_t state;
};

#if !defined(__CUDACC__)

inline void set_up(Barrier& barrier, std::uint32_t arrivals) {
  emulation::set_up(&barrier.state, arrivals);
}
inline void fence_shared_writes() {}
inline void arrive(Barrier& barrier) {
  emulation::arrive(&barrier.state);
}
inline void arrive_expecting(Barrier& barrier, std::uint32_t bytes) {
  emulation::arrive(&barrier.state, bytes);
}
inline void copy_bytes(void* to, const void* from, std::uint32_t bytes, Barrier& barrier) {
  emulation::copy_for(&barrier.state, to, from, bytes);
}
inline void wait(Barrier& barrier, std::uint32_t phase) {
  emulation::wait_for(&barrier.state, phase);
}
inline void meet_threads(unsigned number, unsigned threads) {
  emulation::block_barrier(number, threads);
}
template <int registers>
inline void fewer_registers() {}
template <int registers>
inline void more_registers() {}

#elif ASOF_WARPGROUPS

__device__ inline std::uint32_t shared_address(const void* at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
}

__device__ inline void set_up(Barrier& barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(arrivals)
               : "memory");
}
/// Makes initialized barriers and writes to shared memory visible to bulk copies and tensor cores;
/// before the block's next barrier.
__device__ inline void fence_shared_writes() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void arrive(Barrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier))
               : "memory");
}
__device__ inline void arrive_expecting(Barrier& barrier, std::uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
      "r"(bytes)
      : "memory");
}
/// Size and both addresses are multiples of 16 bytes.
__device__ inline void copy_bytes(void* to, const void* from, std::uint32_t bytes,
                                  Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(&barrier))
      : "memory");
}
/// Waits until the phase of that parity has ended.
__device__ inline void wait(Barrier& barrier, std::uint32_t phase) {
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
      "@!ended bra again;\n"
      "}\n" ::"r"(shared_address(&barrier)),
      "r"(phase)
      : "memory");
}
/// Waits until `threads` threads of the block have reached named barrier `number`, 1 to 15.
__device__ inline void meet_threads(unsigned number, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
/// Changes the registers per thread of the warpgroup. The sum over a block's warpgroups must not
/// exceed those of the processor.
template <int registers>
__device__ inline void fewer_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void more_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

#endif

}  // namespace asof::cuda
