// Filters of passages by their fields and times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "index/rows/flat_rows.hpp"
#include "index/segment/field_columns.hpp"

namespace asof::fields {

/// A condition on one field, or a combination of filters.
struct Filter {
  enum class Kind : std::uint8_t {
    all,       // every one of `of` (none: every passage)
    any,       // one of `of`
    none,      // none of `of`
    keywords,  // has one of the values
    numbers,   // is one of the numbers
    range,     // from <= number <= to
    exists     // has a value
  };
  Kind kind = Kind::all;
  std::vector<Filter> of;
  /// A column's number, or a time of the passages.
  std::int32_t field = 0;
  std::vector<std::string> keywords;  // UTF-8
  std::vector<double> numbers;        // ascending
  double from = 0, to = 0;
};

/// Times of passages as fields, in UTC epoch milliseconds: publication, and the first and last
/// millisecond of validity; open ends are none.
inline constexpr std::int32_t published = -1, valid_from = -2, valid_to = -3;

/// Bit p % 8 of byte p / 8: passage p passes. `rows` are the columns' passages, whose clocks are
/// the times. Blocks of numbers that cannot pass are not read. Throws ERR_INVALID_ARGUMENT for a
/// field that is not there or of another type.
std::vector<std::uint8_t> passages_that_pass(const FlatRows& rows, std::span<const Column> columns,
                                             const Filter& filter, const Cancel& cancel);

/// The number of a field of each of some passages; NaN where it has none.
std::vector<double> numbers_of(const FlatRows& rows, std::span<const Column> columns,
                               std::int32_t field, std::span<const std::uint32_t> passages);

}  // namespace asof::fields
