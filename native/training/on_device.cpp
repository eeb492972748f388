// See on_device.hpp.
#include "training/on_device.hpp"

#include <algorithm>

#include "kernels/inner_product/summing.hpp"

namespace asof::training {
namespace {

/// As time_rows.cpp reads them of a date.
std::vector<float> fixed_features(const TimeNetwork& network, const Dates& dates) {
  if (network.learns_features()) return {};
  constexpr std::uint8_t bits[] = {calendar::has_year, calendar::has_month, calendar::has_day, calendar::has_day_of_year};
  const std::size_t across = network.features();
  const calendar::Parts all = dates.parts();
  std::vector<float> fixed(dates.count() * across);
  std::vector<double> row(across);
  for (std::size_t i = 0; i < dates.count(); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    const double values[] = {static_cast<double>(all.year[i]), static_cast<double>(all.month[i]), static_cast<double>(all.day[i]), static_cast<double>(all.day_of_year[i])};
    if (network.kind == TimeNetwork::Kind::absolute) absolute_features(all, i, row);
    for (std::size_t k = 0; network.kind == TimeNetwork::Kind::direct && k < 4; ++k) {
      if ((known_parts(all, i) & bits[k]) != 0) time_part(network, nullptr, k, values[k], std::span(row).subspan(2 * k, 2));
    }
    std::transform(row.begin(), row.end(), fixed.begin() + static_cast<std::ptrdiff_t>(i * across), [](double value) { return static_cast<float>(value); });
  }
  return fixed;
}

}  // namespace

DeviceTraining::DeviceTraining(const Rows& rows, const Dates& dates, const TimeNetwork& network, const TimeExamples& examples, const TimeLoss& loss)
    : fixed_(fixed_features(network, dates)) {
  data_.network = network;
  data_.layout = layout_of(network);
  data_.rows = rows.count();
  data_.examples = examples.question.size();
  data_.vectors = rows.values.data();
  data_.dates = dates.parts();
  data_.tables = &calendar::feature_tables();
  data_.fixed = fixed_.empty() ? nullptr : fixed_.data();
  data_.question = examples.question.data();
  data_.positive = examples.positive.data();
  data_.negative = examples.negative.data();
  data_.temperature = loss.temperature;
  data_.margin = loss.margin;
  data_.hard = loss.hard;
  data_.time = loss.time;
  data_.summing = inner_product::summing_of(isa());
}

}  // namespace asof::training
