// Fibers by ucontext. See grid.hpp.
#include "cuda/emulation/grid.hpp"

#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cuda/emulation/stack.hpp"

namespace asof::cuda::emulation {

thread_local Here here;

namespace {

std::uint64_t chosen_order = 0;

enum class State : std::uint8_t { ready, at_barrier, meeting, waiting, done };

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};

/// Stacks are kept between launches: a block has up to 1,024.
thread_local std::vector<Stack> free_stacks;

Stack any_stack() {
  if (free_stacks.empty()) return {};
  Stack stack = std::move(free_stacks.back());
  free_stacks.pop_back();
  return stack;
}

struct Fiber {
  Fiber() = default;
  Fiber(Fiber&&) = default;
  ~Fiber() {
    if (stack.bytes) free_stacks.push_back(std::move(stack));
  }

  ucontext_t context;
  Stack stack = any_stack();
  std::vector<Copy> copying;
  std::deque<std::vector<Copy>> groups;
  std::function<bool()> awaited;
  State state = State::ready;
  Index index;
  unsigned number = 0;
  Meeting kind = Meeting::sync;
  std::uint32_t mask = 0;
  Words given;
  Words received[lanes];
  Round led;                // of meetings whose first lane it is
  bool came = false;        // in which of two rounds it came to its meeting,
  bool met[2] = {};         // and in which the others did
  void* fake_stack = nullptr;  // AddressSanitizer's, while another runs
};

/// A block's threads and the scheduler between them.
class Block {
 public:
  Block(Dim threads, const std::function<void()>& body) : body_(body), fibers_(std::size_t(threads.x) * threads.y * threads.z), order_(fibers_.size()) {
    unsigned number = 0;
    for (unsigned z = 0; z < threads.z; ++z) {
      for (unsigned y = 0; y < threads.y; ++y) {
        for (unsigned x = 0; x < threads.x; ++x, ++number) {
          fibers_[number].index = {x, y, z};
          fibers_[number].number = number;
        }
      }
    }
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  void run(std::mt19937_64& random) {
    if (chosen_order == 1) std::reverse(order_.begin(), order_.end());
    if (chosen_order > 1) std::shuffle(order_.begin(), order_.end(), random);
    for (Fiber& fiber : fibers_) start(fiber);
    before(this);
    std::size_t left = fibers_.size();
    while (left > 0) {
      bool ran = false;
      for (std::size_t at : order_) {
        Fiber& fiber = fibers_[at];
        if (fiber.state != State::ready) continue;
        resume(fiber);
        ran = true;
        if (failure_) std::rethrow_exception(failure_);
        if (fiber.state == State::done) --left;
      }
      if (release_barrier() || release_meetings() || release_waiting() || ran) continue;
      throw std::runtime_error(what_is_stuck());
    }
    after(this);
  }

  void wait(State state) {
    Fiber& fiber = *running_;
    fiber.state = state;
    leave(fiber);
  }

  void wait_until(std::function<bool()> awaited) {
    running_->awaited = std::move(awaited);
    wait(State::waiting);
  }

  Fiber& running() { return *running_; }
  Fiber& leader(const Fiber& fiber) { return fibers_[fiber.number / lanes * lanes + static_cast<unsigned>(std::countr_zero(fiber.mask))]; }
  Round met;  // at the block's barrier

  struct Gathering {
    unsigned come = 0;
    Round round;
  };
  Gathering gatherings[16];
  std::vector<std::pair<std::uint64_t*, Copy>> copies;  // that arrive at a barrier

 private:
  static void entry(unsigned high, unsigned low) {
    Block* block = reinterpret_cast<Block*>((std::uintptr_t(high) << 32) | low);
    block->switches_.entered(nullptr);
    after(block);
    try {
      block->body_();
    } catch (...) {
      block->failure_ = std::current_exception();
    }
    before(block);
    block->running_->state = State::done;
    block->leave(*block->running_);
  }

  void start(Fiber& fiber) {
    fiber.state = State::ready;
    fiber.copying.clear();
    fiber.groups.clear();
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.bytes.get();
    fiber.context.uc_stack.ss_size = Stack::size;
    fiber.context.uc_link = nullptr;
    const std::uintptr_t self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(entry), 2, static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  }

  void resume(Fiber& fiber) {
    running_ = &fiber;
    here.thread = fiber.index;
    switches_.entering(fiber.stack);
    swapcontext(&scheduler_, &fiber.context);
    switches_.left();
    running_ = nullptr;
  }

  void leave(Fiber& fiber) {
    switches_.leaving(&fiber.fake_stack, fiber.state == State::done);
    swapcontext(&fiber.context, &scheduler_);
    switches_.entered(fiber.fake_stack);
  }

  bool release_barrier() {
    for (const Fiber& fiber : fibers_) {
      if (fiber.state != State::at_barrier) return false;
    }
    for (Fiber& fiber : fibers_) fiber.state = State::ready;
    met.end();
    return true;
  }

  bool release_waiting() {
    bool released = false;
    for (Fiber& fiber : fibers_) {
      if (fiber.state != State::waiting || !fiber.awaited()) continue;
      fiber.state = State::ready;
      released = true;
    }
    return released;
  }

  bool release_meetings() {
    bool released = false;
    for (std::size_t first = 0; first < fibers_.size(); first += lanes) {
      const std::size_t count = std::min<std::size_t>(lanes, fibers_.size() - first);
      for (std::size_t l = 0; l < count; ++l) {
        const Fiber& fiber = fibers_[first + l];
        if (fiber.state == State::meeting && complete(first, count, fiber.kind, fiber.mask)) released = exchange(first, fiber.mask) || released;
      }
    }
    return released;
  }

  bool complete(std::size_t first, std::size_t count, Meeting kind, std::uint32_t mask) const {
    for (std::size_t l = 0; l < lanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      if (l >= count) return false;
      const Fiber& other = fibers_[first + l];
      if (other.state != State::meeting || other.kind != kind || other.mask != mask) return false;
    }
    return true;
  }

  bool exchange(std::size_t first, std::uint32_t mask) {
    for (std::size_t to = 0; to < lanes; ++to) {
      if ((mask >> to & 1) == 0) continue;
      for (std::size_t from = 0; from < lanes; ++from) {
        if (mask >> from & 1) fibers_[first + to].received[from] = fibers_[first + from].given;
      }
    }
    bool came[2] = {};
    for (std::size_t l = 0; l < lanes; ++l) {
      if (mask >> l & 1) came[fibers_[first + l].came] = true;
    }
    for (std::size_t l = 0; l < lanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      fibers_[first + l].state = State::ready;
      std::copy(came, came + 2, fibers_[first + l].met);
    }
    fibers_[first + static_cast<unsigned>(std::countr_zero(mask))].led.end();
    return true;
  }

  std::string what_is_stuck() const {
    std::size_t at_barrier = 0, meeting = 0, waiting = 0, done = 0;
    for (const Fiber& fiber : fibers_) {
      at_barrier += fiber.state == State::at_barrier;
      meeting += fiber.state == State::meeting;
      waiting += fiber.state == State::waiting;
      done += fiber.state == State::done;
    }
    return "Expected every thread of block (" + std::to_string(here.block.x) + ", " + std::to_string(here.block.y) + ") to go on; " +
           std::to_string(at_barrier) + " wait at a barrier, " + std::to_string(meeting) + " at a warp operation whose mask is never complete, " + std::to_string(waiting) +
           " for arrivals that never come, and " +
           std::to_string(done) + " have ended: a device would hang or do anything.";
  }

  const std::function<void()>& body_;
  std::vector<Fiber> fibers_;
  std::vector<std::size_t> order_;
  ucontext_t scheduler_;
  Fiber* running_ = nullptr;
  std::exception_ptr failure_;
  Switches switches_;
};

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
  std::int16_t missing;  // of the arrivals
  std::int32_t bytes;    // announced, and not there
};

/// What arrivals at a barrier's phases are known by, to sanitizers: phases take turns.
void* phase_of(std::uint64_t* barrier, bool odd) { return reinterpret_cast<char*>(barrier) + odd; }
void* phase_of(std::uint64_t* barrier) { return phase_of(barrier, std::bit_cast<Phase>(*barrier).number % 2 != 0); }

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
  *barrier = std::bit_cast<std::uint64_t>(Phase{0, static_cast<std::uint8_t>(arrivals), static_cast<std::int16_t>(arrivals), 0});
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
      change(barrier, [&](Phase& phase) { phase.bytes -= static_cast<std::int32_t>(each.second.bytes); });
      return true;
    });
    return std::bit_cast<Phase>(*barrier).number % 2 != parity;
  });
  after(phase_of(barrier, parity != 0));
}

