// SIGBUS guard for mapped files whose pages cannot be read: truncated by another program, or on a
// failing disk or lost network share.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>

// The first fault replaces the pages from there to the end of the mapping with zeros and sets a
// flag. Readers go on without unwinding, so the guard works for any thread and any code and costs a
// reader nothing; whoever started them checks the flag before it uses their results. Code that
// reads a guarded file must therefore terminate, within its own memory, for arbitrary bytes. Faults
// at other addresses go to the previous handler.

namespace asof {

/// A mapping that is looked after as long as this lives. Make it before anything is read, and end
/// it before the mapping.
class GuardedRange {
 public:
  GuardedRange() = default;
  GuardedRange(const void* data, std::size_t bytes);
  ~GuardedRange();
  GuardedRange(const GuardedRange&) = delete;
  GuardedRange& operator=(const GuardedRange&) = delete;

  /// Whether a page of it could not be had.
  bool faulted() const noexcept;

 private:
  struct GuardSlot* slot_ = nullptr;
};

/// Looks after whatever mappings of a file this process has, by any library, for as long as this
/// lives: on Linux, where the system says which file a mapping is of; elsewhere it does nothing. At
/// most 256 live at once, of which a process that opens more guards those that came first.
class GuardedFile {
 public:
  explicit GuardedFile(const std::filesystem::path& path);
  ~GuardedFile();
  GuardedFile(const GuardedFile&) = delete;
  GuardedFile& operator=(const GuardedFile&) = delete;

  bool faulted() const noexcept;

 private:
  struct FileSlot* slot_ = nullptr;
};

}  // namespace asof
