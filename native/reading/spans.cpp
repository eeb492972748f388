// Candidate spans by form. Each form is found by one scan of the sentence.
#include "reading/spans.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace asof::reading {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

TextSpan span(std::size_t start, std::size_t end, Form form) {
  return {{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)}, form};
}

/// The sentence with stretches of it as line ends, which no span crosses: offsets stay.
struct Blanked {
  std::u16string units;
  std::vector<std::uint8_t> kinds;

  Blanked(const Text& text, std::span<const Span> stretches)
      : units(text.units), kinds(text.kinds, text.kinds + text.size()) {
    for (const Span& each : stretches)
      for (std::size_t at = each.start; at < std::min<std::size_t>(each.end, units.size()); ++at) {
        units[at] = u'\n';
        kinds[at] = blank;
      }
  }
  Text text() const { return {units, kinds.data()}; }
};

std::size_t end_of_run(const Text& text, std::size_t at, Kind kind) {
  while (text.is(at, kind)) ++at;
  return at;
}

/// Of at most `most` digits; `none` where there are none or more.
std::size_t end_of_digits(const Text& text, std::size_t at, std::size_t most) {
  const std::size_t end = end_of_run(text, at, digit);
  return end > at && end - at <= most ? end : none;
}

/// The place behind a character.
std::size_t behind(const Text& text, std::size_t at) {
  const bool is_pair = (text.units[at] & 0xfc00) == 0xd800 && at + 1 < text.size() &&
                       (text.units[at + 1] & 0xfc00) == 0xdc00;
  return at + (is_pair ? 2 : 1);
}

/// The end of words that are read without regard to ASCII's case, or as they are; `none` where
/// others stand there.
std::size_t end_of(const Text& text, std::size_t at, std::u16string_view words, bool folds) {
  if (at + words.size() > text.size()) return none;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char16_t unit = text.units[at + i];
    if ((folds ? ascii_lower(unit) : unit) != words[i]) return none;
  }
  return at + words.size();
}

// Runs of content words, and what joins them.

/// Words with apostrophes, dots and hyphens inside.
std::vector<Span> content_words(const Text& text) {
  std::vector<Span> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!text.is(at, alphanumeric)) {
      ++at;
      continue;
    }
    std::size_t end = at;
    for (std::size_t i = at; text.is(i, alphanumeric | mark) || text.is_one_of(i, u"'’.-"); ++i)
      if (text.is(i, alphanumeric)) end = i + 1;
    words.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    at = end;
  }
  return words;
}

