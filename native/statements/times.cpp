#include "statements/times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "text/unicode.hpp"
#include "timetag/civil.hpp"
#include "timetag/cues/cues.hpp"
#include "timetag/cues/words.hpp"

namespace asof::statements {
namespace {

using timetag::day_ms;
using timetag::Granularity;
using timetag::StateCue;

/// Lowest confidence of a mention that counts as a time.
constexpr float least_confidence = 0.5f;
/// Characters before a time in which words that compare count.
constexpr std::uint32_t reach = 40;
constexpr double mean_year = 365.2425 * day_ms;
/// When a state ends that is said to last ("2011–present"): no passage tells of a later time.
constexpr double never_over = static_cast<double>(timetag::days_from_civil(2100, 1, 1)) * day_ms;

/// Days of the longest unit.
constexpr double days_of(Granularity unit) {
  switch (unit) {
    case Granularity::weekend:
      return 2;
    case Granularity::week:
      return 7;
    case Granularity::month:
      return 31;
    case Granularity::quarter:
    case Granularity::season:
      return 92;
    case Granularity::half:
      return 184;
    case Granularity::year:
      return 366;
    case Granularity::decade:
      return 3653;
    case Granularity::century:
      return 36525;
    default:
      return 1;
  }
}

Time time_of(const TimeMention& mention, Source source) {
  return {.start = mention.start,
          .end = mention.end,
          .source = source,
          .range = mention.end - mention.start > 1.6 * days_of(mention.granularity) * day_ms};
}

std::int64_t year_of(double wall) {
  return timetag::civil_from_days(static_cast<std::int64_t>(std::floor(wall / day_ms))).year;
}

std::u16string_view at(std::u16string_view text, Span span) {
  return text.substr(span.start, span.end - span.start);
}

/// What \s of a regular expression matches.
bool is_blank(char16_t unit) {
  return unit == 0x0b || unit == 0x0c || unit == 0xfeff ||
         (unicode::properties_of(unit).flags & unicode::space) != 0;
}

/// Whether it is a name or a number, of letters, digits and signs inside them.
bool is_plain(std::u16string_view chunk) {
  for (std::size_t at = 0; at < chunk.size();) {
    const char32_t character = unicode::next(chunk, at);
    if ((unicode::properties_of(character).flags & (unicode::letter | unicode::number)) == 0 &&
        std::u32string_view(U".,'\u2019%$-").find(character) == std::u32string_view::npos)
      return false;
  }
  return true;
}

/// What stands between blanks, from the end of a text backwards.
class Chunks {
 public:
  explicit Chunks(std::u16string_view text) : left_(text) {}
  /// Whether a blank stands at the end.
  bool ends_blank() const { return !left_.empty() && is_blank(left_.back()); }
  std::u16string_view take() {
    while (ends_blank()) left_.remove_suffix(1);
    std::size_t from = left_.size();
    while (from > 0 && !is_blank(left_[from - 1])) --from;
    const std::u16string_view chunk = left_.substr(from);
    left_.remove_suffix(chunk.size());
    return chunk;
  }
  /// What is left, with `chunk` behind it, which was taken last.
  std::u16string_view with(std::u16string_view chunk) const {
    return {left_.data(), left_.size() + chunk.size()};
  }

