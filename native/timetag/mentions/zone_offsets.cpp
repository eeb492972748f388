// Whether a mention says its offset from UTC.
#include <algorithm>
#include <cmath>

#include "timetag/civil.hpp"
#include "timetag/cues/words.hpp"
#include "timetag/mentions/mentions.hpp"

namespace asof::timetag {
namespace {

/// Names of UTC, whose times look like those without an offset.
bool names_utc(std::u16string_view expression) {
  const std::string narrow = narrowed(expression);
  for (const std::string_view zero : {"+0000", "-0000", "+00:00", "-00:00"})
    if (narrow.ends_with(zero)) return true;
  const Words words(narrow);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = std::string_view(narrow).substr(words.begin(i), words[i].size());
    if (one_of(" GMT UTC WET ZULU Z Greenwich ", word) ||
        (word.size() > 1 && word.ends_with('Z') && is_digit(word[word.size() - 2])))
      return true;
  }
  return false;
}

/// Whether a time on the clock ("1998-05-06T15:00[:00]", a year of four digits) begins at another
/// time than its mention.
bool is_shifted(std::string_view value, const Mention& mention) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  if (value.size() != 16 && value.size() != form.size()) return false;
  for (std::size_t i = 0; i < value.size(); ++i)
    if (form[i] == 'd' ? !is_digit(value[i]) : value[i] != form[i]) return false;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int sum = 0;
    for (; digits > 0; --digits) sum = sum * 10 + (value[at++] - '0');
    return sum;
  };
  const int month = number(5, 2);
  if (month < 1 || month > 12) return false;
  const double minutes = number(11, 2) * 60 + number(14, 2);
  const double clock_ms =
      static_cast<double>(days_from_civil(number(0, 4), month, number(8, 2))) * day_ms +
      minutes * 60'000 + (value.size() == 16 ? 0 : number(17, 2) * 1000);
  // No offset is the difference of an hour, a minute or a second.
  const double length = mention.end_ms - clock_ms;
  return clock_ms != mention.start_ms && length != 3'600'000 && length != 60'000 && length != 1000;
}

}  // namespace

void find_offsets(std::u16string_view text, std::span<Mention> mentions, const Timex* timexes) {
  for (Mention& mention : mentions) {
    const std::span<const Timex> own(timexes, mention.timexes);
    timexes += mention.timexes;
    mention.has_offset = std::any_of(own.begin(), own.end(), [&](const Timex& timex) {
      return timex.type == TimexType::time && !std::isnan(mention.start_ms) &&
             (names_utc(text.substr(timex.start, timex.end - timex.start)) ||
              is_shifted(timex.value, mention));
    });
  }
}

}  // namespace asof::timetag