/// Whether a preposition or "and", and no more than an article or a possessive, stands between.
bool joins_chunks(std::u16string_view between) {
  constexpr std::array<std::u16string_view, 10> prepositions = {
      u"of", u"for", u"at", u"in", u"on", u"to", u"by", u"with", u"from", u"and"};
  constexpr std::array<std::u16string_view, 7> articles = {u"the", u"a",   u"an",   u"his",
                                                           u"her", u"its", u"their"};
  if (between.size() < 4 || between.front() != u' ' || between.back() != u' ') return false;
  const std::u16string_view words = between.substr(1, between.size() - 2);
  const std::size_t space = words.find(u' ');
  const auto is_among = [](const auto& list, std::u16string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (!is_among(prepositions, words.substr(0, space))) return false;
  return space == std::u16string_view::npos || is_among(articles, words.substr(space + 1));
}

constexpr std::ptrdiff_t longest_run = 12;

/// Runs of content words, and two or three of them with what joins them.
void add_runs(const Text& text, std::vector<TextSpan>& found) {
  std::vector<Span> chunks;
  for (const Span& word : content_words(text)) {
    if (is_functional(text.words(word.start, word.end))) continue;
    if (!chunks.empty() && word.start == chunks.back().end + 1 && text.is(chunks.back().end, u' '))
      chunks.back().end = word.end;
    else
      chunks.push_back(word);
  }
  const auto add = [&](std::size_t start, std::size_t end, Form form) {
    const std::u16string_view words = text.words(start, end);
    if (std::count(words.begin(), words.end(), u' ') < longest_run)
      found.push_back(span(start, end, form));
  };
  for (const Span& chunk : chunks) add(chunk.start, chunk.end, Form::chunk);
  for (std::size_t at = 0; at < chunks.size(); ++at)
    for (std::size_t to = at + 1; to < std::min(chunks.size(), at + 3); ++to) {
      if (!joins_chunks(text.words(chunks[to - 1].end, chunks[to].start))) break;
      add(chunks[at].start, chunks[to].end, Form::phrase);
    }
}

// Words with signs or capitals inside, as prose does not write them.

/// Whether a sign or a capital as in code begins at a place: "_", "::", "a.b", "aB".
bool has_code_sign(const Text& text, std::size_t at) {
  if (text.is_one_of(at, u"_$()") || text.starts(at, u"::") || text.starts(at, u"->")) return true;
  if (!text.is(at, letter)) return false;
  const std::size_t next = behind(text, at);
  return (text.is_one_of(next, u".:/") && text.is(next + 1, letter)) ||
         (text.is(at, small) && text.is(next, capital));
}

bool in_identifier(const Text& text, std::size_t at) {
  return text.is(at, alphanumeric) || text.is_one_of(at, u"_$");
}

std::size_t end_of_identifier(const Text& text, std::size_t at, int most) {
  for (; most > 0 && in_identifier(text, at); --most) at = behind(text, at);
  return at;
}

void add_code(const Text& text, std::vector<TextSpan>& found) {
  constexpr std::size_t reach = 60;
  const std::size_t size = text.size();
  // Of each place the next sign of code before a blank or a digit.
  std::vector<std::size_t> signs(size + 1, none);
  for (std::size_t at = size; at-- > 0;)
    signs[at] = has_code_sign(text, at) ? at : text.is(at, blank | digit) ? none : signs[at + 1];
  for (std::size_t at = 0; at < size;) {
    const bool is_inside =
        at > 0 && (text.is(at - 1, alphanumeric) || text.is_one_of(at - 1, u"_/.-"));
    std::size_t start = at;
    while (start < at + 2 && text.is(start, u'-')) ++start;
    const bool is_code = (signs[at] != none && signs[at] - at <= reach + (start - at)) ||
                         (at == 0 && text.is(at, u'-'));
    if (is_inside || !is_code || !(text.is(start, letter) || text.is_one_of(start, u"_$"))) {
      ++at;
      continue;
    }
    std::size_t end = end_of_identifier(text, start, 41);
    for (int parts = 0; parts < 6; ++parts) {
      const std::size_t sign = text.starts(end, u"::") || text.starts(end, u"->") ? 2
                               : text.is_one_of(end, u".:/-")                     ? 1
                                                                                  : 0;
      if (sign == 0 || !in_identifier(text, end + sign)) break;
      end = end_of_identifier(text, end + sign, 40);
    }
    if (text.starts(end, u"()")) end += 2;
    found.push_back(span(at, end, Form::code));
    at = end;
  }
}

void add_quoted(const Text& text, std::vector<TextSpan>& found) {
  constexpr int shortest = 2, longest = 80;
  for (std::size_t at = 1; at < text.size();) {
    if (!text.is_one_of(at - 1, u"\"“`")) {
      ++at;
      continue;
    }
    std::size_t end = at;
    int length = 0;
    for (; length < longest && end < text.size() && !text.is_one_of(end, u"\"“”`\n"); ++length)
      end = behind(text, end);
    if (length < shortest || !text.is_one_of(end, u"\"”`")) {
      ++at;
      continue;
    }
    found.push_back(span(at, end, Form::quoted));
    at = end;
  }
}

// Names.

/// Whether an apostrophe and a word "s" stand at a place.
bool is_possessive(const Text& text, std::size_t at) {
  return text.is(at + 1, u's') && !is_word_unit(text.units, at + 2);
}

/// The end of a word with a capital first, or of the number behind one ("Windows 10"); `none`
/// where neither begins. `has_capital`: whether the letters that end at a place have a capital.
std::size_t end_of_capitalised(const Text& text, std::size_t at,
                               const std::vector<bool>& has_capital) {
  if (text.is(at, capital)) {
    ++at;
    while (text.is(at, alphanumeric | mark) || text.is_one_of(at, u"&/+#-") ||
           (text.is_one_of(at, u"'’") && !is_possessive(text, at)))
      ++at;
    return at;
  }
  if (!text.is(at, number) || at < 2 || !text.is(at - 1, u' ') || !has_capital[at - 2]) return none;
  const std::size_t first = behind(text, at);
  std::size_t end = first;
  while (text.is(end, alphanumeric) || text.is(end, u'.')) ++end;
  const auto goes_on = [&](std::size_t place) {
    return text.is(place, number) || text.is_one_of(place, u"–-");
  };
  while (end > first && goes_on(end)) --end;
  return goes_on(end) ? none : end;
}

std::vector<Span> capitalised_words(const Text& text) {
  std::vector<bool> has_capital(text.size());
  for (std::size_t at = 0; at < text.size(); ++at)
    has_capital[at] =
        text.is(at, letter) && (text.is(at, capital) || (at > 0 && has_capital[at - 1]));
  std::vector<Span> words;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_inside = at > 0 && (text.is(at - 1, alphanumeric) || text.is(at - 1, u'_'));
    const std::size_t end = is_inside ? none : end_of_capitalised(text, at, has_capital);
    if (end == none) {
      ++at;
      continue;
    }
    words.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    at = end;
  }
  return words;
}

