// Dense BM25: a score for every row, for scans that combine it with others. See search.hpp.
#include <algorithm>

#include "core/threads.hpp"
#include "index/lexical/search.hpp"

namespace asof::lexical {

void score_rows(const Reader& reader, std::span<const WeightedTerm> terms, const InverseNorms& norms, std::uint32_t begin, std::uint32_t end,
                float* out) {
  auto lengths = reader.row_length();
  std::vector<double> scores(end - begin, 0.0);
  for (const WeightedTerm& term : terms) {
    Cursor cursor(reader, term.number);
    for (cursor.shallow_advance(begin); !cursor.done() && cursor.first_possible_row() < end; cursor.next_block()) {
      auto rows = cursor.rows(), frequencies = cursor.frequencies();
      for (std::size_t i = 0; i < rows.size() && rows[i] < end; ++i) {
        if (rows[i] >= begin) scores[rows[i] - begin] += contribution(term.weight, frequencies[i], norms(lengths[rows[i]]));
      }
    }
  }
  std::copy(scores.begin(), scores.end(), out);  // to the nearest float
}

std::vector<std::vector<float>> score_segments(std::span<const Reader* const> readers, flat::Scope scope, const Bm25& parameters,
                                               std::span<const std::string> terms, const Cancel& cancel) {
  constexpr std::uint64_t tile_rows = 65536;
  Statistics statistics = statistics_of(readers, scope);
  auto weighted = weigh(readers, scope, statistics, terms);
  std::vector<std::vector<float>> scores;
  for (const Reader* reader : readers) scores.emplace_back(in_scope(scope, 2) ? reader->parts().rows : reader->parts().passages, 0.0f);
  for (std::size_t s = 0; s < readers.size(); ++s) {
    const Parts& parts = readers[s]->parts();
    InverseNorms norms(parameters, statistics.average_length(), readers[s]->longest_row());
    // Every scope is one run of rows: [0, P), [M, R) or [0, R).
    std::uint64_t first = in_scope(scope, 0) ? 0 : parts.several, last = in_scope(scope, 2) ? parts.rows : parts.passages;
    parallel_for((last - first + tile_rows - 1) / tile_rows, 0, [&](std::size_t tile, std::size_t) {
      cancel.throw_if_requested();
      std::uint64_t begin = first + tile * tile_rows, end = std::min(last, begin + tile_rows);
      score_rows(*readers[s], weighted[s], norms, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), scores[s].data() + begin);
    });
  }
  return scores;
}

}  // namespace asof::lexical
