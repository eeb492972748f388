// Counting of the rows and postings of some of a segment's passages.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "index/lexical/reader.hpp"
#include "index/rows/counted_rows.hpp"

namespace asof::lexical {

/// The counts of a bitmap's passages, cached by the segment.
std::shared_ptr<CountedRows> counted_rows(const Reader& reader,
                                          std::span<const std::uint8_t> passages);

/// How many of the counted rows have a term, by part.
std::array<std::uint32_t, 3> rows_with_term(CountedRows& counted, const Reader& reader,
                                            std::uint32_t term);

}  // namespace asof::lexical
