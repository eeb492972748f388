// Choice of a clock's column, and checks of lengths.
#include "index/rows/flat_rows.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "index/rows/block.hpp"

namespace asof {
namespace {

/// The lists that a clock is expected to have.
struct ClockShape {
  const char* name;
  bool ends, lists;
};

void check_clock(const ClockColumn& column, std::size_t rows, const ClockShape& shape,
                 const std::string& where) {
  const char* name = shape.name;
  const bool ends = shape.ends, lists = shape.lists;
  std::visit(
      [&](const auto& clock) {
        if (clock.start.empty() && clock.offset.empty()) return;
        std::string of = std::string(name) + " times of " + where;
        check_length(of, "the starts", lists ? clock.start.size() : rows, clock.start.size());
        check_length(of, "the ends", ends ? clock.start.size() : 0, clock.end.size());
        check_length(of, "the offsets", lists ? rows + 1 : 0, clock.offset.size());
        if (!clock.blocks.empty())
          check_length(of, "the block summaries", 2 * ((rows + block_rows - 1) / block_rows),
                       clock.blocks.size());
      },
      column);
}

}  // namespace

const ClockColumn& column_of(const FlatRows& rows, temporal::Clock clock) {
  if (clock == temporal::Clock::published) return rows.published;
  return clock == temporal::Clock::validity ? rows.validity : rows.content;
}

float FlatRows::max_norm(std::size_t first, std::size_t count) const {
  constexpr std::size_t block_panels = block_rows / quantized::panel_rows;
  float norm = 0;
  for (std::size_t block = first / block_rows; block * block_rows < first + count; ++block) {
    const std::size_t panel = block * block_panels,
                      end = std::min(panel + block_panels, panels->records.size());
    const auto records = panels->records.subspan(panel, end - panel);
    norm = std::max(norm, block_lengths != nullptr ? block_lengths->longest_by(block, records)
                                                   : asof::max_norm(records));
  }
  return norm;
}

void check_length(const std::string& where, const char* what, std::uint64_t expected,
                  std::uint64_t received) {
  if (expected == received) return;
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected " + std::string(what) + " of " + where + " to hold " +
                  std::to_string(expected) + " elements, found " + std::to_string(received) +
                  ". Restore the file from a copy or index the passages again.");
}

void check_rows(const FlatRows& rows, const std::string& where) {
  if (rows.multi_sentence > rows.passages || rows.passages > rows.rows) {
    throw Error("ERR_CORPUS_CORRUPT",
                "Expected the counts of " + where + " to satisfy M <= P <= R, found " +
                    std::to_string(rows.multi_sentence) + ", " + std::to_string(rows.passages) +
                    ", " + std::to_string(rows.rows) + ". Index the passages again.");
  }
  check_length(where, "the vectors", rows.rows * rows.dimensions, rows.vectors.size());
  check_length(where, "the rows' passages", rows.rows, rows.row_passage.size());
  if (!rows.passage_row.empty())
    check_length(where, "the passages' rows", rows.passages, rows.passage_row.size());
  check_clock(rows.published, rows.rows, {"publication", false, false}, where);
  check_clock(rows.validity, rows.rows, {"validity", true, false}, where);
  check_clock(rows.content, rows.rows, {"content", true, true}, where);
}

}  // namespace asof
