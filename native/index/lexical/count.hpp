// Term frequencies of rows, looked up in the postings.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/reader.hpp"

namespace asof::lexical {

struct TermCounts {
  std::vector<std::uint32_t> lengths;  // a row: its tokens
  std::vector<std::uint32_t>
      counts;  // rows * terms: how often the row has the term, 0 where the segment lacks it
};

/// `rows` are below R, in any order.
TermCounts count_terms(const Reader& reader, std::span<const std::uint32_t> rows,
                       std::span<const std::string> terms, const Cancel& cancel);

}  // namespace asof::lexical
