// A passage as it is ranked: its words by number, its statements (sentences, a short passage as a
// whole, the title) and the times that each speaks of.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace asof::statements {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Where a time of a statement comes from: the first of its sentence, a later one, one that it is
/// compared with, the sentence before, the title, publication, validity.
enum class Source : std::uint8_t { own, later, compared, previous, title, published, valid };

/// Milliseconds since 1970, half-open.
struct Time {
  double start = 0;
  double end = 0;
  double until = unknown;  // when the state that it is stated of ended; NaN where not stated
  std::int32_t at = -1;    // UTF-16 offset of its mention; -1 without
  Source source = Source::own;
  bool range = false;  // names both of its ends rather than one unit of the calendar
};

/// The content words of a text in order, without stop words and dates.
struct Words {
  std::vector<std::uint32_t> words;   // numbers of a lexicon
  std::vector<std::uint32_t> starts;  // UTF-16 offsets
  std::vector<std::uint8_t> opens;    // 1 of the first of a sentence, where a capital says nothing
  std::vector<std::uint8_t> joins;    // 1 where it may go on with a name that the word before is of
  std::uint32_t length = 0;           // all words of the text
};

/// Consecutive words of a text.
struct Range {
  const Words* of;
  std::uint32_t from, to;
  std::uint32_t size() const { return to - from; }
};

struct Statement {
  std::uint32_t from = 0, to = 0;              // words of the text; of the title where it is that
  std::uint32_t times_from = 0, times_to = 0;  // of the passage's `times`
  std::uint32_t start = 0, end = 0;            // UTF-16 span in the text, or in the title
  bool whole = false;                          // the whole of a passage of several sentences
  bool title = false;                          // the title alone, at the title's times
};

struct Passage {
  Words text, title;
  std::uint32_t text_units = 0, title_units = 0;  // UTF-16 units of both
  std::vector<Statement> statements;
  std::vector<Time> times;        // of all statements, one after another
  std::vector<Time> title_times;  // Source::title
  bool has_published = false, has_valid = false;
  Time published, valid;
  double published_at = unknown;  // the instant that is stored; NaN without

  Range title_words() const { return {&title, 0, static_cast<std::uint32_t>(title.words.size())}; }
  /// All words of the text that statements have.
  std::uint32_t text_end = 0;
  Range text_words() const { return {&text, 0, text_end}; }
  Range words_of(const Statement& of) const { return {of.title ? &title : &text, of.from, of.to}; }
  std::span<const Time> times_of(const Statement& of) const {
    return std::span(times).subspan(of.times_from, of.times_to - of.times_from);
  }
};

}  // namespace asof::statements