unsigned lane() { return current->running().number % lanes; }

const Words* meet(Meeting kind, std::uint32_t mask, const Words& given) {
  Fiber& fiber = current->running();
  if ((mask >> (fiber.number % lanes) & 1) == 0) throw std::runtime_error("Expected a lane to be in the mask of its own warp operation.");
  fiber.kind = kind;
  fiber.mask = mask;
  fiber.given = given;
  // CUDA's shuffles and ballots put no memory in order.
  const bool orders = kind == Meeting::sync || kind == Meeting::matrix;
  Round& led = current->leader(fiber).led;
  if (orders) fiber.came = led.come();
  current->wait(State::meeting);
  for (const bool round : {false, true}) {
    if (orders && fiber.met[round]) led.go_on(round);
  }
  return fiber.received;
}

void copy_later(void* to, const void* from, std::size_t bytes) { current->running().copying.push_back({to, from, bytes}); }

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

void set_order(std::uint64_t order) { chosen_order = order; }

void run(Dim blocks, Dim threads, std::size_t shared_bytes, const std::function<void()>& body) {
  const std::size_t count = std::size_t(threads.x) * threads.y * threads.z;
  if (count == 0 || count > 1024 || blocks.x == 0 || blocks.y == 0 || blocks.z == 0) {
    throw std::runtime_error("Expected a grid of blocks of 1 to 1024 threads, received " + std::to_string(count) + " threads.");
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
  here.dynamic_shared = shared.data() + (128 - reinterpret_cast<std::uintptr_t>(shared.data()) % 128);
  current = &block;
  try {
    for (std::size_t at : order) {
      here.block = {static_cast<unsigned>(at % blocks.x), static_cast<unsigned>(at / blocks.x % blocks.y), static_cast<unsigned>(at / blocks.x / blocks.y)};
      std::memset(shared.data(), unwritten, shared.size());
      block.run(random);
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
