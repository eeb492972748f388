// Features in the order in which they are summed.
#include "reading/features.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace asof::reading {
namespace {

/// What a span stands behind: a mark or small word by itself, others by what they are.
constexpr std::array<std::u16string_view, 28> leads = {
    u"by", u"in",  u"at",   u"to",    u"of",    u"for",     u"from", u"with", u"as", u"was",
    u"is", u"the", u"a",    u",",     u".",     u":",       u"(",    u")",    u"=",  u"\"",
    u"“",  u"`",   u"edge", u"digit", u"other", u"capital", u"word", u"mark"};
enum Lead : std::uint16_t { edge = 22, digits, other, capitalised, word, sign };
constexpr std::array<std::u16string_view, 7> forms = {u"date", u"value", u"name",  u"quoted",
                                                      u"code", u"chunk", u"phrase"};
constexpr std::array<std::u16string_view, 3> lengths = {u"1", u"2", u"long"};
/// Of values.
enum Shape : std::uint16_t {
  currencies,
  percent,
  score,
  version,
  integer,
  decimal,
  unit,
  mixed,
  spelled
};
constexpr std::array<std::u16string_view, 9> shapes = {u"currency", u"percent", u"score",
                                                       u"version",  u"integer", u"decimal",
                                                       u"unit",     u"mixed",   u"spelled"};

/// Numbers of features; those of a list follow the first of it.
enum Number : std::uint16_t {
  rank,
  with_title,
  is_title,
  before,
  fresh = before + leads.size(),
  repeats,
  length,
  form,
  shape = form + forms.size() * lengths.size(),
  near = shape + shapes.size(),
  clause,
  side,
  asked_before,
  asked_behind,
  constancy,
  slot,
  undated,
  inside,
  holds,
  outside,
  near_in_time,
  apart,
  published
};

/// Characters from which on a word of the question counts half as near.
constexpr double half_near = 24;
/// UTF-16 units beside a span that are looked at.
constexpr std::size_t lead_reach = 30, word_reach = 40;

void add(std::vector<Feature>& features, std::size_t number, double value) {
  if (value != 0) features.push_back({static_cast<std::uint16_t>(number), value});
}

bool has_feature(std::span<const Feature> features, Number number) {
  return std::any_of(features.begin(), features.end(),
                     [&](const Feature& each) { return each.number == number && each.value == 1; });
}

std::uint16_t lead_of(const Text& text, std::size_t start) {
  const std::size_t least = start - std::min(start, lead_reach);
  std::size_t end = start;
  if (end > least && text.is(end - 1, blank)) --end;
  if (end == least || text.is(end - 1, blank)) return edge;
  if (text.is(end - 1, number)) return digits;
  const auto in_word = [&](std::size_t at) {
    return text.is(at, letter | mark) || text.is_one_of(at, u"'’");
  };
  std::size_t first = end - 1;
  while (in_word(end - 1) && first > least && in_word(first - 1)) --first;
  const std::u16string_view words = text.words(first, end);
  for (std::uint16_t lead = 0; lead < edge; ++lead)
    if (std::equal(words.begin(), words.end(), leads[lead].begin(), leads[lead].end(),
                   [](char16_t one, char16_t same) { return ascii_lower(one) == same; }))
      return lead;
  if (is_functional(words)) return other;
  return text.is(first, capital) ? capitalised : text.is(first, letter) ? word : sign;
}

/// The end of digits with marks in between that begin at a place.
std::size_t end_of_digits(const Text& text, std::size_t at) {
  while (text.is(at, digit)) ++at;
  return at;
}

bool is_score(const Text& text) {
  const std::size_t first = end_of_digits(text, 0);
  if (first == 0 || first > 3 || !text.is_one_of(first, u"-–")) return false;
  const std::size_t second = end_of_digits(text, first + 1) - first - 1;
  return second > 0 && second <= 3;
}

/// Digits with signs in between, an operator or a "v" before them.
bool is_version(const Text& text) {
  if (text.is_one_of(0, u"<>=~^") || (text.is(0, u'v') && text.is(1, digit))) return true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!text.is(at, digit)) continue;
    const std::size_t next = at + 1;
    if (text.is(next, u':') && text.is(next + 1, digit)) return true;
    if (text.is_one_of(next, u"-~+")) {
      const std::size_t behind = next + 1 + (text.is(next + 1, letter) ? 1 : 0);
      if (text.is(next + 1, digit) || text.is(behind, digit)) return true;
    }
    if (text.is_one_of(next, u"._")) {
      const std::size_t end = end_of_digits(text, next + 1);
      if (end > next + 1 && text.is_one_of(end, u"._-")) return true;
    }
  }
  return false;
}

