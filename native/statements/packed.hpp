// A read passage as bytes, which do not depend on a lexicon: what ranking reads of its texts, made
// once where they are indexed. The times of publication and validity are not part of it.
//
//   version; units of text and title; words of the title, times of the title; sentences with their
//   times; words of the text
//   word: distance from the one before with flags, then what it is read as, which is its key in a
//   lexicon: flags and length, lower case, what the term differs in
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statements/lexicon.hpp"
#include "statements/passage.hpp"

namespace asof::statements {

/// Of other versions a text is read anew.
inline constexpr std::uint8_t packed_version = 1;

/// Appends a passage of the lexicon.
void pack(const Lexicon& lexicon, const Passage& passage, std::vector<std::uint8_t>& out);

/// The passage of the bytes, whose words are added to the lexicon. Throws ERR_CORPUS_CORRUPT for
/// other bytes.
Passage unpack(Lexicon& lexicon, std::span<const std::uint8_t> bytes);

}  // namespace asof::statements
