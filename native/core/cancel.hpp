// Cancellation flag, set by one thread and polled by long work between tiles.
#pragma once

#include <atomic>
#include <memory>

#include "core/error.hpp"

namespace asof {

class Cancel {
 public:
  Cancel() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void request() const noexcept { flag_->store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return flag_->load(std::memory_order_relaxed); }
  void throw_if_requested() const {
    if (requested()) throw Error("ERR_ABORTED", "The operation was aborted by its signal.");
  }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace asof
