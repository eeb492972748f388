// A fiber's stack and its annotations for sanitizers. AddressSanitizer is notified of the running
// stack's bounds. To ThreadSanitizer fibers are threads that nothing puts in order but what a
// kernel itself waits for, so that it finds races between the threads of a block, as
// compute-sanitizer's racecheck does on a device: two that meet at no barrier between a write and
// another's access. Blocks of a grid follow one another here, and races between them are not found.
// The emulation itself runs between fibers and is not instrumented for it (CMakeLists.txt, which
// defines ASOF_FINDS_RACES). Without a sanitizer all of this is empty.
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

/// Before this place what the running thread did, for those who come after it.
inline void before([[maybe_unused]] void* place) {
#if defined(ASOF_FINDS_RACES)
  __tsan_release(place);
#endif
}
/// After what others did before this place.
inline void after([[maybe_unused]] void* place) {
#if defined(ASOF_FINDS_RACES)
  __tsan_acquire(place);
#endif
}

/// Rounds of a barrier, each of which all must have come to before any goes on. Who is let go may
/// come to the next round before others were told of this one: two rounds take turns, so that what
/// is done between them is not thought to be known.
class Round {
 public:
  /// Which of the two this is, to go on from.
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

/// Between the stack of the host's thread and fibers'.
class Switches {
 public:
  /// The host's thread goes on as the fiber of this stack.
  void entering([[maybe_unused]] const Stack& stack) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&host_fake_, stack.bytes.get(), Stack::size);
#endif
#if defined(ASOF_FINDS_RACES)
    host_thread_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(stack.thread.get(), __tsan_switch_to_fiber_no_sync);
#endif
  }
  /// A fiber runs, with what it left in `fake` when it last did.
  void entered([[maybe_unused]] void* fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &host_stack_, &host_bytes_);
#endif
  }
  /// The fiber gives way to the host's thread, for good or for a while.
  void leaving([[maybe_unused]] void** fake, [[maybe_unused]] bool for_good) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(for_good ? nullptr : fake, host_stack_, host_bytes_);
#endif
#if defined(ASOF_FINDS_RACES)
    __tsan_switch_to_fiber(host_thread_, __tsan_switch_to_fiber_no_sync);
#endif
  }
  /// The host's thread runs again.
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