/// Whether the stop at a place belongs to the word before it, rather than to a sentence.
bool is_abbreviated(const Text& text, std::size_t end) {
  constexpr std::array<std::u16string_view, 9> titles = {u"Mr", u"Dr", u"St",  u"Mrs", u"Jr",
                                                         u"Sr", u"Lt", u"Col", u"Gen"};
  const auto begins = [&](std::size_t start) {
    return is_word_unit(text.units, start) != (start > 0 && is_word_unit(text.units[start - 1]));
  };
  const auto ends_with = [&](std::u16string_view title) {
    return text.units.substr(0, end).ends_with(title) && begins(end - title.size());
  };
  if (end > 0 && text.is(end - 1, capital)) {
    const bool is_pair =
        end > 1 && behind(text, end - 2) == end && (text.units[end - 1] & 0xfc00) == 0xdc00;
    if (begins(end - (is_pair ? 2 : 1))) return true;
  }
  return std::any_of(titles.begin(), titles.end(), ends_with) || ends_with(u"Capt");
}

/// What may stand between the words of a name: particles, "of" too, and more small words too.
constexpr int joints = 3;

/// The first of `joints` that a word is of; `joints` of others.
int joint_of(std::u16string_view word) {
  constexpr std::array<std::u16string_view, 18> particles = {
      u"de",  u"da",  u"do", u"dos", u"di", u"del", u"della", u"van", u"von",
      u"der", u"den", u"la", u"le",  u"el", u"al",  u"bin",   u"y",   u"du"};
  constexpr std::array<std::u16string_view, 8> small_words = {u"and", u"the", u"for", u"in",
                                                              u"on",  u"at",  u"a",   u"&"};
  if (std::find(particles.begin(), particles.end(), word) != particles.end() || word == u"des")
    return 0;
  if (word == u"of") return 1;
  return std::find(small_words.begin(), small_words.end(), word) != small_words.end() ? 2 : joints;
}

