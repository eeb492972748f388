// See system.hpp.
#include "core/windows/system.hpp"

namespace asof {

std::wstring system_path(const std::filesystem::path& path) {
  const std::wstring given = path.native();
  constexpr std::size_t longest = 240;  // of folders; of files it is a little more
  if (given.size() < longest || given.starts_with(L"\\\\?\\")) return given;
  std::wstring whole(::GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), L'\0');
  whole.resize(
      ::GetFullPathNameW(given.c_str(), static_cast<DWORD>(whole.size()), whole.data(), nullptr));
  if (whole.starts_with(L"\\\\")) return L"\\\\?\\UNC" + whole.substr(1);
  return L"\\\\?\\" + whole;
}

}  // namespace asof
