// An exclusive lock on a file, held by at most one holder on a machine (two holders in one process
// exclude each other too). The kernel releases it when its process dies, so that no stale lock is
// ever left. It guards nothing but itself.
#pragma once

#include <filesystem>

namespace asof {

class FileLock {
 public:
  /// Creates the file if need be and locks it without waiting; its text becomes this process's id.
  /// Throws ERR_CORPUS_LOCKED (with the holder's process id where it is known), ERR_NOT_FOUND or
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
