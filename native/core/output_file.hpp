// File that the caller has opened: written and read back here, synced, named and closed by the
// caller's file layer, which knows when a commit is complete.
#pragma once

#include <cstdint>
#include <filesystem>

namespace asof {

class OutputFile {
 public:
  /// Opens once more an empty file that is open for reading and writing, so that it stays usable
  /// for as long as a task writes: its descriptor or, on Windows, its path. Throws ERR_STORAGE.
  OutputFile(int descriptor, std::filesystem::path path);
  /// A new file, replacing one of its name.
  static OutputFile create(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  /// All bytes or ERR_STORAGE.
  void write(const void* data, std::uint64_t bytes, std::uint64_t at);
  void read(void* data, std::uint64_t bytes, std::uint64_t at) const;

 private:
  OutputFile() = default;
  std::intptr_t handle_ = -1;  // of the system, -1: none
  std::filesystem::path path_;
};

}  // namespace asof
