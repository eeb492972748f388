// Segments read by the current call from JavaScript: a task verifies them before it begins
// (Segment::check), and results are discarded if a segment faults meanwhile
// (core/page_guard.hpp).
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/cancel.hpp"
#include "core/error.hpp"
#include "index/segment/segment.hpp"

namespace asof::boundary {

/// One call on its JS thread: records the segments that it reads.
class SegmentsOfCall {
 public:
  using List = std::vector<std::shared_ptr<const Segment>>;

  SegmentsOfCall() : outer_(std::exchange(current_, this)) {}
  ~SegmentsOfCall() { current_ = outer_; }
  SegmentsOfCall(const SegmentsOfCall&) = delete;
  SegmentsOfCall& operator=(const SegmentsOfCall&) = delete;

  static void note(const std::shared_ptr<const Segment>& segment) {
    if (current_ != nullptr && (current_->list_.empty() || current_->list_.back() != segment))
      current_->list_.push_back(segment);
  }
  /// The flag that cancels the task which the running call starts.
  static void note(const Cancel& cancel) {
    if (current_ != nullptr) current_->cancel_ = cancel;
  }
  /// Of the running call, for the task that it starts.
  static List take_list() { return current_ != nullptr ? std::move(current_->list_) : List(); }
  static Cancel take_cancel() {
    return current_ != nullptr && current_->cancel_ ? *current_->cancel_ : Cancel();
  }
  const List& list() const { return list_; }

 private:
  static inline thread_local SegmentsOfCall* current_ = nullptr;
  SegmentsOfCall* outer_;
  List list_;
  std::optional<Cancel> cancel_;
};

inline void throw_if_faulted(const SegmentsOfCall::List& segments) {
  for (const auto& each : segments) each->throw_if_faulted();
}

/// body(), or the error of a faulted segment, whatever the outcome of body().
template <typename Body>
auto with_fault_check(const SegmentsOfCall::List& segments, Body& body) -> decltype(body()) {
  try {
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      throw_if_faulted(segments);
    } else {
      auto result = body();
      throw_if_faulted(segments);
      return result;
    }
  } catch (...) {
    throw_if_faulted(segments);
    throw;
  }
}

template <typename Body>
auto with_fault_check(const SegmentsOfCall& call, Body& body) -> decltype(body()) {
  return with_fault_check(call.list(), body);
}

}  // namespace asof::boundary
