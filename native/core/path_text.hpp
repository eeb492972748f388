// Paths as UTF-8 text, which is what JavaScript gives and what messages hold, whatever the system's
// own encoding of paths is.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace asof {

inline std::filesystem::path path_of(std::string_view text) {
  return std::u8string(text.begin(), text.end());
}

inline std::string text_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace asof
