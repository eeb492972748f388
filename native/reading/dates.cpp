// Dates of spans.
#include "reading/dates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "timetag/civil.hpp"

namespace asof::reading {
namespace {

using timetag::Granularity;
using timetag::Relation;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double year_ms = 365.2425 * timetag::day_ms;
/// "The Prestons owned it until 1922" says nothing of 1346.
constexpr double longest_ms = 300 * year_ms;
/// Characters that a clause boundary counts for.
constexpr double boundary_cost = 40;
/// In a table of a thousand dates each span looks at its own.
constexpr std::uint32_t farthest = 500;

constexpr bool is_end(Relation relation) {
  return relation == Relation::until || relation == Relation::before || relation == Relation::by;
}

bool meet(const Stretch& one, const Stretch& other) {
  return one.start < other.end && one.end > other.start;
}

}  // namespace

PassageDates::PassageDates(const Text& text, const timetag::Tags& tags,
                           std::span<const double> instants, std::optional<Stretch> published)
    : text_(text) {
  for (const timetag::Timex& each : tags.timexes) timexes_.push_back({each.start, each.end});
  std::vector<Relation> relations;
  std::uint32_t timex = 0;
  for (std::size_t at = 0; at < tags.mentions.size(); ++at) {
    const timetag::Mention& mention = tags.mentions[at];
    Mention& kept = mentions_.emplace_back();
    kept.start = mention.start;
    kept.end = mention.end;
    kept.type = tags.timexes[timex].type;
    kept.granularity = mention.granularity;
    kept.first_timex = timex;
    kept.timexes = mention.timexes;
    timex += mention.timexes;
    if (std::isnan(mention.start_ms)) continue;
    const Stretch interval = instants.empty() ? Stretch{mention.start_ms, mention.end_ms}
                                              : Stretch{instants[4 * at], instants[4 * at + 1]};
    kept.wall_start = instants.empty() ? mention.start_ms : instants[4 * at + 2];
    dated_.push_back({{mention.start, mention.end}, interval, {}});
    const bool is_stretch = mention.timexes > 1 || mention.relation == Relation::between ||
                            mention.relation == Relation::from_to;
    relations.push_back(is_stretch && !is_end(mention.relation) ? Relation::between
                                                                : mention.relation);
  }
  std::vector<double> later;  // of the dates behind, those that no nearer one begins after
  for (std::size_t at = dated_.size(); at-- > 0;) {
    auto& [start, end] = dated_[at].interval;
    while (!later.empty() && later.back() <= start) later.pop_back();
    const double next = later.empty() ? infinity : later.back();
    later.push_back(start);
    if (is_end(relations[at]))
      dated_[at].holds = {start - longest_ms, end};
    else
      dated_[at].holds = {start, relations[at] == Relation::between ? end : std::max(end, next)};
  }
  if (published && dated_.empty())
    published_ = SpanDate{*published, {published->start, infinity}, 0};
}

std::optional<SpanDate> PassageDates::date_of(const Span& span, const Span& sentence,
                                              const Breaks& breaks) const {
  const bool is_whole = span.start == sentence.start && span.end == sentence.end;
  const auto first = std::partition_point(
      dated_.begin(), dated_.end(), [&](const Dated& each) { return each.start < sentence.start; });
  // Of those before, the far ones are left out; of a whole sentence all are within.
  const auto near =
      is_whole ? first : std::partition_point(first, dated_.end(), [&](const Dated& each) {
        return each.end + farthest < span.start;
      });
  auto best = dated_.end();
  double least = infinity, apart_of_best = 0;
  for (auto each = near; each != dated_.end() && each->start < sentence.end; ++each) {
    const bool is_after = each->start >= span.end;
    if (!is_after && each->end > span.start && !is_whole) continue;
    const std::uint32_t from = is_after ? span.end : each->end;
    const std::uint32_t to = is_after ? each->start : std::max(from, span.start);
    if (to - from > farthest) {
      if (is_after) break;
      continue;
    }
    const double apart = static_cast<double>(breaks.between(from, to));
    // A date in brackets right behind is the span's.
    const std::uint32_t bracket = from + (text_.is(from, blank) ? 1 : 0);
    const bool is_bracketed = is_after && bracket < to && text_.is(bracket, u'(');
    const double cost = is_bracketed ? -1 : apart * boundary_cost + (to - from);
    if (cost >= least) continue;
    best = each;
    least = cost;
    apart_of_best = apart;
  }
  if (best != dated_.end()) return SpanDate{best->interval, best->holds, apart_of_best};
  if (first == dated_.begin()) return published_;
  const Dated& before = *std::prev(first);
  return SpanDate{before.interval, before.holds, infinity};
}

std::span<const PassageDates::Mention> PassageDates::mentions_in(const Span& sentence) const {
  const auto from = std::partition_point(mentions_.begin(), mentions_.end(), [&](const Span& each) {
    return each.start < sentence.start;
  });
  const auto to = std::partition_point(from, mentions_.end(),
                                       [&](const Span& each) { return each.start < sentence.end; });
  return {from, to};
}

void PassageDates::times_in(const Span& sentence, std::vector<Span>& times) const {
  times.clear();
  for (const Mention& each : mentions_in(sentence)) {
    if (each.type != timetag::TimexType::date && each.type != timetag::TimexType::time) continue;
    const auto first = timexes_.begin() + each.first_timex;
    times.insert(times.end(), first, first + each.timexes);
  }
}

std::u16string PassageDates::words_of(const Span& date, const Span& sentence) const {
  const Text words = text_.part(date.start, std::min(date.end, sentence.end));
  for (std::size_t at = 0; at + 2 < words.size(); ++at)
    if (words.is(at, digit) && words.is(at + 1, digit) && words.is(at + 2, digit))
      return std::u16string(words.units);
  for (const Mention& each : mentions_in(sentence)) {
    if (each.start > date.start || each.end < date.end) continue;
    const bool is_unit = each.granularity == Granularity::day ||
                         each.granularity == Granularity::month ||
                         each.granularity == Granularity::year;
    if (!is_unit || each.timexes != 1 || !std::isfinite(each.wall_start)) break;
    return written_date(each.wall_start, each.granularity);
  }
  return std::u16string(words.units);
}

std::u16string written_date(double wall_ms, Granularity granularity) {
  constexpr std::array<const char*, 12> months = {"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};
  const timetag::Civil civil =
      timetag::civil_from_days(static_cast<std::int64_t>(std::floor(wall_ms / timetag::day_ms)));
  const long long year = civil.year;
  std::array<char, 16> digits{};
  const bool is_far = year > 9999 || year < -9999;
  std::snprintf(digits.data(), digits.size(), is_far ? "%s%06lld" : "%s%04lld",
                year < 0 ? "-"
                : is_far ? "+"
                         : "",
                year < 0 ? -year : year);
  std::string text;
  if (granularity == Granularity::day) text += std::to_string(civil.day) + ' ';
  if (granularity != Granularity::year)
    text += std::string(months[static_cast<std::size_t>(civil.month - 1)]) + ' ';
  text += digits.data();
  return {text.begin(), text.end()};
}

std::pair<Fit, double> fit_of(const std::optional<SpanDate>& date, const AskedTime& time) {
  if (!time.asked) return {Fit::unasked, 0};
  if (!date) return {Fit::undated, 0};
  const bool is_inside = meet(date->interval, *time.asked);
  const bool holds = meet(date->holds, *time.asked);
  if (time.implied) return {is_inside || holds ? Fit::unasked : Fit::outside, 0};
  const double after = date->interval.start - time.named.end;
  const double before = time.named.start - date->interval.end;
  const double gap = std::max({0.0, after, before}) / year_ms;
  const double near =
      std::isfinite(gap) && !std::isnan(after) && !std::isnan(before) ? 1 / (1 + gap / 4) : 0;
  return {is_inside ? Fit::inside : holds ? Fit::holds : Fit::outside, near};
}

}  // namespace asof::reading