 private:
  std::u16string_view left_;
};

/// Which words compare with what follows them after how many others.
struct Reach {
  std::size_t least, most;
};
constexpr Reach none = {1, 0};

/// By the words at the end of a text.
Reach comparing(std::u16string_view text) {
  const std::string narrow = timetag::narrowed(text);
  std::string_view end = narrow;
  const bool has_dot = end.ends_with('.');
  if (has_dot) end.remove_suffix(1);
  const timetag::Words words(end);
  const std::size_t last = words.size() - 1;
  if (words.size() == 0 || words.end(last) != end.size()) return none;
  const std::string_view word = words[last];
  if (word == "vs") return {0, 5};
  if (has_dot) return none;
  const std::string_view before = last > 0 && words.before(last) == " " ? words[last - 1] : "";
  const bool is_pair =
      ((word == "with" || word == "to") &&
       (before == "compared" || (before == "comparison" && last > 1 && words[last - 2] == "in" &&
                                 words.before(last - 1) == " "))) ||
      (word == "to" && before == "relative");
  if (word == "than" || word == "versus" || is_pair) return {0, 5};
  const auto begins = [&](std::string_view stem) {
    return word.size() > stem.size() && word.starts_with(stem);
  };
  if (timetag::one_of(" against after before until previous previously earlier ", word) ||
      (word == "been" && before == "had") ||
      (word == "from" && (before == "up" || before == "down")) || begins("replac") ||
      begins("supersed") || begins("succeed") || begins("follow"))
    return {0, 3};
  return word == "from" ? Reach{1, 3} : none;
}

/// "The previous year", "two years earlier": compared with by itself, next to another time.
bool is_compared_time(std::u16string_view mention) {
  return timetag::Words(timetag::narrowed(mention))
      .has(
          "previous,preceding,prior,"
          "year|years|quarter|quarters|month|months|week|weeks|day|days before|earlier");
}

/// The preposition that opens a mention and may say how it is compared with; "" without.
std::u16string_view lead_of(std::u16string_view mention) {
  const timetag::Words words(timetag::narrowed(mention.substr(0, 7)));
  return words.begin(0) == 0 && timetag::one_of(" from since after before until ", words[0])
             ? mention.substr(0, words.end(0))
             : std::u16string_view();
}

/// The times of one sentence.
class SentenceReader {
 public:
  SentenceReader(std::u16string_view text, Span span, std::span<const TimeMention> mentions)
      : text_(text), span_(span) {
    const auto starts = [](const TimeMention& each, std::uint32_t at) {
      return each.span.start < at;
    };
    const auto from = std::lower_bound(mentions.begin(), mentions.end(), span.start, starts);
    own_ = {from, std::lower_bound(from, mentions.end(), span.end, starts)};
  }

  std::vector<Time> read(std::span<const TimeMention* const> content) {
    std::uint32_t previous_end = 0;
    for (const TimeMention* each : content) {
      const TimeMention& mention = first_of(*each);
      const Span& at = mention.span;
      const std::uint32_t from =
          std::max({span_.start, at.start - std::min(at.start, reach), previous_end});
      previous_end = at.end;
      const bool is_compared = content.size() > 1 && compares(mention, from);
      Time time = time_of(*each, is_compared               ? Source::compared
                                 : each == content.front() ? Source::own
                                                           : Source::later);
      time.at = static_cast<std::int32_t>(at.start);
      times_.push_back(time);
    }
    const auto main = std::find_if(times_.begin(), times_.end(), [](const Time& each) {
      return each.source != Source::compared;
    });
    if (!times_.empty()) (main == times_.end() ? times_.front() : *main).source = Source::own;
    add_states(content);
    return std::move(times_);
  }

 private:
  /// The first mention of the sentence with an interval.
  const TimeMention& first_of(const TimeMention& content) const {
    return *std::find_if(own_.begin(), own_.end(), [&](const TimeMention& each) {
      return each.start == content.start && each.end == content.end;
    });
  }

  bool compares(const TimeMention& mention, std::uint32_t from) const {
    const std::u16string_view own = statements::at(text_, mention.span);
    std::u16string before(from < mention.span.start ? text_.substr(from, mention.span.start - from)
                                                    : std::u16string_view());
    before += lead_of(own);
    before += u' ';
    return is_comparison(before) || is_compared_time(own);
  }

  /// A stretch for each date that ends a state or begins one that is said to last. The date stays
  /// with its stretch: "cases up to 5 April" are counted on that day.
  void add_states(std::span<const TimeMention* const> content) {
    if (content.empty()) return;
    const std::u16string_view sentence = statements::at(text_, span_);
    for (const TimeMention* date : content) {
      const StateCue cue = timetag::state_cue(sentence, date->first_year);
      if (cue == StateCue::lasts && date->start < never_over)
        add_state(date->start, never_over);
      else if (cue == StateCue::ends && date->last_year == date->first_year)
        add_state(begin_of(*date, content), date->end);
    }
  }

  /// The latest date before an end; NaN without one.
  static double begin_of(const TimeMention& end, std::span<const TimeMention* const> content) {
    double begin = unknown;
    for (const TimeMention* each : content)
      if (each->end <= end.start && each->end - each->start <= 1.1 * mean_year &&
          !(each->start <= begin))
        begin = each->start;
    return begin;
  }

