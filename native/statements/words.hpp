// Words that a written one is read as.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace asof::statements {

struct ReadWord {
  /// Index term; of a value and a compound its lower-case form; "" of a stop word.
  std::u16string term;
  std::u16string low;
  std::uint32_t offset = 0;  // UTF-16 units from the start of what is written
  std::uint32_t length = 0;
  bool capital = false;   // a capital first, or capitals, digits, dots or hyphens inside
  bool value = false;     // a number, an amount, a version
  bool compound = false;  // of several terms ("mime-db")
};

/// A written word itself without the punctuation behind it, and the stage of a pre-release ("beta"
/// of "12.0.0-beta.16"); none where it is all punctuation.
std::vector<ReadWord> read_written(std::u16string_view written);

/// The runs of letters and digits of a compound.
std::vector<ReadWord> parts_of(std::u16string_view compound);

}  // namespace asof::statements
