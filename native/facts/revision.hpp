// Revisions: statements of mostly the same words under the same title.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "facts/matching.hpp"

namespace asof::facts {

/// What a passage is about, where its title says it: the title's lower-case words, values aside.
std::vector<std::uint32_t> subject_of(const Lexicon& lexicon, const Passage& passage);

/// How two statements are alike.
struct Likeness {
  bool is_revision;     // half of the terms of both in common, under the same title
  bool has_same_terms;  // no more and no less
  bool has_same_subject;
};
Likeness compare_statements(const Pool& pool, const Matches& matches, std::size_t one,
                            std::size_t other);

}  // namespace asof::facts
