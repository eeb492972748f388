// Counts in digits and in words: "1,460", "2.5", "2 1/2", "twenty-five", "one hundred and ten",
// "two and a half", "a few". Reads how many; of what, and whether a number is a year, is for others
// to say.
#include <cmath>
#include <cstdio>

#include "timetag/readers/readers.hpp"

namespace asof::timetag {
namespace {

bool scale(const Scene& scene, std::size_t i) {
  return scene.is(i, Class::thing) && scene.value(i) != static_cast<int>(Scale::none);
}

double factor(const Scene& scene, std::size_t i) {
  constexpr double factors[] = {1, 12, 100, 1e3, 1e6, 1e9};
  return factors[scene.value(i)];
}

bool ends_in_s(const Scene& scene, std::size_t i) {
  return (scene.word(i).back() | 32) == u's';
}

// "1,460", "2.5", "2 1/2", "2½".
bool read_digits(const Scene& scene, std::size_t i, double& value, std::size_t& next) {
  const Token& token = scene.at(i);
  if (token.kind != Kind::number || token.digits > 9) return false;
  if (scene.glued(i)) {
    const Token& before = scene.at(i - 1);
    const bool joined = before.kind == Kind::dot || before.kind == Kind::currency ||
                        before.kind == Kind::colon || before.kind == Kind::word ||
                        before.kind == Kind::slash ||
                        (before.kind == Kind::comma && scene.is(i - 2, Kind::number)) ||
                        (scene.dash(i - 1) && scene.glued(i - 1) && !scene.is(i - 2, Kind::number));
    if (joined) return false;
  } else if (scene.is(i - 1, Kind::currency)) {
    return false;
  }
  value = token.number;
  next = i + 1;
  while (scene.is(next, Kind::comma) && scene.glued(next) && scene.is(next + 1, Kind::number) &&
         scene.glued(next + 1) && scene.at(next + 1).digits == 3 && value < 1e9) {
    value = value * 1000 + scene.at(next + 1).number;
    next += 2;
  }
  if (scene.is(next, Kind::dot) && scene.glued(next) && scene.is(next + 1, Kind::number) &&
      scene.glued(next + 1) && scene.at(next + 1).digits <= 6) {
    value += scene.at(next + 1).number / std::pow(10.0, scene.at(next + 1).digits);
    next += 2;
  } else if (scene.is(next, Kind::symbol) && scene.word(next) == u"½") {
    value += 0.5;
    ++next;
  } else if (scene.is(next, Kind::number) && scene.is(next + 1, Kind::slash) &&
             scene.is(next + 2, Kind::number) && scene.glued(next + 2) &&
             scene.at(next).number == 1 && scene.at(next + 2).number > 1 &&
             scene.at(next + 2).number <= 4) {
    value += 1.0 / scene.at(next + 2).number;
    next += 3;
  }
  return !(
      scene.is(next, Kind::percent) ||
      (scene.glued(next) &&
       (scene.is(next, Kind::colon) || scene.is(next, Kind::slash) || scene.is(next, Kind::dot)) &&
       scene.is(next + 1, Kind::number)));
}

std::size_t after_hyphen(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::hyphen) && scene.glued(i) && scene.glued(i + 1) ? i + 1 : i;
}

// "twenty-five", "hundred and ten", "three thousand two hundred". At most a dozen words.
bool read_words(const Scene& scene, std::size_t i, double& value, std::size_t& next) {
  double total = 0, group = 0;
  std::size_t j = i;
  for (int words = 0; words < 12; ++words) {
    const std::size_t at = words == 0 ? j : after_hyphen(scene, j);
    if (scene.is(at, Class::cardinal)) {
      const int number = scene.value(at);
      const int open = static_cast<int>(std::fmod(group, 100));
      if (words > 0 && !(open == 0 || (open >= 20 && open % 10 == 0 && number < 10)))
        break;  // "one two"
      group += number;
    } else if (scale(scene, at) && !ends_in_s(scene, at)) {
      const double by = factor(scene, at);
      if (group == 0) group = 1;
      group *= by;
      if (by >= 1000) {
        total += group;
        group = 0;
      }
    } else if (scene.is(at, Function::and_) && words > 0 && (total > 0 || group >= 100) &&
               scene.is(at + 1, Class::cardinal)) {
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
void read_half(const Scene& scene, Count& count) {
  std::size_t j = after_hyphen(scene, count.last);
  if (!scene.is(j, Function::and_)) return;
  j = after_hyphen(scene, j + 1);
  if (scene.is(j, Function::a)) j = after_hyphen(scene, j + 1);
  if (!scene.is(j, Unit::half)) return;
  count.value += 0.5;
  count.last = j + 1;
}

}  // namespace

bool read_count(const Scene& scene, std::size_t i, Count& count) {
  count = Count();
  std::size_t j = i;
  const bool article = scene.is(j, Function::a) || scene.is(j, Function::the);
  if (scene.is(j, Function::a)) {
    ++j;
    const bool great = scene.is(j + 1, Class::vague) && scene.is(j, Class::unknown) &&
                       (scene.word(j) == u"good" || scene.word(j) == u"great");
    if (great) ++j;  // "a great many"
    if (!scene.is(j, Class::vague) && !scale(scene, j)) {
      count.value = 1;
      count.article = true;
      count.last = j;
      return true;
    }
  }
  if (scene.is(j, Class::vague) || (scene.is(j, Function::some) && !article)) {
    count.vague = true;
    count.last = j + 1;
    Count exact;
    const bool number = scene.is(j + 1, Kind::number) || scene.is(j + 1, Class::cardinal);
    if (scene.is(j, Function::some) && number &&
        read_count(scene, j + 1, exact)) {  // "some 19 days"
      count = exact;
      return true;
    }
    if (scale(scene, count.last)) ++count.last;            // "several hundred years"
    if (scene.is(count.last, Function::of)) ++count.last;  // "a couple of days"
    return true;
  }
  if (scale(scene, j) && ends_in_s(scene, j)) {  // "hundreds of years"
    count.vague = true;
    count.last = scene.is(j + 1, Function::of) ? j + 2 : j + 1;
    return count.last == j + 2;
  }
  if (!read_digits(scene, j, count.value, count.last) &&
      !read_words(scene, j, count.value, count.last))
    return false;
  if (scene.is(j, Kind::number) && scale(scene, count.last) && !ends_in_s(scene, count.last))
    count.value *= factor(scene, count.last++);
  read_half(scene, count);
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