  void add_state(double start, double end) {
    const auto find = [&](auto is) { return std::find_if(times_.begin(), times_.end(), is); };
    const auto begin = find([&](const Time& each) { return !each.range && each.start == start; });
    // Of "until 1934" alone nobody knows when it began.
    const auto closing = find([&](const Time& each) { return !each.range && each.end == end; });
    if (closing != times_.end()) closing->until = end;
    const auto of =
        begin != times_.end() ? begin : find([&](const Time& each) { return each.end == end; });
    if (of == times_.end()) return;
    Time state = *of;
    state.start = begin != times_.end() ? start : -infinity;
    state.end = end;
    state.range = true;
    times_.push_back(state);
  }

  std::u16string_view text_;
  Span span_;
  std::span<const TimeMention> own_;
  std::vector<Time> times_;
};

}  // namespace

std::vector<TimeMention> time_mentions(std::span<const timetag::Mention> mentions,
                                       std::span<const timetag::Timex> timexes,
                                       std::span<const double> instants) {
  std::vector<TimeMention> read;
  read.reserve(mentions.size());
  std::size_t timex = 0;
  for (std::size_t nth = 0; nth < mentions.size(); ++nth) {
    const timetag::Mention& mention = mentions[nth];
    TimeMention& own = read.emplace_back();
    own.span = {mention.start, mention.end};
    own.granularity = mention.granularity;
    own.confidence = mention.confidence;
    for (const std::size_t end = timex + mention.timexes; timex < end; ++timex)
      own.is_date |= timexes[timex].type == timetag::TimexType::date ||
                     timexes[timex].type == timetag::TimexType::time;
    if (std::isnan(mention.start_ms)) continue;
    const std::array<double, 4> same = {mention.start_ms, mention.end_ms, mention.start_ms,
                                        mention.end_ms};
    const auto clocks =
        instants.empty() ? std::span<const double>(same) : instants.subspan(4 * nth, 4);
    own.start = clocks[0];
    own.end = clocks[1];
    own.first_year = year_of(clocks[2]);
    own.last_year = year_of(clocks[3] - 1);
  }
  return read;
}

std::vector<Span> dates_of(std::span<const TimeMention> mentions) {
  std::vector<Span> dates;
  for (const TimeMention& each : mentions)
    if (each.is_date) dates.push_back(each.span);
  return dates;
}

std::vector<Time> title_times(std::span<const TimeMention> mentions) {
  std::vector<Time> times;
  for (const TimeMention& each : mentions)
    if (each.is_date && each.has_interval()) times.push_back(time_of(each, Source::title));
  return times;
}

std::vector<std::vector<const TimeMention*>> content_of_sentences(
    std::u16string_view text, std::span<const Span> sentences,
    std::span<const TimeMention> mentions, double published_at) {
  std::vector<std::vector<const TimeMention*>> content(sentences.size());
  std::vector<const TimeMention*> counted;
  std::vector<timetag::DatedMention> dated;
  for (const TimeMention& each : mentions) {
    if (!each.has_interval() || each.confidence < least_confidence) continue;
    counted.push_back(&each);
    dated.push_back({each.span.start, each.span.end, each.start, each.end,
                     each.granularity == Granularity::day});
  }
  if (counted.empty()) return content;
  std::vector<std::uint32_t> spans;
  for (const Span& each : sentences) spans.insert(spans.end(), {each.start, each.end});
  const auto indexes = timetag::content_mentions(text, spans, dated, published_at);
  for (std::size_t nth = 0; nth < sentences.size(); ++nth)
    for (const std::uint32_t index : indexes[nth]) content[nth].push_back(counted[index]);
  return content;
}

TimesOfText sentence_times(std::u16string_view text, std::span<const Span> sentences,
                           std::span<const TimeMention> mentions, double published_at) {
  TimesOfText read;
  const auto contents = content_of_sentences(text, sentences, mentions, published_at);
  for (std::size_t nth = 0; nth < sentences.size(); ++nth) {
    if (!contents[nth].empty())
      for (const Time& time : SentenceReader(text, sentences[nth], mentions).read(contents[nth]))
        read.times.push_back(time);
    read.ends.push_back(static_cast<std::uint32_t>(read.times.size()));
  }
  return read;
}

bool is_comparison(std::u16string_view before) {
  Chunks chunks(before);
  for (std::size_t passed = 0; passed <= 5 && chunks.ends_blank(); ++passed) {
    const std::u16string_view chunk = chunks.take();
    if (chunk.empty()) return false;
    const Reach reach = comparing(chunks.with(chunk));
    if (reach.least <= passed && passed <= reach.most) return true;
    if (!is_plain(chunk)) return false;
  }
  return false;
}

}  // namespace asof::statements