bool is_integer(const Text& text) {
  const std::size_t end = end_of_digits(text, 0);
  if (end > 0 && end == text.size()) return true;
  return end > 0 && end <= 3 && text.is(end, u',') && text.is(end + 1, digit) &&
         text.is(end + 2, digit) && text.is(end + 3, digit);
}

bool is_decimal(const Text& text) {
  const std::size_t whole = end_of_digits(text, 0);
  if (whole == 0 || !text.is(whole, u'.')) return false;
  const std::size_t end = end_of_digits(text, whole + 1);
  return end > whole + 1 && end == text.size();
}

/// Whether a number and a blank come first.
bool has_unit(const Text& text) {
  std::size_t at = 0;
  while (text.is(at, digit) || text.is_one_of(at, u".,")) ++at;
  return at > 0 && text.is(at, blank);
}

Shape shape_of(const Text& text) {
  if (text.has(currency)) return currencies;
  for (const std::u16string_view words : {u"%", u"percent", u"per cent"})
    if (text.units.find(words) != std::u16string_view::npos) return percent;
  if (is_score(text)) return score;
  if (is_version(text)) return version;
  if (is_integer(text)) return integer;
  if (is_decimal(text)) return decimal;
  return has_unit(text) ? unit : text.has(digit) ? mixed : spelled;
}

/// The form and the length of a span, and how much of it the question has not said.
void add_words(const Text& text, Form of, QuestionWords& words, std::vector<Feature>& features) {
  const auto [stems, repeated] = words.count(text.units);
  std::size_t count = 1;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text.is(at, blank) && !(at > 0 && text.is(at - 1, blank))) ++count;
  add(features, fresh,
      stems == 0 ? 1 : 1 - static_cast<double>(repeated) / static_cast<double>(stems));
  add(features, repeats, stems > 0 && repeated == stems ? 1 : 0);
  add(features, length, static_cast<double>(std::min<std::size_t>(8, count)) / 8);
  add(features, form + 3 * static_cast<std::size_t>(of) + std::min<std::size_t>(count, 3) - 1, 1);
  if (of == Form::value) add(features, shape + std::size_t{shape_of(text)}, 1);
}

/// The question's words around a span: by distance, in its clause, and before it.
void add_said(const Surroundings& around, const Span& span, std::vector<Feature>& features) {
  const std::vector<double>& shares = around.shares;
  const Span own = around.breaks.clause(span, around.sentence);
  std::vector<double> weights(shares.size());
  std::vector<bool> in_clause(shares.size());
  std::vector<std::uint32_t> order, order_in_clause;
  double ahead = 0, all = 0;
  for (const SaidWord& each : around.sentence.said) {
    if (each.end > span.start && each.start < span.end) continue;
    const bool is_ahead = each.end <= span.start;
    const double gap = is_ahead ? span.start - each.end : each.start - span.end;
    if (weights[each.place] == 0) order.push_back(each.place);
    weights[each.place] = std::max(weights[each.place], 1 / (1 + gap / half_near));
    all += shares[each.place];
    if (is_ahead) ahead += shares[each.place];
    if (each.start < own.start || each.end > own.end || in_clause[each.place]) continue;
    in_clause[each.place] = true;
    order_in_clause.push_back(each.place);
  }
  double nearness = 0, share = 0;
  for (const std::uint32_t place : order) nearness += weights[place] * shares[place];
  for (const std::uint32_t place : order_in_clause) share += shares[place];
  add(features, near, nearness);
  add(features, clause, share);
  add(features, side, all > 0 ? ahead / all : 0.5);
}

