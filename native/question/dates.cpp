#include "question/dates.hpp"

#include <algorithm>
#include <cmath>

#include "timetag/civil.hpp"
#include "timetag/cues/words.hpp"

namespace asof::question {
namespace {

using timetag::is_blank;
using timetag::is_digit;
using timetag::narrowed;
using timetag::Words;

constexpr std::string_view blanks = " \t\n\v\f\r";
constexpr std::size_t reach_of_verb = 64;  // units after a date

std::u16string_view part(std::u16string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin);
}

/// The milliseconds of a day "1998-05-06"; false for other values.
bool read_day(std::string_view value, double& ms) {
  if (value.size() != 10 || value[4] != '-' || value[7] != '-') return false;
  int numbers[3] = {};
  int at = 0;
  for (const char c : value) {
    if (c == '-')
      ++at;
    else if (is_digit(c))
      numbers[at] = numbers[at] * 10 + (c - '0');
    else
      return false;
  }
  if (at != 2 || numbers[1] < 1 || numbers[1] > 12) return false;
  ms = static_cast<double>(timetag::days_from_civil(numbers[0], numbers[1], numbers[2])) *
       timetag::day_ms;
  return true;
}

/// Whether the second of two days of one mention is listed after the first: "7 and 12 January".
bool is_listed(std::u16string_view text, const timetag::Mention& mention,
               const timetag::Timex& first) {
  const Words after(narrowed(part(text, first.end, mention.end)));
  const bool joined =
      after.any_phrase(0, "and|or,as well as") > 0 ||
      (after.size() > 0 && after.begin(0) > 0 && after.at(after.begin(0) - 1) == '&');
  return joined && !Words(narrowed(part(text, mention.start, mention.end))).has("between");
}

/// Whether "and" or "or" joins two dates.
bool joins_list(std::u16string_view between) {
  const Words words(narrowed(between));
  std::string_view rest = words.text();
  const auto skip_blanks = [&] {
    while (!rest.empty() && is_blank(rest[0])) rest.remove_prefix(1);
  };
  skip_blanks();
  const bool comma = rest.starts_with(',');
  if (comma) rest.remove_prefix(1);
  skip_blanks();
  if (words.size() == 0) return comma && rest.empty();
  const std::size_t length = words[0].size();
  if (words.size() > 1 || !timetag::one_of(" and or ", words[0]) || !rest.starts_with(words[0]))
    return false;
  rest.remove_prefix(length);
  skip_blanks();
  return rest.empty();
}

/// At most an article, or the word of a clause, between words of time and a date or an anchor.
bool joins(std::u16string_view text, std::size_t from, std::size_t to) {
  if (from >= to) return true;
  if (to - from >= 9) return false;
  const Words words(narrowed(part(text, from, to)));
  const std::string_view between = words.text();
  if (words.size() == 0) return std::all_of(between.begin(), between.end(), is_blank);
  const auto all_blank = [&](std::size_t begin, std::size_t end) {
    return std::all_of(between.begin() + static_cast<std::ptrdiff_t>(begin),
                       between.begin() + static_cast<std::ptrdiff_t>(end), is_blank);
  };
  return words.size() == 1 &&
         timetag::one_of(" the a an its his her their our my that when ", words[0]) &&
         all_blank(0, words.begin(0)) && words.end(0) < between.size() &&
         all_blank(words.end(0), between.size());
}

/// Edges of a period as nouns before it and as verbs after it; not that of an event, "finished in
/// 2009".
Edge edge_of(std::u16string_view text, const Date& date) {
  const Words before(narrowed(part(text, date.words.begin, date.span.end)));
  std::size_t end = std::max(date.words.end, date.span.end);
  // The verb of a clause is of its period, whether the reader takes it for a word of time or not.
  bool is_clause = false;
  for (std::size_t i = 0; i < before.size() && !is_clause; ++i) {
    const std::size_t stop = before.any_phrase(i, "when|once|as,by the time");
    is_clause = stop > 0 && is_blank(before.at(stop));
  }
  if (is_clause) {
    const Words rest(narrowed(text.substr(date.span.end, reach_of_verb)));
    if (rest.begin(0) > 0 && rest.text().find_first_not_of(blanks) == rest.begin(0)) {
      const bool helps = timetag::one_of(" was is had ", rest[0]) && rest.apart(1);
      end = std::max(end, date.span.end + rest.end(helps ? 1 : 0));
    }
  }
  const Words after(narrowed(part(text, date.span.end, end)));
  if (before.has("end|close|conclusion|expiry") ||
      after.has("end|ended|ends|close|closed|over|expired"))
    return Edge::end;
  return before.has("start|beginning|outset|dawn") ||
                 after.has("start|started|starts|began|begin|begins|dawned")
             ? Edge::start
             : Edge::none;
}

}  // namespace

void refer_back(std::u16string_view text, const timetag::Tags& tags, Reading& reading) {
  const auto timed = [&](std::size_t m) { return !std::isnan(tags.mentions[m].start_ms); };
  std::size_t last = tags.mentions.size();
  while (last > 0 && !timed(last - 1)) --last;
  if (last-- == 0) return;
  const std::size_t from = tags.mentions[last].end;
  const Words words(narrowed(text.substr(from)));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t end = words.any_phrase(
        i,
        "back then,at the time,at? that time|moment|point,on? that date|day,in? that month|year");
    if (end == 0 || timetag::one_of(" of when that the ", words[words.from(end)])) continue;
    const Span span{static_cast<std::uint32_t>(from + words.begin(i)),
                    static_cast<std::uint32_t>(from + end)};
    const auto place = std::find_if(reading.removed.begin(), reading.removed.end(),
                                    [&](Span each) { return each.end > span.begin; });
    if (place == reading.removed.end() || place->begin >= span.end)
      reading.removed.insert(place, span);
    else
      *place = {std::min(place->begin, span.begin), std::max(place->end, span.end)};
    reading.mentions[last] = 1;
    constexpr auto relation = static_cast<std::size_t>(Output::relation);
    reading.best[relation] = 1;  // at
    reading.relations.fill(0);
    reading.relations[1] = 1;
    return;
  }
}

