// Checks of a time encoder's shape and of date columns.
#include "boundary/time_encoder_arguments.hpp"

#include <cmath>

#include "boundary/arguments.hpp"

namespace asof::boundary {
namespace {

constexpr double most_dimensions = 16384, most_units = 4096, most_parameters = 1 << 26;

}  // namespace

TimeNetwork time_network(const Napi::Value& value) {
  using Kind = TimeNetwork::Kind;
  Napi::Object given = object(value, "network");
  TimeNetwork network;
  std::string kind = string(given.Get("kind"), "network.kind");
  constexpr std::pair<const char*, Kind> kinds[] = {{"film", Kind::film},
                                                    {"concatenated", Kind::concatenated},
                                                    {"direct", Kind::direct},
                                                    {"absolute", Kind::absolute}};
  bool known = false;
  for (const auto& [name, each] : kinds) {
    if (kind == name) {
      network.kind = each;
      known = true;
    }
  }
  if (!known) refuse("network.kind", "film, concatenated, direct or absolute", "\"" + kind + "\"");
  network.dimensions = size(given.Get("dimensions"), "network.dimensions", 1, most_dimensions);
  network.waves = size(given.Get("waves"), "network.waves", 0, most_units);
  network.width = size(given.Get("width"), "network.width", 1, most_units);
  network.mean_year = number(given.Get("meanYear"), "network.meanYear");
  network.deviation_year = number(given.Get("deviationYear"), "network.deviationYear");
  if (!std::isfinite(network.mean_year))
    refuse("network.meanYear", "a finite number", std::to_string(network.mean_year));
  if (!(network.deviation_year > 0) || !std::isfinite(network.deviation_year)) {
    refuse("network.deviationYear", "a finite number above 0",
           std::to_string(network.deviation_year));
  }
  double total = static_cast<double>(layout_of(network).total);
  if (total > most_parameters)
    refuse("network", "of at most 2^26 parameters", std::to_string(total));
  return network;
}

Dates dates_of(const Napi::Value& value, std::optional<std::size_t> count) {
  Napi::Object given = object(value, "dates");
  auto mask = array<std::uint8_t>(given.Get("mask"), "dates.mask");
  std::size_t n = count.value_or(mask.size());
  if (mask.size() != n)
    refuse("dates.mask", "a Uint8Array of " + std::to_string(n),
           "one of " + std::to_string(mask.size()));
  Dates dates{copied(array<std::int32_t>(given.Get("year"), "dates.year", n)),
              copied(array<std::uint8_t>(given.Get("month"), "dates.month", n)),
              copied(array<std::uint8_t>(given.Get("day"), "dates.day", n)),
              copied(array<std::uint16_t>(given.Get("dayOfYear"), "dates.dayOfYear", n)),
              copied(mask)};
  calendar::Parts parts = dates.parts();
  auto check = [](bool known, int part, int least, int most, const char* name) {
    if (!known || (part >= least && part <= most)) return;
    refuse(name, std::to_string(least) + " to " + std::to_string(most) + " where the mask has it",
           std::to_string(part));
  };
  for (std::size_t i = 0; i < n; ++i) {
    std::uint8_t known = known_parts(parts, i);
    check((known & calendar::has_year) != 0, dates.year[i], -275'760, 275'760, "dates.year");
    check((known & calendar::has_month) != 0, dates.month[i], 1, 12, "dates.month");
    check((known & calendar::has_day) != 0, dates.day[i], 1, 31, "dates.day");
    check((known & calendar::has_day_of_year) != 0, dates.day_of_year[i], 1, 366,
          "dates.dayOfYear");
  }
  return dates;
}

}  // namespace asof::boundary
