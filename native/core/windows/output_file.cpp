// Positioned reads and writes of a file that is being written.
#include "core/output_file.hpp"

#include <algorithm>
#include <utility>

#include "core/file_error.hpp"
#include "core/windows/system.hpp"

namespace asof {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of one call

HANDLE opened(const char* what, const std::filesystem::path& path, DWORD disposition) {
  const HANDLE file =
      ::CreateFileW(system_path(path).c_str(), GENERIC_READ | GENERIC_WRITE, share_all, nullptr,
                    disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) throw file_error(what, path, last_error());
  return file;
}

}  // namespace

// Descriptors belong to the C runtime of the host, which the addon does not share: the file is
// opened once more. A sync of the one writes what the other has written.
OutputFile::OutputFile(int, std::filesystem::path path)
    : handle_(number_of(opened("write", path, OPEN_EXISTING))), path_(std::move(path)) {}

OutputFile OutputFile::create(const std::filesystem::path& path) {
  OutputFile file;
  file.path_ = path;
  file.handle_ = number_of(opened("create", path, CREATE_ALWAYS));
  return file;
}

OutputFile::~OutputFile() {
  if (handle_ != -1) ::CloseHandle(handle_of(handle_));
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)), path_(std::move(other.path_)) {}

void OutputFile::write(const void* data, std::uint64_t bytes, std::uint64_t at) {
  for (const char* next = static_cast<const char*>(data); bytes > 0;) {
    OVERLAPPED offset = at_offset(at);
    DWORD written = 0;
    if (!::WriteFile(handle_of(handle_), next, static_cast<DWORD>(std::min(bytes, most_bytes)),
                     &written, &offset))
      throw file_error("write", path_, last_error());
    if (written == 0) throw file_error("write", path_, ERROR_WRITE_FAULT);
    next += written;
    at += written;
    bytes -= written;
  }
}

void OutputFile::read(void* data, std::uint64_t bytes, std::uint64_t at) const {
  for (char* next = static_cast<char*>(data); bytes > 0;) {
    OVERLAPPED offset = at_offset(at);
    DWORD read = 0;
    if (!::ReadFile(handle_of(handle_), next, static_cast<DWORD>(std::min(bytes, most_bytes)),
                    &read, &offset))
      throw file_error("read", path_, last_error());
    if (read == 0) throw file_error("read", path_, ERROR_HANDLE_EOF);
    next += read;
    at += read;
    bytes -= read;
  }
}

}  // namespace asof
