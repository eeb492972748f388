// Fields of passages as columns: numbers by passage, and keywords by value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cancel.hpp"
#include "index/segment/segment.hpp"

// A segment of a corpus with fields has the sections fields.<n>.* of its n-th field, in the order
// of the manifest: numbers (f64[P], NaN where a passage has none) with blocks (f64[2 * blocks]:
// minimum and maximum of each block_rows passages, the first greater than the second in a block
// without any); or keywords: values (u8: the distinct ones, ascending by bytes, end to end),
// value_offset (u32[V + 1], into values), passage_offset (u32[V + 1], into passages) and passages
// (u32: those with a value, ascending).

namespace asof::fields {

struct Numbers {
  std::span<const double> values;  // P
  std::span<const double> blocks;
};

/// Offsets are checked where they are followed, and throw ERR_CORPUS_CORRUPT; passages are to be
/// checked by who reads them.
struct Keywords {
  std::span<const std::uint8_t> values;
  std::span<const std::uint32_t> value_offset, passage_offset, passages;

  std::size_t size() const { return value_offset.size() - 1; }
  std::string_view value(std::size_t number) const;
  std::span<const std::uint32_t> passages_of(std::size_t number) const;
};

using Column = std::variant<Numbers, Keywords>;

/// The columns of a segment. It must outlive them. Throws ERR_CORPUS_CORRUPT where lengths differ.
std::vector<Column> view_columns(const Segment& segment);

/// Reads all of them: values ascend, passages of a value ascend, blocks bound their numbers. Throws
/// ERR_CORPUS_CORRUPT naming the first section that does not.
void verify_columns(const Segment& segment, const Cancel& cancel);

/// A column that owns its elements.
struct OwnedColumn {
  bool is_number = false;
  std::vector<double> numbers, blocks;
  std::vector<std::uint8_t> values;
  std::vector<std::uint32_t> value_offset{0}, passage_offset{0}, passages;

  Column view() const;
  /// Adds a value of keywords, the greatest so far: that of the passages added since the last one.
  void end_value(std::string_view value);
  /// Of the n-th field; they borrow from it.
  std::vector<SectionData> sections(std::size_t n) const;
};

OwnedColumn pack_numbers(std::vector<double> values);

/// Values of passages as the packed rows of terms: distinct values end to end with offsets, and of
/// each passage the numbers of its values.
struct ValueRows {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> offsets, row_offsets, row_values;
};
/// Throws ERR_INVALID_ARGUMENT for offsets or numbers out of range and for a value given twice.
OwnedColumn pack_keywords(const ValueRows& rows);

}  // namespace asof::fields
