// Cues of time in English wording that no date carries: the aspect of a question's predicate, the
// event that stands in place of a date, what says that a state ends or lasts, which dates of a
// passage only state its publication, and the temporal signals of a query. What follows from them
// is said by lib/time and native/statements/times.hpp. Texts are UTF-16, offsets too; time is
// linear in the text.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timetag/tagger.hpp"

namespace asof::timetag {

// predicate.cpp
/// The order of `predicateCues` in lib/time/question/reading.ts, as bits.
enum PredicateCue : std::uint32_t {
  state = 1,           // it holds at a point of time ("who was captain") rather than happens then
  past = 2,            // the main clause is in the past
  perfect = 4,         // "which lines had closed"
  future = 8,          // "will", "going to"
  prediction = 16,     // a forecast is asked for
  every = 32,          // "all", "list"
  interrogative = 64,  // a question or a clause in the past, no phrase
};
std::uint32_t predicate_cues(std::u16string_view text);

// events.cpp
/// Which end of a state words name: "joined" its beginning, "left" its end.
enum class Course : std::uint8_t { none, begins, ends };
Course course_of(std::u16string_view text);
/// Whether they are a name and a verb in the past: "X joined Y".
bool is_clause(std::u16string_view text);
/// Whether the subject of the words is a pronoun or missing.
bool lacks_subject(std::u16string_view text);
/// "X's death" and "the death of X" as "X died"; others as they are.
std::u16string as_clause(std::u16string_view text);
/// The unit of the calendar that a phrase is the time of: "in the year X died".
enum class CalendarUnit : std::uint8_t { none, year, month };
CalendarUnit calendar_unit(std::u16string_view phrase);
/// Where a phrase begins with its preposition: "in the year when", from "the" on at `start`.
std::size_t with_preposition(std::u16string_view text, std::size_t start);

// states.cpp
/// What the words around the first mention of a year in a sentence say of a state.
enum class StateCue : std::uint8_t {
  none,
  ends,   // "until 1934", "left in 1934"; no life, and no way "to Rome in 1934"
  lasts,  // "2011–present", "2003–)"
};
StateCue state_cue(std::u16string_view sentence, std::int64_t year);

// content.cpp
/// A mention with an interval.
struct DatedMention {
  std::uint32_t start = 0, end = 0;  // units of the text
  double start_ms = 0, end_ms = 0;
  bool is_day = false;
};
/// The mentions that each sentence tells of, as indexes: distinct intervals in order, without those
/// that state when the passage was published (`published_ms`, NaN: unknown) or what an earlier
/// report was of. `sentences`: starts and ends, in order; a mention is of the one it starts in.
std::vector<std::vector<std::uint32_t>> content_mentions(std::u16string_view text,
                                                         std::span<const std::uint32_t> sentences,
                                                         std::span<const DatedMention> mentions,
                                                         double published_ms);

// signals.cpp
enum class SignalKind : std::uint8_t {
  asking,         // "when", "how long"
  asking_period,  // "in which era"
  event,          // "during the Battle of Hastings"
  ordered_event,  // "after the Battle of Hastings"
  word,           // "currently", "over time"
};
struct QuerySignal {
  std::uint32_t start = 0, end = 0;
  SignalKind kind = SignalKind::word;
};
/// The order of `queryCues` in lib/time/question/intent.ts, as bits.
enum QueryCue : std::uint32_t { length = 1, timeline = 2, ordering = 4, ongoing = 8, period = 16 };
struct QuerySignals {
  std::vector<QuerySignal> signals;  // those that come first prevail over others that they overlap
  std::uint32_t cues = 0;
};
/// Temporal signals of a query in TEMPO's terms (section 3, appendix B.2), dates aside.
QuerySignals query_signals(std::u16string_view query);

}  // namespace asof::timetag
