// Reading passages: their words by number, and their statements with the times that each speaks of.
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "statements/lexicon.hpp"
#include "statements/passage.hpp"
#include "statements/times.hpp"
#include "statements/written.hpp"

namespace asof::statements {

/// Written words that a lexicon lacks, each once; they are in the texts.
using Unknown = std::unordered_set<std::u16string_view>;

/// The written words of a text, and what each has in a lexicon; null where it lacks it.
struct WrittenText {
  std::vector<Span> spans;
  std::vector<const Entry*> entries;
};

/// Adds to `unknown` the words that the lexicon lacks.
WrittenText look_up(const Lexicon& lexicon, std::u16string_view text, Unknown& unknown);
/// Of words that the lexicon now has.
void look_up_again(const Lexicon& lexicon, std::u16string_view text, WrittenText& written);

/// Spans ascending.
struct TextInput {
  std::u16string_view text;
  const WrittenText& written;
  std::span<const Span> sentences;
  std::span<const Span> dates;  // no words are read in these
};

/// What is read of the texts of a passage.
struct PassageParts {
  Words text, title;
  std::uint32_t text_units = 0, title_units = 0;  // UTF-16
  std::vector<Span> sentences;                    // of the text, ascending
  TimesOfText times;                              // of the sentences
  std::vector<Time> title_times;
};

/// Words of a text that the lexicon has.
Words read_words(const Lexicon& lexicon, const TextInput& input);

/// A sentence without a time has the main ones of the last that has any; a passage of at most 60
/// words is a statement as a whole too, and a title with a time or a value is one.
Passage assemble(const Lexicon& lexicon, PassageParts parts);

}  // namespace asof::statements
