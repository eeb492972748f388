// CUDA grid on the host: a kernel's threads run as fibers, one block at a time, so that its body
// can be tested without a device. Barriers and warp operations wait as on a device; behaviour that
// CUDA leaves undefined is an error: a barrier that some thread of the block never reaches, lanes
// of a mask at different operations, a lane outside its own mask. Fibers run in an order that the
// test chooses (forward, backward, shuffled by seed): a result that depends on it shows a race.
// Timing, caches and weak memory ordering are not emulated; blocks share only global memory and
// never run concurrently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace asof::cuda::emulation {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

struct Dim {
  unsigned x = 1, y = 1, z = 1;
  constexpr Dim(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

inline constexpr unsigned lanes = 32;

/// Indices and dimensions of the running thread.
struct Here {
  Index thread, block;
  Dim threads, blocks;
  void* dynamic_shared = nullptr;
};
extern thread_local constinit Here here;

/// A lane's value in a warp operation.
struct Words {
  std::uint32_t word[8] = {};
};

enum class Meeting : std::uint8_t { sync, shuffle, ballot, match, matrix };

/// Waits until every thread of the block has arrived.
void block_barrier();

/// Waits until `threads` threads of the block have reached named barrier `number`, 1 to 15.
void block_barrier(unsigned number, unsigned threads);

/// Barriers in shared memory (mbarrier): a phase ends when the number of arrivals of set_up() and
/// all announced bytes are complete.
void set_up(std::uint64_t* barrier, std::uint32_t arrivals);
void arrive(std::uint64_t* barrier, std::uint32_t bytes = 0);
/// A copy that arrives with its bytes. Done at the wait on the barrier, not before.
void copy_for(std::uint64_t* barrier, void* to, const void* from, std::size_t bytes);
/// Waits until the phase of that parity has ended.
void wait_for(std::uint64_t* barrier, std::uint32_t parity);

/// Waits until all lanes of the mask have reached the same kind of operation; returns the values of
/// the 32 lanes.
const Words* meet(Meeting kind, std::uint32_t mask, const Words& given);

/// Asynchronous copies of the running thread: done when it waits for them and not before, so that
/// an early read returns stale data.
void copy_later(void* to, const void* from, std::size_t bytes);
void commit_copies();
/// Completes all but the `left` latest groups.
void wait_copies(unsigned left);

/// The lane of the running thread in its warp.
unsigned lane();

/// Order in which a block's fibers and the grid's blocks run: 0 ascending, 1 descending, else
/// shuffled by this seed.
void set_order(std::uint64_t order);

/// Runs the body once for each thread of each block. Throws std::runtime_error if a barrier or a
/// warp operation cannot complete; rethrows the body's exceptions.
void run(Dim blocks, Dim threads, std::size_t shared_bytes, const std::function<void()>& body);

/// Initial byte of dynamic shared memory and of allocated global memory. Static shared arrays keep
/// the previous block's contents, as on a device.
inline constexpr unsigned char unwritten = 0xcd;

}  // namespace asof::cuda::emulation
