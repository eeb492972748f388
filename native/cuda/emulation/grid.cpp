// Emulation calls of a kernel's threads, and grid launch. See grid.hpp.
#include "cuda/emulation/grid.hpp"

#include <bit>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cuda/emulation/block.hpp"

namespace asof::cuda::emulation {

thread_local constinit Here here;

namespace {

std::uint64_t chosen_order = 0;
thread_local Block* current = nullptr;

}  // namespace

void block_barrier() {
  Block* const block = current;
  const bool round = block->met.come();
  block->wait(State::at_barrier);
  block->met.go_on(round);
}

void block_barrier(unsigned number, unsigned threads) {
  Block::Gathering& gathering = current->gatherings[number];
  const unsigned ended = gathering.round.ended();
  const bool round = gathering.round.come();
  if (++gathering.come == threads) {
    gathering.come = 0;
    gathering.round.end();
  }
  current->wait_until([&gathering, ended] { return gathering.round.ended() != ended; });
  gathering.round.go_on(round);
}

namespace {

/// A barrier's eight bytes.
struct Phase {
  std::uint8_t number, arrivals;
  std::int16_t missing;  // arrivals
  std::int32_t bytes;    // announced and not copied
};

/// Address that stands for a barrier's phase in sanitizers; phases alternate between two.
void* phase_of(std::uint64_t* barrier, bool odd) {
  return reinterpret_cast<char*>(barrier) + odd;
}
void* phase_of(std::uint64_t* barrier) {
  return phase_of(barrier, std::bit_cast<Phase>(*barrier).number % 2 != 0);
}

template <typename Change>
void change(std::uint64_t* barrier, Change change) {
  Phase phase = std::bit_cast<Phase>(*barrier);
  change(phase);
  if (phase.missing == 0 && phase.bytes == 0) {
    ++phase.number;
    phase.missing = phase.arrivals;
  }
  *barrier = std::bit_cast<std::uint64_t>(phase);
}

}  // namespace

void set_up(std::uint64_t* barrier, std::uint32_t arrivals) {
  *barrier = std::bit_cast<std::uint64_t>(
      Phase{0, static_cast<std::uint8_t>(arrivals), static_cast<std::int16_t>(arrivals), 0});
}

void arrive(std::uint64_t* barrier, std::uint32_t bytes) {
  before(phase_of(barrier));
  change(barrier, [bytes](Phase& phase) {
    phase.bytes += static_cast<std::int32_t>(bytes);
    --phase.missing;
  });
}

void copy_for(std::uint64_t* barrier, void* to, const void* from, std::size_t bytes) {
  before(phase_of(barrier));
  if (current->copies.size() == Block::most_copies)
    throw std::runtime_error(
        "Expected copies to be waited for, received more of them than a block can have under way.");
  current->copies.push_back({barrier, {to, from, bytes}});
}

void wait_for(std::uint64_t* barrier, std::uint32_t parity) {
  Block* block = current;
  block->wait_until([=] {
    std::erase_if(block->copies, [&](const auto& each) {
      if (each.first != barrier) return false;
      after(phase_of(barrier));
      std::memcpy(each.second.to, each.second.from, each.second.bytes);
      before(phase_of(barrier));
      change(barrier,
             [&](Phase& phase) { phase.bytes -= static_cast<std::int32_t>(each.second.bytes); });
      return true;
    });
    return std::bit_cast<Phase>(*barrier).number % 2 != parity;
  });
  after(phase_of(barrier, parity != 0));
}

unsigned lane() {
  return current->running().number % lanes;
}

const Words* meet(Meeting kind, std::uint32_t mask, const Words& given) {
  Fiber& fiber = current->running();
  if ((mask >> (fiber.number % lanes) & 1) == 0)
    throw std::runtime_error("Expected a lane to be in the mask of its own warp operation.");
  fiber.kind = kind;
  fiber.mask = mask;
  fiber.given = given;
  // CUDA's shuffles and ballots do not order memory.
  const bool orders = kind == Meeting::sync || kind == Meeting::matrix;
  Round& led = current->leader(fiber).led;
  if (orders) fiber.came = led.come();
  current->wait(State::meeting);
  for (const bool round : {false, true}) {
    if (orders && fiber.met[round]) led.go_on(round);
  }
  return fiber.received;
}

void copy_later(void* to, const void* from, std::size_t bytes) {
  current->running().copying.push_back({to, from, bytes});
}

void commit_copies() {
  Fiber& fiber = current->running();
  fiber.groups.push_back(std::exchange(fiber.copying, {}));
}

void wait_copies(unsigned left) {
  Fiber& fiber = current->running();
  for (; fiber.groups.size() > left; fiber.groups.pop_front()) {
    for (const Copy& each : fiber.groups.front()) std::memcpy(each.to, each.from, each.bytes);
  }
}

void set_order(std::uint64_t order) {
  chosen_order = order;
}

void run(Dim blocks, Dim threads, std::size_t shared_bytes, const std::function<void()>& body) {
  const std::size_t count = std::size_t(threads.x) * threads.y * threads.z;
  if (count == 0 || count > 1024 || blocks.x == 0 || blocks.y == 0 || blocks.z == 0) {
    throw std::runtime_error("Expected a grid of blocks of 1 to 1024 threads, received " +
                             std::to_string(count) + " threads.");
  }
  Block block(threads, body);
  std::vector<unsigned char> shared(shared_bytes + 128);
  const std::size_t total = std::size_t(blocks.x) * blocks.y * blocks.z;
  std::vector<std::size_t> order(total);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(chosen_order);
  if (chosen_order == 1) std::reverse(order.begin(), order.end());
  if (chosen_order > 1) std::shuffle(order.begin(), order.end(), random);
  const Here before = here;
  here.threads = threads;
  here.blocks = blocks;
  here.dynamic_shared =
      shared.data() + (128 - reinterpret_cast<std::uintptr_t>(shared.data()) % 128);
  current = &block;
  try {
    for (std::size_t at : order) {
      here.block = {static_cast<unsigned>(at % blocks.x),
                    static_cast<unsigned>(at / blocks.x % blocks.y),
                    static_cast<unsigned>(at / blocks.x / blocks.y)};
      std::memset(shared.data(), unwritten, shared.size());
      block.run(chosen_order, random);
    }
  } catch (...) {
    current = nullptr;
    here = before;
    throw;
  }
  current = nullptr;
  here = before;
}

}  // namespace asof::cuda::emulation
