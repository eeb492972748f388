// windows.h, and a file handle with its owner.
#pragma once

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace asof {

/// The path as the system takes it: of any length.
std::wstring system_path(const std::filesystem::path& path);

/// Handles are kept as numbers where a header is shared with other systems; -1 is none.
inline HANDLE handle_of(std::intptr_t number) {
  return reinterpret_cast<HANDLE>(number);
}
inline std::intptr_t number_of(HANDLE handle) {
  return reinterpret_cast<std::intptr_t>(handle);
}

/// Every file is opened so: others may read, write, rename and remove it meanwhile, as on POSIX.
constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

inline int last_error() {
  return static_cast<int>(::GetLastError());
}

/// Offset of an unbuffered call.
inline OVERLAPPED at_offset(std::uint64_t offset) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return at;
}

}  // namespace asof