std::vector<Date> dates_of(std::u16string_view text, const timetag::Tags& tags,
                           const Reading& reading) {
  std::vector<Date> dates;
  const timetag::Timex* timex = tags.timexes.data();
  for (std::size_t m = 0; m < tags.mentions.size(); timex += tags.mentions[m++].timexes) {
    const timetag::Mention& mention = tags.mentions[m];
    if (std::isnan(mention.start_ms)) continue;
    Date date;
    date.span = {mention.start, mention.end};
    date.start_ms = mention.start_ms;
    date.end_ms = mention.end_ms;
    date.granularity = mention.granularity;
    date.relation = mention.relation;
    date.has_offset = mention.has_offset;
    date.bound = reading.mentions[m];
    double days[2];
    if (mention.timexes < 2 || !read_day(timex[0].value, days[0]) ||
        !read_day(timex[1].value, days[1]) || !is_listed(text, mention, timex[0])) {
      dates.push_back(date);
      continue;
    }
    const Span spans[2] = {{mention.start, timex[0].end}, {timex[1].start, mention.end}};
    for (int i = 0; i < 2; ++i) {
      date.span = spans[i];
      date.start_ms = days[i];
      date.end_ms = days[i] + timetag::day_ms;
      date.granularity = timetag::Granularity::day;
      date.relation = timetag::Relation::on;
      date.has_offset = false;
      dates.push_back(date);
    }
  }
  // The dates of a list bound the answer together.
  for (std::size_t first = 0; first < dates.size();) {
    std::size_t last = first + 1;
    float bound = dates[first].bound;
    for (; last < dates.size() &&
           joins_list(part(text, dates[last - 1].span.end, dates[last].span.begin));
         ++last)
      bound = std::max(bound, dates[last].bound);
    for (; first < last; ++first) dates[first].bound = bound;
  }
  for (Date& date : dates) {
    date.words = with_words_of_time(text, date.span, reading.removed, dates);
    date.edge = edge_of(text, date);
  }
  return dates;
}

Span with_words_of_time(std::u16string_view text, Span span, const std::vector<Span>& removed,
                        const std::vector<Date>& dates) {
  const auto next = std::partition_point(
      dates.begin(), dates.end(), [&](const Date& date) { return date.span.begin < span.end; });
  const std::size_t most = next == dates.end() ? text.size() : next->span.begin;
  const auto own = std::partition_point(
      dates.begin(), next, [&](const Date& date) { return date.span.end <= span.begin; });
  std::size_t least = own == dates.begin() ? 0 : (own - 1)->span.end;
  const auto blank = [&](std::size_t at) { return is_blank(narrowed(text.substr(at, 1))[0]); };
  while (least < text.size() && blank(least)) ++least;
  Span whole = span;
  const auto before = std::find_if(removed.rbegin(), removed.rend(), [&](Span each) {
    return each.begin < span.begin && joins(text, each.end, span.begin);
  });
  if (before != removed.rend())
    whole.begin = std::max<std::uint32_t>(
        before->begin, static_cast<std::uint32_t>(std::min<std::size_t>(least, span.begin)));
  const auto after = std::find_if(removed.begin(), removed.end(), [&](Span each) {
    return each.end > span.end && joins(text, span.end, each.begin);
  });
  std::size_t end = std::min<std::size_t>(after == removed.end() ? span.end : after->end, most);
  while (end > span.end && blank(end - 1)) --end;
  whole.end = std::max(whole.end, static_cast<std::uint32_t>(end));
  return whole;
}

std::uint32_t removed_cues(std::u16string_view text, const std::vector<Span>& removed) {
  std::uint32_t cues = 0;
  for (const Span& span : removed) {
    const Words words(narrowed(part(text, span.begin, span.end)));
    cues |= (words.has("today|tonight") ? today : 0u) | (words.has("earliest") ? earliest : 0u) |
            (words.has("last") ? last_word : 0u);
  }
  return cues;
}

double count_in(std::u16string_view text, const std::vector<Span>& removed) {
  constexpr std::string_view numerals[] = {
      "zero",     "one",     "two",     "three",     "four",     "five",     "six",
      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
  for (const Span& span : removed) {
    const std::string words(Words(narrowed(part(text, span.begin, span.end))).text());
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    for (std::size_t i = 0; i < words.size();) {
      const std::size_t begin = i;
      if (is_digit(words[i])) {
        double count = 0;
        for (; i < words.size() && is_digit(words[i]); ++i) count = count * 10 + (words[i] - '0');
        return count;
      }
      while (i < words.size() && is_letter(words[i])) ++i;
      const std::string_view word = std::string_view(words).substr(begin, i - begin);
      const auto value =
          std::find(std::begin(numerals), std::end(numerals), word) - std::begin(numerals);
      if (value < std::ssize(numerals)) return static_cast<double>(value);
      if (word == "couple") return 2;
      if (word == "half") return 0.5;
      if (i == begin) ++i;
    }
  }
  return 1;
}

}  // namespace asof::question