/// The first of `joints` that joins two words; `joints` where none does.
int joint_of(const Text& text, std::size_t end, std::size_t start) {
  std::u16string_view between = text.words(end, start);
  if (between == u" ") return 0;
  if (between.starts_with(u'.')) {
    if (!is_abbreviated(text, end)) return joints;
    between.remove_prefix(1);
  }
  if (!between.starts_with(u' ')) return joints;
  between.remove_prefix(1);
  int joint = 0;
  for (int words = 0; words < 2 && !between.empty(); ++words) {
    const std::size_t space = between.find(u' ');
    if (space == std::u16string_view::npos) return joints;
    joint = std::max(joint, joint_of(between.substr(0, space)));
    between.remove_prefix(space + 1);
  }
  return between.empty() ? joint : joints;
}

/// A run of capitalised words as a name: "The" or "In" that opens a sentence is no part of it.
void add_name(const Text& text, std::size_t start, std::size_t end, std::vector<TextSpan>& found) {
  const std::size_t lead = end_of_run(text.part(0, end), start, letter);
  if (lead < end && text.is(lead, blank) && is_functional(text.words(start, lead)))
    start = lead + 1;
  while (end > start && text.is_one_of(end - 1, u"'’&/+-")) --end;
  if (end > start && !is_functional(text.words(start, end)))
    found.push_back(span(start, end, Form::name));
}

/// Runs of capitalised words with the particles of names, with "of", and with more small words.
void add_names(const Text& text, std::vector<TextSpan>& found) {
  const std::vector<Span> words = capitalised_words(text);
  std::vector<int> joined(words.size());
  for (std::size_t at = 1; at < words.size(); ++at)
    joined[at] = joint_of(text, words[at - 1].end, words[at].start);
  for (int most = 0; most < joints; ++most)
    for (std::size_t from = 0, to = 1; from < words.size(); from = to, ++to) {
      while (to < words.size() && joined[to] <= most) ++to;
      add_name(text, words[from].start, words[to - 1].end, found);
    }
}

// Values.

/// The end with a percent sign or a magnitude behind a number.
std::size_t with_magnitude(const Text& text, std::size_t end, bool folds) {
  const std::size_t at = end + (text.is(end, blank) ? 1 : 0);
  if (text.is(at, u'%')) return at + 1;
  for (const std::u16string_view words :
       {u"per cent", u"percent", u"hundred", u"thousand", u"million", u"billion", u"trillion",
        u"tillion", u"mrillion", u"brillion"}) {
    const std::size_t behind = end_of(text, at, words, folds);
    if (behind != none && !is_word_unit(text.units, behind)) return behind;
  }
  return end;
}

/// The end of a unit or of what a value counts: "per hour", "a day", "°C", "m²"; `none` without.
std::size_t end_of_unit(const Text& text, std::size_t at) {
  if (text.is(at, blank)) ++at;
  const auto end_of_word = [&](std::size_t start) {
    if (text.is(start, u'%')) return start + 1;
    if (!text.is(start, letter)) return none;
    while (text.is(start, letter) || text.is_one_of(start, u"/²³-")) ++start;
    return start;
  };
  if (text.is(at, u'°')) return end_of_word(at + (text.is(at + 1, blank) ? 2 : 1));
  for (const std::u16string_view before : {u"per", u"an", u"a"}) {
    if (!text.starts(at, before) || !text.is(at + before.size(), blank)) continue;
    const std::size_t end = end_of_word(at + before.size() + 1);
    if (end != none) return end;
  }
  return end_of_word(at);
}

std::u16string_view trimmed(const Text& text) {
  std::size_t start = 0, end = text.size();
  while (start < end && text.is(start, blank)) ++start;
  while (end > start && text.is(end - 1, blank)) --end;
  return text.words(start, end);
}

