// File lock by LockFileEx, which a handle has: two of one process exclude each other too.
#include "core/file_lock.hpp"

#include <cstdlib>
#include <string>

#include "core/file_error.hpp"
#include "core/path_text.hpp"
#include "core/windows/system.hpp"

namespace asof {
namespace {

/// The byte that is locked, behind any text: nobody can read a locked byte.
constexpr std::uint64_t locked_byte = std::uint64_t{1} << 62;

std::string content_of(HANDLE file) {
  char text[32];
  DWORD length = 0;
  OVERLAPPED at = at_offset(0);
  if (!::ReadFile(file, text, sizeof text, &length, &at)) length = 0;
  return {text, length};
}

std::string holder(HANDLE file) {
  const unsigned long process = std::strtoul(content_of(file).c_str(), nullptr, 10);
  if (process == 0) return "another writer";
  return process == ::GetCurrentProcessId() ? "a writer in this process"
                                            : "process " + std::to_string(process);
}

bool is_link(HANDLE file) {
  FILE_ATTRIBUTE_TAG_INFO info{};
  return ::GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof info) &&
         (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         info.ReparseTag == IO_REPARSE_TAG_SYMLINK;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path) : FileLock() {
  // Not through a link, whose file the text would replace.
  const HANDLE file =
      ::CreateFileW(system_path(path).c_str(), GENERIC_READ | GENERIC_WRITE, share_all, nullptr,
                    OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
  if (file == INVALID_HANDLE_VALUE) throw file_error("open", path, last_error());
  handle_ = number_of(file);
  OVERLAPPED at = at_offset(locked_byte);
  const bool linked = is_link(file);
  if (linked ||
      !::LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)) {
    const int failure = linked ? ERROR_STOPPED_ON_SYMLINK : last_error();
    if (failure != ERROR_LOCK_VIOLATION && failure != ERROR_IO_PENDING)
      throw file_error("lock", path, failure);
    throw locked_by(holder(file), path);
  }
  const std::string process = std::to_string(::GetCurrentProcessId()) + "\n";
  // As on POSIX: the text is for the message only, and mostly there already.
  if (content_of(file) != process) {
    DWORD written = 0;
    OVERLAPPED start = at_offset(0);
    if (::SetEndOfFile(file))
      ::WriteFile(file, process.data(), static_cast<DWORD>(process.size()), &written, &start);
  }
}

void FileLock::release() noexcept {
  if (!locked()) return;
  OVERLAPPED at = at_offset(locked_byte);
  // The system unlocks closed files at its leisure.
  ::UnlockFileEx(handle_of(handle_), 0, 1, 0, &at);
  ::CloseHandle(handle_of(handle_));
  handle_ = -1;
}

}  // namespace asof
