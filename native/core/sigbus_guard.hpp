// What becomes of a mapped file whose pages can no longer be had: cut short by another program, on
// a disk that fails or a share that went away. The system then raises SIGBUS at whoever reads them,
// which ends a process. Here the first such fault puts pages of zeros in the place of the file's,
// up to the end of the mapping, and notes that it is lost: what was reading reads on, and whoever
// asked for it looks at the note before it believes what came of it. Nothing is unwound, so it
// holds for any thread and any code, and costs a reader nothing.
//
// What reads such a file must therefore end in finite time and in its own memory whatever the bytes
// are, as it must of a damaged file anyway. Faults elsewhere go to whoever handled them before.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>

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