/// The span, and with the words behind it that may be its unit or what it counts.
void add_with_units(const Text& text, const TextSpan& value, std::vector<TextSpan>& found) {
  constexpr std::size_t reach = 60;
  constexpr int most = 3;
  const std::size_t limit = std::min<std::size_t>(text.size(), value.end + reach);
  const Text near = text.part(0, limit);
  std::array<TextSpan, most + 1> spans{value};
  int count = 1;
  for (std::size_t end = value.end; count <= most; ++count) {
    const std::size_t next = end_of_unit(near, end);
    if (next == none || is_functional_as_written(trimmed(text.part(end, next)))) break;
    if (next == limit && limit < text.size()) break;  // may be half a word
    end = next;
    spans[static_cast<std::size_t>(count)] = span(value.start, end, value.form);
  }
  // "449 million" is short of its crowns.
  const std::u16string_view words = text.words(value.start, value.end);
  const bool is_short = count > 1 && (words.ends_with(u"hundred") || words.ends_with(u"thousand") ||
                                      words.ends_with(u"illion"));
  found.insert(found.end(), spans.begin() + (is_short ? 1 : 0), spans.begin() + count);
}

/// Numbers in words: "twenty-one", "seven".
void add_spelled(const Text& text, std::vector<TextSpan>& found) {
  constexpr std::array<std::u16string_view, 9> ones = {u"one", u"two",   u"three", u"four", u"five",
                                                       u"six", u"seven", u"eight", u"nine"};
  constexpr std::array<std::u16string_view, 10> teens = {
      u"ten",     u"eleven",  u"twelve",    u"thirteen", u"fourteen",
      u"fifteen", u"sixteen", u"seventeen", u"eighteen", u"nineteen"};
  constexpr std::array<std::u16string_view, 8> tens = {u"twenty", u"thirty",  u"forty",  u"fifty",
                                                       u"sixty",  u"seventy", u"eighty", u"ninety"};
  const auto end_of_any = [&](const auto& words, std::size_t at) {
    for (const std::u16string_view word : words) {
      const std::size_t end = end_of(text, at, word, true);
      if (end != none && !is_word_unit(text.units, end)) return end;
    }
    return none;
  };
  for (std::size_t at = 0; at < text.size();) {
    const bool begins =
        is_word_unit(text.units[at]) && !(at > 0 && is_word_unit(text.units[at - 1]));
    std::size_t end = none;
    if (begins) {
      end = end_of_any(tens, at);
      if (end != none && text.is_one_of(end, u"- ")) {
        const std::size_t with_ones = end_of_any(ones, end + 1);
        if (with_ones != none) end = with_ones;
      }
      if (end == none) end = end_of_any(teens, at);
      if (end == none) end = end_of_any(ones, at);
    }
    if (end == none) {
      ++at;
      continue;
    }
    end = with_magnitude(text, end, true);
    add_with_units(text, span(at, end, Form::value), found);
    at = end;
  }
}

/// The end of a score as "7-6"; `none` of others.
std::size_t end_of_score(const Text& text, std::size_t at) {
  const std::size_t first = end_of_digits(text, at, 3);
  return first != none && text.is_one_of(first, u"-–") ? end_of_digits(text, first + 1, 3) : none;
}

/// The end of a number in brackets behind a score; its own end without.
std::size_t with_brackets(const Text& text, std::size_t end) {
  if (!text.is(end, u'(')) return end;
  const std::size_t digits = end_of_run(text, end + 1, digit);
  return digits > end + 1 && text.is(digits, u')') ? digits + 1 : end;
}

/// Sets and innings: "7-6(2) 5-7 6-4".
void add_results(const Text& text, std::vector<TextSpan>& found) {
  const auto goes_on = [&](std::size_t at) { return text.is(at, digit) || text.is(at, u'-'); };
  for (std::size_t at = 0; at < text.size();) {
    const bool is_inside = at > 0 && goes_on(at - 1);
    std::size_t score = is_inside ? none : end_of_score(text, at);
    std::size_t end = none;
    while (score != none) {
      std::size_t next = with_brackets(text, score);
      const std::size_t separator = next;
      while (text.is_one_of(next, u", ")) ++next;
      score = next == separator ? none : end_of_score(text, next);
      if (score == none) break;
      const std::size_t whole = with_brackets(text, score);
      if (!goes_on(whole))
        end = whole;
      else if (!goes_on(score))
        end = score;
    }
    if (end == none) {
      ++at;
      continue;
    }
    found.push_back(span(at, end, Form::value));
    at = end;
  }
}

