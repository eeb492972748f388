// Counts in digits and in words: "1,460", "2.5", "2 1/2", "twenty-five", "one hundred and ten",
// "two and a half", "a few". The unit, and whether a number is a year, are other
// rules' decisions.
#include <cmath>
#include <cstdio>

#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

bool scale(const Document& doc, std::size_t i) {
  return doc.is(i, Class::thing) && doc.value(i) != static_cast<int>(Scale::none);
}

double factor(const Document& doc, std::size_t i) {
  constexpr double factors[] = {1, 12, 100, 1e3, 1e6, 1e9};
  return factors[doc.value(i)];
}

bool ends_in_s(const Document& doc, std::size_t i) {
  return (doc.word(i).back() | 32) == u's';
}

// "1,460", "2.5", "2 1/2", "2½".
bool read_digits(const Document& doc, std::size_t i, double& value, std::size_t& next) {
  const Token& token = doc.at(i);
  if (token.kind != Kind::number || token.digits > 9) return false;
  if (doc.glued(i)) {
    const Token& before = doc.at(i - 1);
    const bool range_kind = before.kind == Kind::dot || before.kind == Kind::currency ||
                            before.kind == Kind::colon || before.kind == Kind::word ||
                            before.kind == Kind::slash ||
                            (before.kind == Kind::comma && doc.is(i - 2, Kind::number)) ||
                            (doc.dash(i - 1) && doc.glued(i - 1) && !doc.is(i - 2, Kind::number));
    if (range_kind) return false;
  } else if (doc.is(i - 1, Kind::currency)) {
    return false;
  }
  value = token.number;
  next = i + 1;
  while (doc.is(next, Kind::comma) && doc.glued(next) && doc.is(next + 1, Kind::number) &&
         doc.glued(next + 1) && doc.at(next + 1).digits == 3 && value < 1e9) {
    value = value * 1000 + doc.at(next + 1).number;
    next += 2;
  }
  if (doc.is(next, Kind::dot) && doc.glued(next) && doc.is(next + 1, Kind::number) &&
      doc.glued(next + 1) && doc.at(next + 1).digits <= 6) {
    value += doc.at(next + 1).number / std::pow(10.0, doc.at(next + 1).digits);
    next += 2;
  } else if (doc.is(next, Kind::symbol) && doc.word(next) == u"½") {
    value += 0.5;
    ++next;
  } else if (doc.is(next, Kind::number) && doc.is(next + 1, Kind::slash) &&
             doc.is(next + 2, Kind::number) && doc.glued(next + 2) && doc.at(next).number == 1 &&
             doc.at(next + 2).number > 1 && doc.at(next + 2).number <= 4) {
    value += 1.0 / doc.at(next + 2).number;
    next += 3;
  }
  return !(doc.is(next, Kind::percent) ||
           (doc.glued(next) &&
            (doc.is(next, Kind::colon) || doc.is(next, Kind::slash) || doc.is(next, Kind::dot)) &&
            doc.is(next + 1, Kind::number)));
}

std::size_t after_hyphen(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::hyphen) && doc.glued(i) && doc.glued(i + 1) ? i + 1 : i;
}

// "twenty-five", "hundred and ten", "three thousand two hundred". At most a dozen words.
bool read_words(const Document& doc, std::size_t i, double& value, std::size_t& next) {
  double total = 0, group = 0;
  std::size_t j = i;
  for (int words = 0; words < 12; ++words) {
    const std::size_t at = words == 0 ? j : after_hyphen(doc, j);
    if (doc.is(at, Class::cardinal)) {
      const int number = doc.value(at);
      const int open = static_cast<int>(std::fmod(group, 100));
      if (words > 0 && !(open == 0 || (open >= 20 && open % 10 == 0 && number < 10)))
        break;  // "one two"
      group += number;
    } else if (scale(doc, at) && !ends_in_s(doc, at)) {
      const double by = factor(doc, at);
      if (group == 0) group = 1;
      group *= by;
      if (by >= 1000) {
        total += group;
        group = 0;
      }
    } else if (doc.is(at, Function::and_) && words > 0 && (total > 0 || group >= 100) &&
               doc.is(at + 1, Class::cardinal)) {
      j = at + 1;
      continue;
    } else {
      break;
    }
    j = at + 1;
  }
  if (j == i) return false;
  value = total + group;
  next = j;
  return true;
}

// "two and a half", "two-and-a-half", "two and half"
void read_half(const Document& doc, Count& count) {
  std::size_t j = after_hyphen(doc, count.last);
  if (!doc.is(j, Function::and_)) return;
  j = after_hyphen(doc, j + 1);
  if (doc.is(j, Function::a)) j = after_hyphen(doc, j + 1);
  if (!doc.is(j, Unit::half)) return;
  count.value += 0.5;
  count.last = j + 1;
}

}  // namespace

bool read_count(const Document& doc, std::size_t i, Count& count) {
  count = Count();
  std::size_t j = i;
  const bool article = doc.is(j, Function::a) || doc.is(j, Function::the);
  if (doc.is(j, Function::a)) {
    ++j;
    const bool great = doc.is(j + 1, Class::vague) && doc.is(j, Class::unknown) &&
                       (doc.word(j) == u"good" || doc.word(j) == u"great");
    if (great) ++j;  // "a great many"
    if (!doc.is(j, Class::vague) && !scale(doc, j)) {
      count.value = 1;
      count.article = true;
      count.last = j;
      return true;
    }
  }
  if (doc.is(j, Class::vague) || (doc.is(j, Function::some) && !article)) {
    count.vague = true;
    count.last = j + 1;
    Count exact;
    const bool number = doc.is(j + 1, Kind::number) || doc.is(j + 1, Class::cardinal);
    if (doc.is(j, Function::some) && number && read_count(doc, j + 1, exact)) {  // "some 19 days"
      count = exact;
      return true;
    }
    if (scale(doc, count.last)) ++count.last;            // "several hundred years"
    if (doc.is(count.last, Function::of)) ++count.last;  // "a couple of days"
    return true;
  }
  if (scale(doc, j) && ends_in_s(doc, j)) {  // "hundreds of years"
    count.vague = true;
    count.last = doc.is(j + 1, Function::of) ? j + 2 : j + 1;
    return count.last == j + 2;
  }
  if (!read_digits(doc, j, count.value, count.last) && !read_words(doc, j, count.value, count.last))
    return false;
  if (doc.is(j, Kind::number) && scale(doc, count.last) && !ends_in_s(doc, count.last))
    count.value *= factor(doc, count.last++);
  read_half(doc, count);
  return count.value > 0 && count.value <= 1e12;
}

std::string count_text(const Count& count) {
  if (count.vague) return "X";
  char buffer[32];
  if (count.value == std::floor(count.value))
    std::snprintf(buffer, sizeof buffer, "%.0f", count.value);
  else
    std::snprintf(buffer, sizeof buffer, "%.6g", count.value);
  return buffer;
}

}  // namespace asof::timetag
