// Parameter layout and date features of a time encoder, in double.
#include "encoder/time_network.hpp"

#include <algorithm>
#include <cmath>

namespace asof {
namespace {

constexpr double turn = 6.283185307179586476925;
constexpr std::size_t absolute_waves = 32;

// Days from 0000-01-01 to a day of the proleptic Gregorian calendar, by years that begin in March.
double days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  std::int64_t shifted = month <= 2 ? year - 1 : year;
  std::int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400, of_era = shifted - era * 400;
  std::int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  std::int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + 60;
  return static_cast<double>(days);
}

}  // namespace

std::size_t TimeNetwork::features() const {
  if (learns_features()) return dimensions;
  return kind == Kind::direct ? 8 : 2 * absolute_waves;
}

std::size_t TimeNetwork::begin(std::size_t k) const {
  std::size_t all = features();
  return k * (all / 4) + std::min(k, all % 4);
}

TimeLayout layout_of(const TimeNetwork& network) {
  TimeLayout layout{};
  std::size_t at = 0;
  auto take = [&at](std::size_t& place, std::size_t count) {
    place = at;
    at += count;
  };
  bool learns = network.learns_features(), film = network.kind == TimeNetwork::Kind::film;
  auto part = [&](std::size_t k) { return learns ? network.begin(k + 1) - network.begin(k) : 0; };
  std::size_t waves = learns ? network.waves : 0, d = film ? network.dimensions : 0;
  take(layout.frequency, waves);
  take(layout.phase, waves);
  take(layout.year, waves * part(0));
  take(layout.year_bias, part(0));
  take(layout.month, 2 * part(1));
  take(layout.day, 31 * part(2));
  take(layout.day_of_year, 2 * part(3));
  take(layout.first, network.features() * network.width);
  take(layout.first_bias, film ? network.width : 0);
  take(layout.gamma, network.width * d);
  take(layout.gamma_bias, d);
  take(layout.beta, network.width * d);
  take(layout.beta_bias, d);
  take(layout.alpha, film ? 1 : 0);
  layout.total = at;
  return layout;
}

calendar::Parts Dates::parts() const {
  auto own = [](const auto& values) {
    return const_cast<typename std::decay_t<decltype(values)>::value_type*>(values.data());
  };
  return {own(year), own(month), own(day), own(day_of_year), own(mask)};
}

std::uint8_t known_parts(const calendar::Parts& dates, std::size_t i) {
  using namespace calendar;
  constexpr std::uint8_t whole = has_year | has_month | has_day;
  std::uint8_t mask = dates.mask[i] & (whole | has_day_of_year);
  return (mask & whole) == whole ? mask : mask & whole;
}

void time_part(const TimeNetwork& network, const float* parameters, std::size_t k, double value,
               std::span<double> out) {
  double normalised = (value - network.mean_year) / network.deviation_year;
  if (network.kind == TimeNetwork::Kind::direct) {
    constexpr double most[] = {1, 12, 31, 366};
    out[0] = k == 0 ? normalised : value / most[k];
    out[1] = 1;
    return;
  }
  TimeLayout layout = layout_of(network);
  std::size_t size = out.size();
  auto add = [&](std::size_t matrix, std::size_t row, double by) {
    for (std::size_t c = 0; c < size; ++c) out[c] += by * parameters[matrix + row * size + c];
  };
  std::fill(out.begin(), out.end(), 0.0);
  if (k == 0) {
    for (std::size_t wave = 0; wave < network.waves; ++wave) {
      add(layout.year, wave,
          std::sin(parameters[layout.frequency + wave] * normalised +
                   parameters[layout.phase + wave]));
    }
    add(layout.year_bias, 0, 1);
  } else if (k == 2) {
    add(layout.day, static_cast<std::size_t>(value) - 1, 1);
  } else {
    double angle = turn * value / (k == 1 ? 12 : 366);
    std::size_t matrix = k == 1 ? layout.month : layout.day_of_year;
    add(matrix, 0, std::sin(angle));
    add(matrix, 1, std::cos(angle));
  }
}

void absolute_features(const calendar::Parts& dates, std::size_t i, std::span<double> out) {
  std::uint8_t known = known_parts(dates, i);
  if ((known & calendar::has_year) == 0) return std::fill(out.begin(), out.end(), 0.0);
  bool month = (known & calendar::has_month) != 0, day = month && (known & calendar::has_day) != 0;
  double days = days_of(dates.year[i], month ? dates.month[i] : 7,
                        day     ? dates.day[i]
                        : month ? 16
                                : 2);
  for (std::size_t wave = 0; wave < absolute_waves; ++wave) {
    double angle = days * std::pow(10000.0, -static_cast<double>(wave) / absolute_waves);
    out[2 * wave] = std::sin(angle);
    out[2 * wave + 1] = std::cos(angle);
  }
}

}  // namespace asof
