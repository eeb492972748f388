// Reading passages: their words by number, and their statements with the times that each speaks of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "statements/lexicon.hpp"
#include "statements/passage.hpp"
#include "statements/string_numbers.hpp"
#include "statements/times.hpp"
#include "statements/written.hpp"
#include "timetag/tagger.hpp"

namespace asof::statements {

/// A text that is read: its times, and its written words.
struct SourceText {
  std::u16string text;
  timetag::Tags tags;
  std::size_t first_mention = 0;     // among those of its group
  std::vector<Span> spans;           // of its written words
  std::vector<std::uint32_t> words;  // of each, its number in its group

  void tag(double reference) { timetag::tag(text, reference, timetag::Mode::automatic, tags); }
  /// `instants`: those of all mentions of its group, or none (time_mentions).
  std::vector<TimeMention> mentions(std::span<const double> instants) const {
    if (!instants.empty()) instants = instants.subspan(4 * first_mention, 4 * tags.mentions.size());
    return time_mentions(tags.mentions, tags.timexes, instants);
  }
};

/// Texts that are read together.
class TextGroup {
 public:
  /// Numbers its words and mentions. The text stays where it is from now on.
  void add(SourceText& text);
  /// Distinct written words, by number.
  std::span<const std::u16string_view> words() const { return words_; }
  /// Of each mention start and end on the wall clock, NaN without, and whether it has an offset.
  const std::vector<double>& bounds() const { return bounds_; }
  const std::vector<std::uint8_t>& has_offset() const { return has_offset_; }

 private:
  StringNumbers<char16_t> numbers_;
  std::vector<std::u16string_view> words_;
  std::vector<double> bounds_;
  std::vector<std::uint8_t> has_offset_;
};

struct SourcePassage {
  SourceText text, title;
  std::vector<Span> sentences;    // of the text, ascending
  double reference = unknown;     // of relative dates, on the wall clock; NaN without
  double published_at = unknown;  // NaN without
};

/// Finds the times and written words of both texts.
void scan(SourcePassage& passage);

/// What lies outside of texts: what their group's words are read as, and its mentions' instants.
struct Readings {
  const Lexicon& lexicon;
  std::span<const Entry> entries;  // of the group's words
  std::span<const double> instants;
};

/// A passage without its clocks. A sentence without a time has the main ones of the last that has
/// any; a passage of at most 60 words is a statement as a whole too, and a title with a time or a
/// value is one.
Passage read_passage(const Readings& readings, const SourcePassage& passage);

/// What is read of the texts of a passage.
struct PassageParts {
  Words text, title;
  std::uint32_t text_units = 0, title_units = 0;  // UTF-16
  std::vector<Span> sentences;                    // of the text, ascending
  TimesOfText times;                              // of the sentences
  std::vector<Time> title_times;
};

/// The passage of what is read of its texts.
Passage assemble(const Lexicon& lexicon, PassageParts parts);

}  // namespace asof::statements