/// The end of a value that begins at a place: what stands between blanks and marks and has a digit,
/// with an operator or a currency before; `none` where none does.
std::size_t end_of_value(const Text& text, std::size_t at) {
  constexpr int reach = 20;
  const std::size_t operators = at;
  while (at < operators + 2 && text.is_one_of(at, u"<>=~^")) ++at;
  if (at > operators && text.is(at, blank)) ++at;
  std::size_t sign = at;
  for (int letters = 0; letters < 3 && text.is(sign, letter); ++letters) sign = behind(text, sign);
  if (text.is(sign, currency)) {
    at = behind(text, sign);
    if (text.is(at, blank)) ++at;
  }
  std::size_t last = none;
  for (int length = 0; length <= reach; ++length) {
    if (text.is(at, digit)) last = at;
    if (!text.is(at, alphanumeric) && !text.is_one_of(at, u"_+−-")) break;
    at = behind(text, at);
  }
  if (last == none) return none;
  std::size_t end = last + 1;
  while (text.is(end, alphanumeric) || text.is_one_of(end, u"_+~%°−–/()-") ||
         (text.is_one_of(end, u".,:") && text.is(end + 1, alphanumeric)))
    ++end;
  while (text.is_one_of(end - 1, u"(/–-")) --end;
  return with_magnitude(text, end, false);
}

void add_values(const Text& text, std::vector<TextSpan>& found) {
  for (std::size_t at = 0; at < text.size();) {
    const bool is_inside = at > 0 && (text.is(at - 1, alphanumeric) || text.is(at - 1, u'_'));
    const std::size_t end = is_inside ? none : end_of_value(text, at);
    if (end == none) {
      ++at;
      continue;
    }
    TextSpan value = span(at, end, Form::value);
    // Without a bracket that closes one before the span.
    const std::u16string_view words = text.words(at, end);
    if (words.ends_with(u')') && words.find(u'(') == std::u16string_view::npos) --value.end;
    add_with_units(text, value, found);
    at = end;
  }
}

/// What says when only to who reads it on the day.
bool is_present(std::u16string_view words) {
  constexpr std::array<std::u16string_view, 6> present = {u"now",        u"currently", u"presently",
                                                          u"at present", u"nowadays",  u"today"};
  return std::any_of(present.begin(), present.end(), [&](std::u16string_view each) {
    return std::equal(words.begin(), words.end(), each.begin(), each.end(),
                      [](char16_t one, char16_t other) { return ascii_lower(one) == other; });
  });
}

}  // namespace

void spans_of(const Text& sentence, std::span<const Span> times, std::vector<TextSpan>& found) {
  found.clear();
  std::vector<Span> dates;
  for (const Span& each : times)
    if (!is_present(sentence.words(each.start, each.end))) dates.push_back(each);
  const Blanked blanked(sentence, dates);
  const Text undated = blanked.text();
  add_runs(undated, found);
  add_code(undated, found);
  add_quoted(sentence, found);
  add_names(undated, found);
  add_spelled(undated, found);
  add_results(undated, found);
  add_values(undated, found);
  for (const Span& each : dates) found.push_back(span(each.start, each.end, Form::date));
  // Of equal spans the form that was found last.
  std::stable_sort(found.begin(), found.end(), [](const TextSpan& one, const TextSpan& other) {
    return one.start != other.start ? one.start < other.start : one.end < other.end;
  });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < found.size(); ++at) {
    const bool repeats = kept > 0 && found[kept - 1].start == found[at].start &&
                         found[kept - 1].end == found[at].end;
    found[repeats ? kept - 1 : kept++] = found[at];
  }
  found.resize(kept);
}

}  // namespace asof::reading
