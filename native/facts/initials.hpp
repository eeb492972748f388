// Names in the passages of which given letters are the initials: "ECB", "European Central Bank".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "facts/question.hpp"
#include "statements/lexicon.hpp"
#include "statements/passage.hpp"

namespace asof::facts {

/// A name in a passage, as UTF-16 offsets in its text or its title.
struct NamedInitials {
  std::uint32_t initials;  // place among those that are sought
  std::uint32_t passage;
  bool in_title;
  std::uint32_t start, end;
};

/// All names of up to five words in capitals whose first letters are sought, in small letters; none
/// of those that a passage has as a word.
std::vector<NamedInitials> names_of_initials(
    const Lexicon& lexicon, std::span<const std::shared_ptr<const Passage>> passages,
    std::span<const std::u16string> sought);

}  // namespace asof::facts
