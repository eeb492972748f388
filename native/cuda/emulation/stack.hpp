// Stack of a fiber, with its sanitizer annotations. AddressSanitizer gets the bounds of the running
// stack. ThreadSanitizer sees fibers as threads ordered only by a kernel's own barriers, so that it
// finds races between the threads of a block, as compute-sanitizer's racecheck does on a device: a
// write and another thread's access without a barrier between them. Blocks run one after the other,
// so that races between them are not found. The emulation itself is not instrumented
// (CMakeLists.txt, which defines ASOF_FINDS_RACES). Empty without a sanitizer.
#pragma once

#include <cstddef>
#include <memory>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(ASOF_FINDS_RACES)
#include <sanitizer/tsan_interface.h>
#endif

namespace asof::cuda::emulation {

struct Stack {
  static constexpr std::size_t size = 128 * 1024;
  std::unique_ptr<char[]> bytes{new char[size]};
#if defined(ASOF_FINDS_RACES)
  struct Destroy {
    void operator()(void* thread) const { __tsan_destroy_fiber(thread); }
  };
  std::unique_ptr<void, Destroy> thread{__tsan_create_fiber(0)};
#endif
};

/// Releases the running thread's writes at this address.
inline void before([[maybe_unused]] void* place) {
#if defined(ASOF_FINDS_RACES)
  __tsan_release(place);
#endif
}
/// Acquires the writes released at this address.
inline void after([[maybe_unused]] void* place) {
#if defined(ASOF_FINDS_RACES)
  __tsan_acquire(place);
#endif
}

/// Rounds of a barrier, which all threads must reach before any continues. A released thread may
/// reach the next round before others have acquired this one: rounds alternate between two
/// addresses, so that its writes in between are not taken as ordered.
class Round {
 public:
  /// Arrives; returns the parity of the round, for go_on().
  bool come() {
    before(places_ + ended_ % 2);
    return ended_ % 2 != 0;
  }
  void end() { ++ended_; }
  unsigned ended() const { return ended_; }
  void go_on(bool round) { after(places_ + (round ? 1 : 0)); }

 private:
  unsigned ended_ = 0;
  char places_[2] = {};
};

/// Switches between the stacks of the host's thread and of fibers.
class Switches {
 public:
  /// Before the switch from the host's thread to the fiber of this stack.
  void entering([[maybe_unused]] const Stack& stack) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&host_fake_, stack.bytes.get(), Stack::size);
#endif
#if defined(ASOF_FINDS_RACES)
    host_thread_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(stack.thread.get(), __tsan_switch_to_fiber_no_sync);
#endif
  }
  /// After the switch to a fiber; `fake` was filled by its last leaving().
  void entered([[maybe_unused]] void* fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &host_stack_, &host_bytes_);
#endif
  }
  /// Before the switch from a fiber to the host's thread.
  void leaving([[maybe_unused]] void** fake, [[maybe_unused]] bool for_good) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(for_good ? nullptr : fake, host_stack_, host_bytes_);
#endif
#if defined(ASOF_FINDS_RACES)
    __tsan_switch_to_fiber(host_thread_, __tsan_switch_to_fiber_no_sync);
#endif
  }
  /// After the switch to the host's thread.
  void left() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(host_fake_, nullptr, nullptr);
#endif
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  void* host_fake_ = nullptr;
  const void* host_stack_ = nullptr;
  std::size_t host_bytes_ = 0;
#endif
#if defined(ASOF_FINDS_RACES)
  void* host_thread_ = nullptr;
#endif
};

}  // namespace asof::cuda::emulation
