// Construction of postings from counted tokens, and merging of postings under row maps.
#include "index/lexical/build.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/threads.hpp"

namespace asof::lexical {
namespace {

constexpr std::size_t rows_per_task = 8192;

[[noreturn]] void refuse(const std::string& what, const std::string& expected,
                         const std::string& received) {
  throw Error("ERR_INVALID_ARGUMENT",
              "Expected " + what + " to be " + expected + ", received " + received + ".");
}

void check_offsets(const std::vector<std::uint32_t>& offsets, std::size_t end, const char* name) {
  bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
               std::is_sorted(offsets.begin(), offsets.end());
  if (!sound) refuse(name, "ascending offsets from 0 to " + std::to_string(end), "others");
}

std::string_view term_of(const RowTerms& rows, std::uint32_t number) {
  std::uint32_t begin = rows.term_offsets[number];
  return {reinterpret_cast<const char*>(rows.term_bytes.data()) + begin,
          rows.term_offsets[number + 1] - begin};
}

/// Term numbers ascending by bytes.
std::vector<std::uint32_t> sorted_terms(const RowTerms& rows) {
  std::vector<std::uint32_t> order(rows.term_offsets.size() - 1);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return term_of(rows, a) < term_of(rows, b); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (term_of(rows, order[i]) == term_of(rows, order[i - 1]))
      refuse("terms", "distinct", std::string(term_of(rows, order[i])) + " twice");
  }
  return order;
}

/// Sorts each row's tokens by rank, so that repetitions are adjacent.
void rank_rows(RowTerms& rows, const std::vector<std::uint32_t>& rank, const Cancel& cancel) {
  std::size_t count = rows.row_offsets.size() - 1;
  parallel_for((count + rows_per_task - 1) / rows_per_task, 0, [&](std::size_t task, std::size_t) {
    cancel.throw_if_requested();
    for (std::size_t row = task * rows_per_task; row < std::min(count, (task + 1) * rows_per_task);
         ++row) {
      auto begin = rows.row_terms.begin() + rows.row_offsets[row],
           end = rows.row_terms.begin() + rows.row_offsets[row + 1];
      for (auto each = begin; each != end; ++each) {
        if (*each >= rank.size())
          refuse("rowTerms", "term numbers below " + std::to_string(rank.size()),
                 std::to_string(*each));
        *each = rank[*each];
      }
      std::sort(begin, end);
    }
  });
}

template <typename Visit>
void for_runs(const RowTerms& rows, std::size_t row, Visit visit) {
  for (std::uint32_t at = rows.row_offsets[row]; at < rows.row_offsets[row + 1];) {
    std::uint32_t from = at, term = rows.row_terms[at];
    while (at < rows.row_offsets[row + 1] && rows.row_terms[at] == term) ++at;
    visit(term, at - from);
  }
}

}  // namespace

Sections build_postings(RowTerms rows, const Parts& parts, const Cancel& cancel) {
  check_offsets(rows.term_offsets, rows.term_bytes.size(), "termOffsets");
  check_offsets(rows.row_offsets, rows.row_terms.size(), "rowOffsets");
  std::size_t count = rows.row_offsets.size() - 1;
  if (count != parts.rows)
    refuse("rowOffsets", "of " + std::to_string(parts.rows) + " rows", std::to_string(count));
  std::vector<std::uint32_t> order = sorted_terms(rows), rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<std::uint32_t>(i);
  rank_rows(rows, rank, cancel);

  std::vector<std::size_t> start(order.size() + 1, 0);
  for (std::size_t row = 0; row < count; ++row)
    for_runs(rows, row, [&](std::uint32_t term, std::uint32_t) { start[term + 1] += 1; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Posting> postings(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  std::vector<std::uint32_t> lengths(count);
  for (std::size_t row = 0; row < count; ++row) {
    if (row % rows_per_task == 0) cancel.throw_if_requested();
    lengths[row] = rows.row_offsets[row + 1] - rows.row_offsets[row];
    for_runs(rows, row, [&](std::uint32_t term, std::uint32_t frequency) {
      postings[next[term]++] = {static_cast<std::uint32_t>(row), frequency};
    });
  }
  PostingsWriter writer(parts, std::move(lengths));
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % rows_per_task == 0) cancel.throw_if_requested();
    if (start[i] == start[i + 1]) continue;  // a term without rows
    writer.term(term_of(rows, order[i]), {postings.data() + start[i], start[i + 1] - start[i]});
  }
  return writer.finish();
}

namespace {

std::vector<std::uint32_t> row_lengths(std::span<const MergeSource> sources, const Parts& parts) {
  std::vector<std::uint32_t> lengths(parts.rows, 0);
  std::vector<bool> has_source(parts.rows, false);
  std::uint64_t count = 0;
  for (const MergeSource& source : sources) {
    if (source.new_row.size() != source.reader->parts().rows) {
      refuse("a row map", "of " + std::to_string(source.reader->parts().rows) + " rows",
             std::to_string(source.new_row.size()));
    }
    for (std::size_t row = 0; row < source.new_row.size(); ++row) {
      std::uint32_t to = source.new_row[row];
      if (to == dropped_row) continue;
      if (to >= parts.rows || has_source[to])
        refuse("row maps", "one source row for each of " + std::to_string(parts.rows) + " rows",
               "row " + std::to_string(to) + (to < parts.rows ? " twice" : ""));
      has_source[to] = true;
      lengths[to] = source.reader->row_length()[row];
      count += 1;
    }
  }
  if (count != parts.rows)
    refuse("row maps", "one source row for each of " + std::to_string(parts.rows) + " rows",
           std::to_string(count) + " of them");
  return lengths;
}

}  // namespace

Sections merge_postings(std::span<const MergeSource> sources, const Parts& parts,
                        const Cancel& cancel) {
  PostingsWriter writer(parts, row_lengths(sources, parts));
  std::vector<std::uint32_t> next(sources.size(), 0);
  std::vector<Posting> postings;
  for (std::size_t step = 0;; ++step) {
    if (step % 1024 == 0) cancel.throw_if_requested();
    std::string_view next_term;
    bool any = false;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (next[s] >= sources[s].reader->terms()) continue;
      std::string_view term = sources[s].reader->term(next[s]);
      if (!any || term < next_term) next_term = term;
      any = true;
    }
    if (!any) break;
    postings.clear();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Reader& reader = *sources[s].reader;
      if (next[s] >= reader.terms() || reader.term(next[s]) != next_term) continue;
      for (Cursor cursor(reader, next[s]); !cursor.done(); cursor.next_block()) {
        auto rows = cursor.rows(), frequencies = cursor.frequencies();
        for (std::size_t i = 0; i < rows.size(); ++i) {
          std::uint32_t to = sources[s].new_row[rows[i]];
          if (to != dropped_row) postings.push_back({to, frequencies[i]});
        }
      }
      next[s] += 1;
    }
    if (postings.empty()) continue;
    std::sort(postings.begin(), postings.end(),
              [](const Posting& a, const Posting& b) { return a.row < b.row; });
    writer.term(next_term, postings);
  }
  return writer.finish();
}

}  // namespace asof::lexical