/// Whether the content word that comes first is of the question, from the end on where it is
/// `backward`.
bool is_asked(const Text& text, bool backward, QuestionWords& words) {
  std::size_t start = 0, end = text.size();
  while (start < end) {
    if (!text.is(backward ? end - 1 : start, alphanumeric)) {
      backward ? --end : ++start;
      continue;
    }
    std::size_t first = start, last = end;
    if (backward) {
      first = end;
      while (first > start && text.is(first - 1, alphanumeric)) --first;
      end = first;
    } else {
      last = start;
      while (last < end && text.is(last, alphanumeric)) ++last;
      start = last;
    }
    const std::u16string_view found = text.words(first, last);
    if (!is_functional(found)) return words.count(found).repeated > 0;
  }
  return false;
}

/// Whether the next content words before and behind a span are of the question.
void add_besides(const Text& text, const Span& span, QuestionWords& words,
                 std::vector<Feature>& features) {
  const auto is_mark = [&](std::size_t at) { return text.is_one_of(at, u",;:.()"); };
  const std::size_t least = span.start - std::min<std::size_t>(span.start, word_reach);
  const std::size_t most = std::min(text.size(), span.end + word_reach);
  std::size_t start = span.start, end = span.end;
  while (start > least && !is_mark(start - 1)) --start;
  while (end < most && !is_mark(end)) ++end;
  add(features, asked_before, is_asked(text.part(start, span.start), true, words) ? 1 : 0);
  add(features, asked_behind, is_asked(text.part(span.end, end), false, words) ? 1 : 0);
}

}  // namespace

std::vector<std::u16string> feature_names() {
  using namespace std::literals;
  std::vector<std::u16string> names = {u"rank", u"withTitle", u"isTitle"};
  for (const auto lead : leads) names.push_back(u"before "s += lead);
  for (const auto* const name : {u"fresh", u"repeats", u"length"}) names.emplace_back(name);
  for (const auto each : forms)
    for (const auto words : lengths) names.push_back((std::u16string(each) += u' ') += words);
  for (const auto each : shapes) names.push_back(u"shape "s += each);
  for (const auto* const name :
       {u"near", u"clause", u"side", u"asked before", u"asked behind", u"constancy", u"slot",
        u"undated", u"inside", u"holds", u"outside", u"nearInTime", u"apart", u"published"})
    names.emplace_back(name);
  return names;
}

void add_features(const Surroundings& around, const TextSpan& span, QuestionWords& words,
                  std::vector<Feature>& features) {
  add(features, rank, 1 / (1 + static_cast<double>(around.rank)));
  add(features, with_title, around.with_title);
  add(features, is_title, around.sentence.is_title ? 1 : 0);
  add(features, before + lead_of(around.text, span.start), 1);
  add_words(around.text.part(span.start, span.end), span.form, words, features);
  const std::uint32_t offset = around.sentence.start;
  add_said(around, {span.start + offset, span.end + offset}, features);
  add_besides(around.text, span, words, features);
}

void add_features(const Variability& variability, std::vector<Feature>& features) {
  add(features, constancy, variability.constancy);
  add(features, slot, variability.slot);
}

void add_features(const std::optional<SpanDate>& date, const AskedTime& time,
                  std::vector<Feature>& features) {
  const auto [fit, nearness] = fit_of(date, time);
  if (fit != Fit::unasked)
    add(features, undated + static_cast<std::size_t>(fit) - static_cast<std::size_t>(Fit::undated),
        1);
  add(features, near_in_time, nearness);
  if (date) add(features, apart, std::min(4.0, date->apart) / 4);
}

void add_features_of_publication(std::uint32_t at, double with_title_share,
                                 std::vector<Feature>& features) {
  add(features, rank, 1 / (1 + static_cast<double>(at)));
  add(features, with_title, with_title_share);
  add(features, published, 1);
  add(features, fresh, 1);
}

bool is_fresh(std::span<const Feature> features) {
  return has_feature(features, fresh);
}

bool is_outside(std::span<const Feature> features) {
  return has_feature(features, outside);
}

}  // namespace asof::reading
