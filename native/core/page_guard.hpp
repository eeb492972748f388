// Guard for mapped files whose pages cannot be read: truncated by another program, or on a failing
// disk or lost network share. The system reports them by SIGBUS or, on Windows, an exception.
#pragma once

#include <atomic>
#include <cstddef>

// The first fault replaces the pages from there to the end of the mapping (on Windows: all of them)
// with zeros and sets a flag. Readers continue without unwinding, so the guard works for any thread
// and any code and costs a reader nothing; their caller checks the flag before it uses their
// results. Code that reads a guarded file must therefore terminate, within its own memory, for
// arbitrary bytes. Faults at other addresses go to the previous handler.

namespace asof {

/// Guard of a mapping. Construct it before the first read, and destroy it before the mapping.
class GuardedRange {
 public:
  GuardedRange() = default;
  GuardedRange(const void* data, std::size_t bytes);
  ~GuardedRange();
  GuardedRange(const GuardedRange&) = delete;
  GuardedRange& operator=(const GuardedRange&) = delete;

  /// Whether a page could not be read.
  bool faulted() const noexcept;

 private:
  struct GuardSlot* slot_ = nullptr;
};

}  // namespace asof
