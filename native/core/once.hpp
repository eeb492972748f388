// Work that is done once and may throw, and is then done by the next caller. std::call_once would
// unwind through the C library, whose unwinder is not the one inside the addon: the process ends.
#pragma once

#include <atomic>
#include <mutex>

namespace asof {

class Once {
 public:
  template <typename Body>
  void run(Body body) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    body();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> done_{false};
  std::mutex mutex_;
};

}  // namespace asof
