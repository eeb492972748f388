// What the words of a question that carry time say, by its reading: its dates with the words of
// their relation, the edge of a period, a distance.
#pragma once

#include "question/reader.hpp"

namespace asof::question {

/// The edge of a period that words name: "at the close of 2009", "when 2022 ended".
enum class Edge : std::uint8_t { none, start, end };

/// A date of a question. Each of a list ("7 and 12 January") is one of its own.
struct Date {
  Span span, words;  // `words`: with those of its relation, as far as another date
  double start_ms = 0, end_ms = 0;
  timetag::Granularity granularity = timetag::Granularity::day;
  timetag::Relation relation = timetag::Relation::none;
  bool has_offset = false;
  float bound = 0;  // probability that it bounds the answer; of a list the highest
  Edge edge = Edge::none;
};

/// Has words that refer to the last date before them ("back then", "on that day") bound the answer
/// by it, and leaves them out of what is relevant.
void refer_back(std::u16string_view text, const timetag::Tags& tags, Reading& reading);

/// Those with an interval, in order.
std::vector<Date> dates_of(std::u16string_view text, const timetag::Tags& tags,
                           const Reading& reading);

/// A span with the words of time on either side of it, as far as another date.
Span with_words_of_time(std::u16string_view text, Span span, const std::vector<Span>& removed,
                        const std::vector<Date>& dates);

/// The order of `removedCues` in lib/time/question/reading.ts, as bits.
enum RemovedCue : std::uint32_t { today = 1, earliest = 2, last_word = 4 };
/// What the words of time, order and relation say.
std::uint32_t removed_cues(std::u16string_view text, const std::vector<Span>& removed);

/// The number among the words of a distance; one where there is none.
double count_in(std::u16string_view text, const std::vector<Span>& removed);

}  // namespace asof::question
