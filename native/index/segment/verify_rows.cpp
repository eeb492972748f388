// Checks of the sections of rows, passages and clocks against each other.
#include "index/segment/verify_rows.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/path_text.hpp"
#include "index/rows/block.hpp"
#include "index/segment/block_ranges.hpp"
#include "index/segment/field_columns.hpp"
#include "index/segment/passage_ids.hpp"
#include "index/segment/segment_rows.hpp"

namespace asof {
namespace {

constexpr std::size_t hash_bytes = 16;

class Rows {
 public:
  Rows(const Segment& segment, const Cancel& cancel)
      : segment_(segment), cancel_(cancel), rows_(view_rows(segment)) {}

  /// Each passage has one of the first P rows; the others are sentences of the first M passages.
  /// Each group is in the order of its passages, or of their rows.
  void passages() const {
    std::vector<bool> is_whole(rows_.passages, false), has_sentences(rows_.passages, false);
    for (std::size_t row = 0; row < rows_.rows; ++row) {
      const std::uint32_t passage = rows_.row_passage[row];
      const bool is_known =
          passage < rows_.passages &&
          (row < rows_.passages ? !is_whole[passage] : bool{has_sentences[passage]});
      if (!is_known) corrupt(schema::row_passage, "to give each passage its rows");
      if (row < rows_.passages) is_whole[passage] = true;
      if (row < rows_.multi_sentence) has_sentences[passage] = true;
    }
    const auto& rank = rows_.passage_row;
    const auto rank_at = [&](std::size_t row) {
      const std::uint32_t passage = rows_.row_passage[row];
      return rank.empty() ? passage : rank[passage];
    };
    for (std::size_t row = 0; row < rows_.passages && !rank.empty(); ++row)
      if (rank_at(row) != row) corrupt(schema::passage_row, "to have the rows of the passages");
    for (std::size_t row = 1; row < rows_.rows; ++row)
      if (row != rows_.multi_sentence && row != rows_.passages && rank_at(row) < rank_at(row - 1))
        corrupt(schema::row_passage, "to be in the order of the passages");
    const auto spans = section<std::uint32_t>(schema::row_sentence, 2 * rows_.rows);
    for (std::size_t row = 0; row < rows_.rows; ++row)
      if (spans[2 * row] > spans[2 * row + 1]) corrupt(schema::row_sentence, "to end after starts");
  }

  void records() const {
    length(schema::passage_hash, segment_.checked<std::uint8_t>(schema::passage_hash).size(),
           hash_bytes * rows_.passages);
    offsets(schema::passage_record_offset, schema::passage_record);
    if (segment_.has(schema::passage_statement))
      offsets(schema::passage_statement_offset, schema::passage_statement);
    const auto at = offsets(schema::passage_id_offset, schema::passage_id);
    const auto bytes = segment_.section<std::uint8_t>(schema::passage_id);
    auto id = [&](std::size_t p) { return bytes.subspan(at[p], at[p + 1] - at[p]); };
    for (std::size_t p = 1; p < rows_.passages; ++p)
      if (id_less(id(p), id(p - 1))) corrupt(schema::passage_id, "to ascend");
  }

  void clocks() const {
    const auto counts = section<std::uint64_t>(schema::counts, 8);
    if (counts[5] != block_rows) corrupt(schema::counts, "to be of blocks of 256 rows");
    section<double>(schema::clock_encoding, 6);
    const auto mentions = section<std::uint8_t>(schema::content_granularity, counts[3]);
    const auto at = section<std::uint32_t>(schema::content_offset, rows_.rows + 1);
    if (!std::is_sorted(at.begin(), at.end()) || at.front() != 0 || at.back() != mentions.size())
      corrupt(schema::content_offset, "to ascend to the number of times");
    clock(rows_.published, schema::block_published);
    clock(rows_.validity, schema::block_valid);
    clock(rows_.content, schema::block_content);
  }

 private:
  [[noreturn]] void corrupt(const char* section, const char* expected) const {
    throw Error("ERR_CORPUS_CORRUPT", "Expected the section " + std::string(section) + " of " +
                                          text_of(segment_.path()) + " " + expected +
                                          ", found that it does not. Restore the file from a "
                                          "backup or index the passages again.");
  }
  void length(const char* section, std::uint64_t found, std::uint64_t expected) const {
    check_length(text_of(segment_.path().filename()), section, expected, found);
  }

  template <typename T>
  std::span<const T> section(const char* name, std::uint64_t expected) const {
    const auto all = segment_.section<T>(name);
    length(name, all.size(), expected);
    return all;
  }

  /// Where each passage begins in a section of bytes.
  std::span<const std::uint64_t> offsets(const char* name, const char* bytes) const {
    const auto at = section<std::uint64_t>(name, rows_.passages + 1);
    if (!std::is_sorted(at.begin(), at.end()) || at.front() != 0 ||
        at.back() != segment_.checked<std::uint8_t>(bytes).size())
      corrupt(name, "to ascend from 0 to the end of its bytes");
    return at;
  }

  void clock(const ClockColumn& column, const char* name) const {
    std::visit(
        [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
          BlockRanges<Tick> blocks(rows_.rows);
          for (std::size_t row = 0; row < rows_.rows; ++row) {
            if (row % block_rows == 0) cancel_.throw_if_requested();
            temporal::each_time(clock, row, [&](std::size_t, Tick start, Tick end) {
              if (start > end) corrupt(name, "to be of times that end no sooner than they start");
              blocks.add(row, start, end);
              return false;
            });
          }
          if (!std::ranges::equal(blocks.pairs(), clock.blocks))
            corrupt(name, "to be the first and last times of its blocks");
        },
        column);
  }

  const Segment& segment_;
  const Cancel& cancel_;
  FlatRows rows_;
};

}  // namespace

void verify_rows(const Segment& segment, const Cancel& cancel) {
  const Rows rows(segment, cancel);
  rows.passages();
  rows.records();
  rows.clocks();
  fields::verify_columns(segment, cancel);
  segment.throw_if_faulted();
}

}  // namespace asof
