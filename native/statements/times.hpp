// The times that the sentences of a passage speak of, by where each comes from, and the states that
// their words open or close.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "statements/passage.hpp"
#include "statements/written.hpp"
#include "timetag/tagger.hpp"

namespace asof::statements {

/// A mention of a time in a text.
struct TimeMention {
  Span span;                              // its preposition included
  double start = unknown, end = unknown;  // milliseconds since 1970; NaN without an interval
  // Of its start and of the last millisecond of it, on the wall clock of the corpus.
  std::int64_t first_year = 0, last_year = 0;
  timetag::Granularity granularity = timetag::Granularity::day;
  float confidence = 0;
  bool is_date = false;  // rather than a duration or a set alone

  bool has_interval() const { return start == start; }
};

/// The mentions of tagged text, of which intervals are on the wall clock. `instants`: start and end
/// of each mention's interval in time since 1970, and on the wall clock; empty where both are one.
std::vector<TimeMention> time_mentions(std::span<const timetag::Mention> mentions,
                                       std::span<const timetag::Timex> timexes,
                                       std::span<const double> instants);

/// Spans of the mentions that are dates.
std::vector<Span> dates_of(std::span<const TimeMention> mentions);

/// The dates of a title with an interval.
std::vector<Time> title_times(std::span<const TimeMention> mentions);

/// The mentions that each sentence tells of (timetag/cues/cues.hpp), in order.
std::vector<std::vector<const TimeMention*>> content_of_sentences(
    std::u16string_view text, std::span<const Span> sentences,
    std::span<const TimeMention> mentions, double published_at);

/// The times of sentences, one after another, and where those of each end.
struct TimesOfText {
  std::vector<Time> times;
  std::vector<std::uint32_t> ends;
};
/// The content times of each sentence (timetag/cues/cues.hpp) in order, then the states.
TimesOfText sentence_times(std::u16string_view text, std::span<const Span> sentences,
                           std::span<const TimeMention> mentions, double published_at);

/// Whether words before a time or a name say that it only serves to compare: "higher than in ",
/// "after 3.1 in ".
bool is_comparison(std::u16string_view before);

}  // namespace asof::statements
