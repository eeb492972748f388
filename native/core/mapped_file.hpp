// Read-only memory-mapped file. The mapping survives removal and renaming of the file; pages that
// cannot be read (truncation, I/O errors) read as zeros, see page_guard.hpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

#include "core/error.hpp"
#include "core/page_guard.hpp"

namespace asof {

class MappedFile {
 public:
  /// Maps a regular file; throws ERR_NOT_FOUND, ERR_CORPUS_FOREIGN (not a regular file) or
  /// ERR_STORAGE. An empty file maps to an empty span. Windows removes no mapped file: a temporary
  /// one is removed there when it is unmapped, with its folder if that is empty then.
  explicit MappedFile(const std::filesystem::path& path, bool temporary = false);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(data_), size_};
  }
  const std::filesystem::path& path() const noexcept { return path_; }
  /// Whether a page could not be read, so that data read from the file is invalid; the other throws
  /// ERR_CORPUS_CORRUPT then.
  bool faulted() const noexcept { return guard_ && guard_->faulted(); }
  void throw_if_faulted() const;

 private:
  Error not_regular() const;
  std::filesystem::path path_;
  bool temporary_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::optional<GuardedRange> guard_;
};

}  // namespace asof
