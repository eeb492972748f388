// Posting look-ups by ascending row, one term at a time.
#include "index/lexical/count.hpp"

#include <algorithm>
#include <numeric>

namespace asof::lexical {

TermCounts count_terms(const Reader& reader, std::span<const std::uint32_t> rows,
                       std::span<const std::string> terms, const Cancel& cancel) {
  TermCounts result;
  result.lengths.reserve(rows.size());
  for (const std::uint32_t row : rows) result.lengths.push_back(reader.row_length()[row]);
  result.counts.assign(rows.size() * terms.size(), 0);
  std::vector<std::size_t> ascending(rows.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::sort(ascending.begin(), ascending.end(),
            [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  for (std::size_t t = 0; t < terms.size(); ++t) {
    cancel.throw_if_requested();
    const auto number = reader.find(terms[t]);
    if (!number) continue;
    Cursor cursor(reader, *number);
    for (const std::size_t at : ascending) {
      result.counts[at * terms.size() + t] = cursor.frequency_at(rows[at]);
      if (cursor.done()) break;
    }
  }
  return result;
}

}  // namespace asof::lexical
