// Block of the emulated grid: its threads as fibers (ucontext), and the scheduler that resumes them
// from barriers, warp operations and copies once every participant has arrived. Included by
// grid.cpp only.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cuda/emulation/grid.hpp"
#include "cuda/emulation/stack.hpp"

namespace asof::cuda::emulation {

enum class State : std::uint8_t { ready, at_barrier, meeting, waiting, done };

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};

/// Stacks are kept between launches: a block has up to 1,024.
inline thread_local std::vector<Stack> free_stacks;

inline Stack any_stack() {
  if (free_stacks.empty()) return {};
  Stack stack = std::move(free_stacks.back());
  free_stacks.pop_back();
  return stack;
}

struct Fiber {
  Fiber() = default;
  ~Fiber() {
    if (stack.bytes) free_stacks.push_back(std::move(stack));
  }

  ucontext_t context = {};
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
  Round led;                   // of operations whose first lane this is
  bool came = false;           // parity of the round of its own arrival
  bool met[2] = {};            // parities of the rounds of the other lanes' arrivals
  void* fake_stack = nullptr;  // AddressSanitizer's, while another fiber runs
};

/// A block's threads and the scheduler between them.
class Block {
 public:
  Block(Dim threads, const std::function<void()>& body)
      : body_(body),
        fibers_(std::size_t(threads.x) * threads.y * threads.z),
        order_(fibers_.size()) {
    copies.reserve(most_copies);
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

  void run(std::uint64_t chosen_order, std::mt19937_64& random) {
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
      throw std::runtime_error(deadlock_report());
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
  Fiber& leader(const Fiber& fiber) {
    return fibers_[fiber.number / lanes * lanes +
                   static_cast<unsigned>(std::countr_zero(fiber.mask))];
  }
  Round met;  // at the block's barrier

  struct Gathering {
    unsigned come = 0;
    Round round;
  };
  Gathering gatherings[16];
  static constexpr std::size_t most_copies = 1024;      // reserved, so that no thread reallocates
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
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(entry), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
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
        if (fiber.state == State::meeting && complete(first, count, fiber.kind, fiber.mask))
          released = exchange(first, fiber.mask) || released;
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

  std::string deadlock_report() const {
    std::size_t at_barrier = 0, meeting = 0, waiting = 0, done = 0;
    for (const Fiber& fiber : fibers_) {
      at_barrier += fiber.state == State::at_barrier;
      meeting += fiber.state == State::meeting;
      waiting += fiber.state == State::waiting;
      done += fiber.state == State::done;
    }
    return "Expected every thread of block (" + std::to_string(here.block.x) + ", " +
           std::to_string(here.block.y) + ") to go on; " + std::to_string(at_barrier) +
           " wait at a barrier, " + std::to_string(meeting) +
           " at a warp operation whose mask is never complete, " + std::to_string(waiting) +
           " for arrivals that never come, and " + std::to_string(done) +
           " have ended: a device would hang or do anything.";
  }

  const std::function<void()>& body_;
  std::vector<Fiber> fibers_;
  std::vector<std::size_t> order_;
  ucontext_t scheduler_;
  Fiber* running_ = nullptr;
  std::exception_ptr failure_;
  Switches switches_;
};

}  // namespace asof::cuda::emulation
