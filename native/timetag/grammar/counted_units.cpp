// Counted units, common to durations and to dates counted by them: the units and their TIMEX3
// letters, modifiers before a count ("more than", "just under"), and English forms of counting ("a
// fortnight", "a year and a half", "two years back", "over the next year"). Reads no expression by
// itself.
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {}  // namespace

bool and_a_half(const Document& doc, std::size_t i, const Count& count, std::size_t& next) {
  if (!count.article || !doc.is(i + 1, Function::and_) || !doc.is(i + 2, Function::a) ||
      !doc.is(i + 3, Unit::half))
    return false;
  next = i + 4;
  return true;
}

bool is_length_of_interval(const Document& doc, std::size_t i) {
  Unit unit{};
  bool plural = false;
  const bool ahead =
      (doc.is(i, Class::shift) && doc.value(i) == 2) || doc.is(i, Function::following);
  if (!ahead || !doc.is(i - 1, Function::the) || !read_unit(doc, i + 1, false, unit, plural) ||
      plural || doc.is(i + 2, Function::of))
    return false;
  if (unit == Unit::decade || unit == Unit::century) {
    return doc.is_any(i - 2, {Function::over, Function::within, Function::in, Function::during,
                              Function::for_, Function::throughout});
  }
  return doc.is_any(i - 2, {Function::over, Function::within}) && unit >= Unit::week &&
         unit <= Unit::year && unit != Unit::half && unit != Unit::season;
}

bool fortnight(const Document& doc, std::size_t i) {
  return word_is(doc, i, {u"fortnight", u"fortnights"});
}

bool ago_by_back(const Document& doc, std::size_t i) {
  return doc.is(i, Function::back) &&
         (doc.is(i + 1, Kind::comma) || doc.is(i + 1, Kind::dot) || doc.is(i + 1, Kind::end) ||
          word_is(doc, i + 1, {u"I", u"we", u"he", u"she", u"they"}));
}

std::size_t with_modifiers(const Document& doc, std::size_t i) {
  for (int steps = 0; steps < 3 && i > 0; ++steps) {
    const bool strict =
        doc.uses_whole_phrase() || !word_is(doc, i - 1, {u"only", u"Only", u"exactly"});
    if ((doc.is(i - 1, Class::quantifier) && strict) || doc.is(i - 1, Function::around))
      --i;
    else if (doc.is(i - 1, Function::least) && doc.is(i - 2, Function::at))
      i -= 2;
    else if (word_is(doc, i - 1, {u"most"}) && doc.is(i - 2, Function::at))
      i -= 2;
    else if (doc.is(i - 1, Function::than) &&
             (doc.is(i - 2, Function::more) || doc.is(i - 2, Class::quantifier)))
      i -= doc.is_any(i - 3, {Function::no, Function::not_}) ? 3 : 2;
    else if (doc.is(i - 1, Function::to) &&
             (doc.is(i - 2, Function::up) || word_is(doc, i - 2, {u"close", u"Close"})))
      i -= 2;
    else if (doc.is(i - 1, Function::over) &&
             word_is(doc, i - 2,
                     {u"lasted", u"took", u"spent", u"waited", u"lasting", u"taking", u"spending"}))
      --i;
    else if (doc.is(i - 1, Function::over) &&
             doc.is_any(i - 2, {Function::for_, Function::after, Function::in, Function::within,
                                Function::of}))
      --i;
    else if (word_is(doc, i - 1, {u"under", u"over"}) &&
             word_is(doc, i - 2, {u"just", u"Just", u"well", u"Well", u"little"}))
      i -= 2;
    else if (word_is(doc, i - 1, {u"under"}) &&
             doc.is_any(i - 2, {Function::in, Function::for_, Function::within, Function::after}))
      --i;
    else if (doc.uses_whole_phrase() && word_is(doc, i - 1, {u"just"}))
      --i;
    else if (doc.uses_whole_phrase() && word_is(doc, i - 1, {u"mere"}) &&
             doc.is(i - 2, Function::a))
      i -= 2;
    else
      break;
  }
  if (word_is(doc, i - 1, {u"little"}) && doc.is(i - 2, Function::a)) i -= 2;
  return i;
}

bool read_unit(const Document& doc, std::size_t i, bool counted_by_hyphen, Unit& unit,
               bool& plural) {
  if (!doc.is(i, Class::unit)) {
    const bool second = counted_by_hyphen && doc.is(i, Class::ordinal) && doc.value(i) == 2;
    if (second) unit = Unit::second;
    if (second) plural = false;
    return second;
  }
  unit = static_cast<Unit>(doc.value(i));
  const std::u16string_view word = doc.word(i);
  const bool short_form = word.size() <= 3 && unit < Unit::day;  // "hrs", "min", "sec": either
  if (short_form && !doc.is(i - 1, Kind::number) &&
      !(doc.is(i - 1, Kind::hyphen) && doc.is(i - 2, Kind::number)))
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
