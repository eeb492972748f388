// Packing and checks of rows in memory.
#include "index/vector/memory_rows.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "index/rows/block.hpp"

namespace asof::vector {
namespace {

template <typename Tick>
std::vector<Tick> summarize(const temporal::ClockView<Tick>& clock, std::size_t rows) {
  std::vector<Tick> blocks;
  for (std::size_t begin = 0; begin < rows; begin += block_rows) {
    Tick least = ticks<Tick>::future, most = ticks<Tick>::past;
    bool dated = false;
    for (std::size_t row = begin; row < std::min(rows, begin + block_rows); ++row) {
      each_time(clock, row, [&](std::size_t, Tick start, Tick end) {
        least = dated ? std::min(least, start) : start;
        most = dated ? std::max(most, end) : end;
        dated = true;
        return false;
      });
    }
    blocks.push_back(least);
    blocks.push_back(most);
  }
  return blocks;
}

void check_offsets(std::span<const std::uint32_t> offsets, std::size_t mentions) {
  bool ordered = std::is_sorted(offsets.begin(), offsets.end());
  if (offsets.empty() ? mentions == 0
                      : ordered && offsets.front() == 0 && offsets.back() == mentions)
    return;
  throw Error("ERR_INVALID_ARGUMENT",
              "Expected contentOffset to ascend from 0 to the number of content times (" +
                  std::to_string(mentions) + "), received one that does not.");
}

}  // namespace

template <typename Tick>
temporal::ClockView<Tick> MemoryRows::pack(Ticks<Tick>& ticks, const ColumnTimes& times,
                                           const ClockEncoding& encoding) const {
  ticks.start = pack_ticks<Tick>(times.start, encoding);
  temporal::ClockView<Tick> view;
  view.encoding = encoding;
  view.start = ticks.start;
  view.offset = times.offset;
  if (times.has_end) {
    ticks.end = pack_ticks<Tick>(times.end, encoding);
    view.end = ticks.end;
  }
  if (times.start.empty()) return view;
  ticks.blocks = summarize(view, rows_.rows);
  view.blocks = ticks.blocks;
  return view;
}

ClockColumn MemoryRows::pack(Column& column, const ColumnTimes& times, bool wide) const {
  ClockChoice choice = choose_encoding(times.start, times.end);
  if (wide) choice = {{1, 0}, true};
  if (choice.wide) return pack(column.wide, times, choice.encoding);
  return pack(column.narrow, times, choice.encoding);
}

VectorMoments MemoryRows::moments() const {
  measuring_.run([&] {
    const std::size_t ends[] = {0, rows_.multi_sentence, rows_.passages, rows_.rows};
    for (std::size_t group = 0; group < moments_.size(); ++group) {
      const std::size_t d = rows_.dimensions, first = ends[group], count = ends[group + 1] - first;
      moments_[group] = measure(rows_.vectors.subspan(first * d, count * d), d);
    }
  });
  return {moments_[0].view(), moments_[1].view(), moments_[2].view()};
}

MemoryRows::MemoryRows(const RowCounts& counts, std::span<const float> vectors,
                       std::vector<std::uint32_t> row_passage, MemoryTimes times,
                       const RowPacking& packing)
    : vectors_(vectors.begin(), vectors.end()),
      row_passage_(std::move(row_passage)),
      content_offset_(std::move(times.content_offset)) {
  rows_.passages = counts.passages;
  rows_.multi_sentence = counts.multi_sentence;
  rows_.rows = row_passage_.size();
  rows_.dimensions = counts.dimensions;
  rows_.vectors = CheckedSpan<float>(vectors_);
  rows_.row_passage = row_passage_;
  auto expect = [&](const char* name, std::size_t length, std::size_t expected) {
    if (length == 0 || length == expected) return;
    throw Error("ERR_INVALID_ARGUMENT",
                std::string("Expected ") + name + " to hold " + std::to_string(expected) +
                    " elements or none, received " + std::to_string(length) + ".");
  };
  expect("published", times.published.size(), rows_.rows);
  expect("validStart", times.valid_start.size(), rows_.rows);
  expect("contentOffset", content_offset_.size(), rows_.rows + 1);
  if (times.valid_end.size() != times.valid_start.size())
    expect("validEnd", times.valid_end.size() + 1, times.valid_start.size() + 1);
  if (times.content_end.size() != times.content_start.size())
    expect("contentEnd", times.content_end.size() + 1, times.content_start.size() + 1);
  check_offsets(content_offset_, times.content_start.size());
  rows_.published = pack(published_, {times.published, {}, false, {}}, packing.wide);
  rows_.validity = pack(validity_, {times.valid_start, times.valid_end, true, {}}, packing.wide);
  rows_.content =
      pack(content_, {times.content_start, times.content_end, true, content_offset_}, packing.wide);
  try {
    check_rows(rows_, "the rows");
  } catch (const Error& error) {
    throw Error("ERR_INVALID_ARGUMENT", error.what());
  }
  if (std::any_of(row_passage_.begin(), row_passage_.end(),
                  [&](std::uint32_t passage) { return passage >= counts.passages; })) {
    throw Error("ERR_INVALID_ARGUMENT", "Expected rowPassage to hold numbers below " +
                                            std::to_string(counts.passages) +
                                            ", received one that is not.");
  }
  if (packing.storage) {
    panels_ = pack_panels(vectors_, counts.dimensions, *packing.storage, Cancel());
    rows_.panels = panels_.view();
  }
  block_lengths_ = std::make_unique<BlockLengths>(rows_.rows, counts.dimensions);
  rows_.block_lengths = block_lengths_.get();
  rows_.counts = &counts_;
  rows_.device_key = {cache_key_.number(), cache_key_.number()};
}

}  // namespace asof::vector
