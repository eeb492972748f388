// What the files that take a time encoder share: its shape, and columns of dates whose known components are in range.
#pragma once

#include <napi.h>

#include <optional>
#include <vector>

#include "encoder/time_network.hpp"

namespace asof::boundary {

/// { kind, dimensions, waves, width, meanYear, deviationYear }, checked.
TimeNetwork time_network(const Napi::Value& value);

/// { year, month, day, dayOfYear, mask }, copied and checked.
class TimeColumns {
 public:
  explicit TimeColumns(const Napi::Value& value, std::optional<std::size_t> count = std::nullopt);
  std::size_t count() const { return mask_.size(); }
  /// Read by nobody who writes: Parts has no form for numbers that stay.
  calendar::Parts parts() const;

 private:
  std::vector<std::int32_t> year_;
  std::vector<std::uint8_t> month_, day_;
  std::vector<std::uint16_t> day_of_year_;
  std::vector<std::uint8_t> mask_;
};

}  // namespace asof::boundary
