// Dates of spans, by position ("A (2001-03), B (2003-05)"), until when they hold, by the dates that
// follow, and dates as answers: an expression that only its passage's date completes ("yesterday",
// "in May") is given as the day or month that it means.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reading/breaks.hpp"
#include "reading/characters.hpp"
#include "timetag/tagger.hpp"

namespace asof::reading {

/// Milliseconds since 1970, half-open.
struct Stretch {
  double start = 0, end = 0;
};

/// A date that speaks of a span.
struct SpanDate {
  Stretch interval;
  /// When the statement holds: to the next later date where the text gives no end of its own.
  Stretch holds;
  double apart = 0;  // clause boundaries in between; infinite for one of a sentence before
};

/// The times of a passage in order; a span looks at those of its sentence.
class PassageDates {
 public:
  /// `instants`: of each mention start and end, then both on the wall clock; none where the tags
  /// are instants. `published`: the day of publication, when a passage that names no time held.
  PassageDates(const Text& text, const timetag::Tags& tags, std::span<const double> instants,
               std::optional<Stretch> published);

  /// Of a sentence's dates the one with the fewest boundaries between, the nearer of equals; else
  /// the last one before the sentence, else the publication.
  std::optional<SpanDate> date_of(const Span& span, const Span& sentence,
                                  const Breaks& breaks) const;
  /// Replaces `times` by the dates and times of day that begin in a sentence.
  void times_in(const Span& sentence, std::vector<Span>& times) const;
  /// The words of a date's span, or the time that they mean where they tell no year.
  std::u16string words_of(const Span& date, const Span& sentence) const;

 private:
  struct Mention : Span {
    timetag::TimexType type = timetag::TimexType::date;
    timetag::Granularity granularity = timetag::Granularity::day;
    std::uint32_t first_timex = 0, timexes = 0;
    double wall_start = std::numeric_limits<double>::quiet_NaN();  // without an interval
  };
  struct Dated : Span {
    Stretch interval, holds;
  };
  std::span<const Mention> mentions_in(const Span& sentence) const;

  const Text text_;
  std::vector<Mention> mentions_;
  std::vector<Span> timexes_;
  std::vector<Dated> dated_;
  std::optional<SpanDate> published_;
};

/// "27 July 2020", "July 2020" or "2020" of a time on the wall clock.
std::u16string written_date(double wall_ms, timetag::Granularity granularity);

/// What a question asks of time.
struct AskedTime {
  std::optional<Stretch> asked;
  Stretch named;         // of which nearness is measured
  bool implied = false;  // only its tense asks for the day of asking: what tells of no time serves
};

/// How a span's date stands to what a question asks.
enum class Fit : std::uint8_t { unasked, undated, inside, holds, outside };
/// With how near it is in time: 1 in the date that the question names and a half some four years
/// away; 0 where it is not measured.
std::pair<Fit, double> fit_of(const std::optional<SpanDate>& date, const AskedTime& time);

}  // namespace asof::reading
