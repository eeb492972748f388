// Lexical sections of one segment, from counted tokens or merged from the postings of segments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/postings_writer.hpp"
#include "index/lexical/reader.hpp"

namespace asof::lexical {

/// Analysed rows in the segment's row order. Terms are numbered in any order; each is distinct.
struct RowTerms {
  std::vector<std::uint8_t> term_bytes;     // UTF-8, end to end
  std::vector<std::uint32_t> term_offsets;  // terms + 1
  std::vector<std::uint32_t> row_offsets;   // R + 1, into row_terms
  std::vector<std::uint32_t> row_terms;     // a term's number for every token, in any order
};

/// Throws ERR_INVALID_ARGUMENT for offsets or numbers out of range and for a term given twice.
Sections build_postings(RowTerms rows, const Parts& parts, const Cancel& cancel);

inline constexpr std::uint32_t dropped_row = 0xffffffff;

struct MergeSource {
  const Reader* reader;
  std::span<const std::uint32_t>
      new_row;  // one a row of the source: its row in the result, or dropped_row
};

/// Every row of the result must come from exactly one source row. Statistics are those of the
/// result's rows.
Sections merge_postings(std::span<const MergeSource> sources, const Parts& parts,
                        const Cancel& cancel);

}  // namespace asof::lexical
