// Positioned reads and writes of a file that is being written.
#include "core/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/file_error.hpp"

namespace asof {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of one call: macOS refuses 2^31

int descriptor_of(std::intptr_t handle) {
  return static_cast<int>(handle);
}

}  // namespace

OutputFile::OutputFile(int descriptor, std::filesystem::path path)
    : handle_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)), path_(std::move(path)) {
  if (handle_ < 0) throw file_error("write", path_, errno);
}

OutputFile OutputFile::create(const std::filesystem::path& path) {
  OutputFile file;
  file.path_ = path;
  file.handle_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file.handle_ < 0) throw file_error("create", path, errno);
  return file;
}

OutputFile::~OutputFile() {
  if (handle_ >= 0) ::close(descriptor_of(handle_));
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)), path_(std::move(other.path_)) {}

void OutputFile::write(const void* data, std::uint64_t bytes, std::uint64_t at) {
  for (const char* next = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t written =
        ::pwrite(descriptor_of(handle_), next, std::min(bytes, most_bytes), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw file_error("write", path_, written < 0 ? errno : EIO);
    next += written;
    at += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::uint64_t>(written);
  }
}

void OutputFile::read(void* data, std::uint64_t bytes, std::uint64_t at) const {
  for (char* next = static_cast<char*>(data); bytes > 0;) {
    const ssize_t read =
        ::pread(descriptor_of(handle_), next, std::min(bytes, most_bytes), static_cast<off_t>(at));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) throw file_error("read", path_, read < 0 ? errno : EIO);
    next += read;
    at += static_cast<std::uint64_t>(read);
    bytes -= static_cast<std::uint64_t>(read);
  }
}

}  // namespace asof
