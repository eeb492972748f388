// What lengths of time and the dates counted by them share: the units and their TIMEX3 letters, the
// words before a count that belong to it ("more than", "just under"), and the ways of English to
// count ("a fortnight", "a year and a half", "two years back", "over the next year"). Reads no
// expression by itself.
#include "timetag/readers/readers.hpp"

namespace asof::timetag {
namespace {

bool word_is(const Scene& scene, std::size_t i, std::initializer_list<std::u16string_view> words) {
  if (!scene.is(i, Kind::word)) return false;
  const std::u16string_view word = scene.word(i);
  for (std::u16string_view each : words) {
    if (word == each) return true;
  }
  return false;
}

}  // namespace

bool and_a_half(const Scene& scene, std::size_t i, const Count& count, std::size_t& next) {
  if (!count.article || !scene.is(i + 1, Function::and_) || !scene.is(i + 2, Function::a) ||
      !scene.is(i + 3, Unit::half))
    return false;
  next = i + 4;
  return true;
}

bool over_stretch(const Scene& scene, std::size_t i) {
  Unit unit{};
  bool plural = false;
  const bool ahead =
      (scene.is(i, Class::shift) && scene.value(i) == 2) || scene.is(i, Function::following);
  if (!ahead || !scene.is(i - 1, Function::the) || !read_unit(scene, i + 1, false, unit, plural) ||
      plural || scene.is(i + 2, Function::of))
    return false;
  if (unit == Unit::decade || unit == Unit::century) {
    return scene.is_any(i - 2, {Function::over, Function::within, Function::in, Function::during,
                                Function::for_, Function::throughout});
  }
  return scene.is_any(i - 2, {Function::over, Function::within}) && unit >= Unit::week &&
         unit <= Unit::year && unit != Unit::half && unit != Unit::season;
}

bool fortnight(const Scene& scene, std::size_t i) {
  return word_is(scene, i, {u"fortnight", u"fortnights"});
}

bool ago_by_back(const Scene& scene, std::size_t i) {
  return scene.is(i, Function::back) &&
         (scene.is(i + 1, Kind::comma) || scene.is(i + 1, Kind::dot) ||
          scene.is(i + 1, Kind::end) ||
          word_is(scene, i + 1, {u"I", u"we", u"he", u"she", u"they"}));
}

std::size_t with_modifiers(const Scene& scene, std::size_t i) {
  for (int steps = 0; steps < 3 && i > 0; ++steps) {
    const bool strict =
        scene.takes_whole_phrase() || !word_is(scene, i - 1, {u"only", u"Only", u"exactly"});
    if ((scene.is(i - 1, Class::quantifier) && strict) || scene.is(i - 1, Function::around))
      --i;
    else if (scene.is(i - 1, Function::least) && scene.is(i - 2, Function::at))
      i -= 2;
    else if (word_is(scene, i - 1, {u"most"}) && scene.is(i - 2, Function::at))
      i -= 2;
    else if (scene.is(i - 1, Function::than) &&
             (scene.is(i - 2, Function::more) || scene.is(i - 2, Class::quantifier)))
      i -= scene.is_any(i - 3, {Function::no, Function::not_}) ? 3 : 2;
    else if (scene.is(i - 1, Function::to) &&
             (scene.is(i - 2, Function::up) || word_is(scene, i - 2, {u"close", u"Close"})))
      i -= 2;
    else if (scene.is(i - 1, Function::over) &&
             word_is(scene, i - 2,
                     {u"lasted", u"took", u"spent", u"waited", u"lasting", u"taking", u"spending"}))
      --i;
    else if (scene.is(i - 1, Function::over) &&
             scene.is_any(i - 2, {Function::for_, Function::after, Function::in, Function::within,
                                  Function::of}))
      --i;
    else if (word_is(scene, i - 1, {u"under", u"over"}) &&
             word_is(scene, i - 2, {u"just", u"Just", u"well", u"Well", u"little"}))
      i -= 2;
    else if (word_is(scene, i - 1, {u"under"}) &&
             scene.is_any(i - 2, {Function::in, Function::for_, Function::within, Function::after}))
      --i;
    else if (scene.takes_whole_phrase() && word_is(scene, i - 1, {u"just"}))
      --i;
    else if (scene.takes_whole_phrase() && word_is(scene, i - 1, {u"mere"}) &&
             scene.is(i - 2, Function::a))
      i -= 2;
    else
      break;
  }
  if (word_is(scene, i - 1, {u"little"}) && scene.is(i - 2, Function::a)) i -= 2;
  return i;
}

bool read_unit(const Scene& scene, std::size_t i, bool counted_by_hyphen, Unit& unit,
               bool& plural) {
  if (!scene.is(i, Class::unit)) {
    const bool second = counted_by_hyphen && scene.is(i, Class::ordinal) && scene.value(i) == 2;
    if (second) unit = Unit::second;
    if (second) plural = false;
    return second;
  }
  unit = static_cast<Unit>(scene.value(i));
  const std::u16string_view word = scene.word(i);
  const bool short_form = word.size() <= 3 && unit < Unit::day;  // "hrs", "min", "sec": either
  if (short_form && !scene.is(i - 1, Kind::number) &&
      !(scene.is(i - 1, Kind::hyphen) && scene.is(i - 2, Kind::number)))
    return false;
  plural = short_form || (word.back() | 32) == u's' ||
           (unit == Unit::millennium && (word.back() | 32) == u'a');
  return true;
}

std::string duration_text(const std::string& count, Unit unit) {
  constexpr const char* symbols[] = {"S", "M", "H", "D", "WE", "W",  "M",
                                     "Q", "H", "",  "Y", "DE", "CE", "ML"};
  return (unit < Unit::day ? "PT" : "P") + count + symbols[static_cast<std::size_t>(unit)];
}

}  // namespace asof::timetag
