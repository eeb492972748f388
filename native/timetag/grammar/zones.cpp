// Time zones by name: "Eastern Time", "Pacific Daylight Time", "Greenwich Mean Time". Abbreviations
// ("EST") are words of the lexicon.
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

struct Named {
  std::u16string_view name;
  int zone;  // as Class::zone's value
};

constexpr Named names[] = {
    {u"Eastern", daylight + 24 - 10},
    {u"Central", daylight + 24 - 12},
    {u"Mountain", daylight + 24 - 14},
    {u"Pacific", daylight + 24 - 16},
    {u"Greenwich", 24},
};

bool either_case(const Document& doc, std::size_t i, std::u16string_view lower) {
  if (!doc.is(i, Kind::word) || doc.word(i).size() != lower.size()) return false;
  return (doc.word(i)[0] | 32) == lower[0] && doc.word(i).substr(1) == lower.substr(1);
}

}  // namespace

bool read_named_zone(const Document& doc, std::size_t i, int& zone, std::size_t& next) {
  if (!doc.is(i, Kind::word) || !doc.at(i).capital) return false;
  for (const Named& each : names) {
    if (doc.word(i) != each.name) continue;
    const bool standard = either_case(doc, i + 1, u"standard"),
               summer = either_case(doc, i + 1, u"daylight");
    const std::size_t time = standard || summer || either_case(doc, i + 1, u"mean") ? i + 2 : i + 1;
    if (!either_case(doc, time, u"time")) return false;
    zone = (standard || summer) && each.zone >= daylight ? each.zone - daylight + (summer ? 2 : 0)
                                                         : each.zone;
    next = time + 1;
    return true;
  }
  return false;
}

}  // namespace asof::timetag
