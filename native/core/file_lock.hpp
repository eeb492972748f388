// Exclusive file lock, between processes and within one. The kernel releases it when the process
// dies, so that no stale lock remains.
#pragma once

#include <filesystem>

namespace asof {

class FileLock {
 public:
  /// Creates the file if need be and locks it without waiting; its text becomes this process's id.
  /// Throws ERR_CORPUS_LOCKED (with the holder's process id if known), ERR_NOT_FOUND or
  /// ERR_STORAGE.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock() { release(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool locked() const noexcept { return descriptor_ >= 0; }
  void release() noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace asof
