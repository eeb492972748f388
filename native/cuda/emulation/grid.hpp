// A grid of CUDA on the host: a kernel's threads run as fibers, a block at a time, so that its body
// can be tested without a device. Barriers and warp operations wait as on a device, and what a
// device leaves undefined is an error here: a barrier that some thread of the block never reaches,
// lanes of a mask that meet at different operations, a lane outside its own mask. Fibers run in an
// order that the test chooses (forward, backward, shuffled by seed): what depends on it is a race.
// It imitates no timing, no caches and no memory that is weaker than the host's; blocks share
// nothing but global memory and never run at once.
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

/// What the running thread knows of its place.
struct Here {
  Index thread, block;
  Dim threads, blocks;
  void* dynamic_shared = nullptr;
};
extern thread_local Here here;

/// What lanes give each other at a warp operation: at most so many bytes each.
struct Words {
  std::uint32_t word[8] = {};
};

enum class Meeting : std::uint8_t { sync, shuffle, ballot, match, matrix };

/// Waits until every thread of the block has come.
void block_barrier();

/// Waits until so many threads of the block have come to the barrier of that number, 1 to 15.
void block_barrier(unsigned number, unsigned threads);

/// Barriers in shared memory (mbarrier): a phase ends when all arrivals that the barrier was set up
/// for have come, and all bytes that they announced.
void set_up(std::uint64_t* barrier, std::uint32_t arrivals);
void arrive(std::uint64_t* barrier, std::uint32_t bytes = 0);
/// A copy that arrives with its bytes. It happens when somebody waits for the barrier and not
/// before.
void copy_for(std::uint64_t* barrier, void* to, const void* from, std::size_t bytes);
/// Waits until the phase of that parity has ended.
void wait_for(std::uint64_t* barrier, std::uint32_t phase);

/// Waits until all lanes of the mask have come with the same kind of operation; what each of the 32
/// gave.
const Words* meet(Meeting kind, std::uint32_t mask, const Words& given);

/// Asynchronous copies of the running thread: they happen when it waits for them and not before, so
/// that what reads early reads what was there.
void copy_later(void* to, const void* from, std::size_t bytes);
void commit_copies();
/// All but the `left` latest groups.
void wait_copies(unsigned left);

/// The lane of the running thread in its warp.
unsigned lane();

/// Order in which fibers of a block are resumed, and blocks run: 0 as they are numbered, 1
/// backward, else shuffled by this seed.
void set_order(std::uint64_t order);

/// Runs the body once for each thread of each block. Throws std::runtime_error where a barrier or a
/// meeting cannot happen, or the body threw.
void run(Dim blocks, Dim threads, std::size_t shared_bytes, const std::function<void()>& body);

/// What dynamic shared memory and fresh global memory are filled with. Static shared arrays keep
/// what the block before left, as on a device.
inline constexpr unsigned char unwritten = 0xcd;

}  // namespace asof::cuda::emulation
