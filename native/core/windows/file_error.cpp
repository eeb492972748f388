// See file_error.hpp.
#include "core/file_error.hpp"

#include "core/path_text.hpp"
#include "core/windows/system.hpp"

namespace asof {
namespace {

/// The system's words, without the white space and the full stop at their end.
std::string words_of(DWORD code) {
  wchar_t words[512];
  DWORD length = ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS,
                                  nullptr, code, 0, words, 512, nullptr);
  while (length > 0 && (words[length - 1] <= L' ' || words[length - 1] == L'.')) --length;
  if (length == 0) return "error " + std::to_string(code);
  return text_of(std::wstring(words, length));
}

}  // namespace

Error file_error(const std::string& what, const std::filesystem::path& path, int error_number) {
  const auto code = static_cast<DWORD>(error_number);
  const bool missing = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ||
                       code == ERROR_INVALID_NAME || code == ERROR_BAD_NETPATH;
  std::string remedy;
  if (code == ERROR_DISK_FULL || code == ERROR_HANDLE_DISK_FULL)
    remedy = " Free some space and repeat the call.";
  else if (code == ERROR_ACCESS_DENIED || code == ERROR_WRITE_PROTECT)
    remedy = " Check who may read and write there.";
  else if (code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION)
    remedy = " Close it where it is open, and repeat the call.";
  else if (missing)
    remedy = " Check the path.";
  const bool memory = code == ERROR_NOT_ENOUGH_MEMORY || code == ERROR_OUTOFMEMORY;
  const char* other = memory ? "ERR_OUT_OF_MEMORY" : "ERR_STORAGE";
  return Error(missing ? "ERR_NOT_FOUND" : other, "Expected to " + what + " " + text_of(path) +
                                                      ", the system answered: " + words_of(code) +
                                                      "." + remedy);
}

}  // namespace asof
