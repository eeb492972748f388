// Exclusive file lock, between processes and within one. The kernel releases it when the process
// dies, so that no stale lock remains.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/error.hpp"

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

  bool locked() const noexcept { return handle_ != -1; }
  void release() noexcept;

 private:
  FileLock() = default;  // so that the other releases what it has when it throws
  /// ERR_CORPUS_LOCKED.
  static Error locked_by(const std::string& who, const std::filesystem::path& path);
  std::intptr_t handle_ = -1;  // of the system, -1: none
};

}  // namespace asof
