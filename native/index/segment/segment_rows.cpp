// Look-up of the sections of rows, clocks and vectors.
#include "index/segment/segment_rows.hpp"

#include <algorithm>

#include "core/path_text.hpp"
#include "index/segment/panels.hpp"
#include "index/segment/vector_moments.hpp"

namespace asof {
namespace {

template <typename T>
std::span<const T> optional_section(const Segment& segment, const char* name) {
  return segment.has(name) ? segment.section<T>(name) : std::span<const T>();
}

bool is_wide(const Segment& segment, const char* name) {
  const auto& all = segment.sections();
  auto section = std::find_if(all.begin(), all.end(),
                              [&](const SectionInfo& each) { return each.name == name; });
  return section != all.end() && section->element == Element::i64;
}

/// The sections of a clock; null: the clock has none.
struct ClockSections {
  const char *start, *end, *offset, *blocks;
};

template <typename Tick>
temporal::ClockView<Tick> clock_view(const Segment& segment, ClockEncoding encoding,
                                     const ClockSections& names) {
  temporal::ClockView<Tick> view;
  view.encoding = encoding;
  view.start = optional_section<Tick>(segment, names.start);
  if (names.end) view.end = optional_section<Tick>(segment, names.end);
  if (names.offset) view.offset = optional_section<std::uint32_t>(segment, names.offset);
  view.blocks = optional_section<Tick>(segment, names.blocks);
  return view;
}

ClockColumn clock_column(const Segment& segment, ClockEncoding encoding,
                         const ClockSections& names) {
  if (is_wide(segment, names.start)) return clock_view<std::int64_t>(segment, encoding, names);
  return clock_view<std::int32_t>(segment, encoding, names);
}

}  // namespace

FlatRows view_rows(const Segment& segment) {
  const std::string where = text_of(segment.path().filename());
  std::span<const std::uint64_t> counts = segment.section<std::uint64_t>(schema::counts);
  if (counts.size() < 5) check_length(where, "the counts", 8, counts.size());
  FlatRows rows;
  rows.passages = counts[0];
  rows.multi_sentence = counts[1];
  rows.rows = counts[2];
  rows.dimensions = counts[4];
  rows.vectors = segment.checked<float>(schema::vectors);
  rows.row_passage = segment.section<std::uint32_t>(schema::row_passage);
  rows.passage_row = optional_section<std::uint32_t>(segment, schema::passage_row);
  std::span<const double> encoding = optional_section<double>(segment, schema::clock_encoding);
  auto encoded = [&](std::size_t clock) {
    return encoding.size() >= 6 ? ClockEncoding{encoding[2 * clock], encoding[2 * clock + 1]}
                                : ClockEncoding{};
  };
  rows.published = clock_column(segment, encoded(0),
                                {schema::published, nullptr, nullptr, schema::block_published});
  rows.validity = clock_column(
      segment, encoded(1), {schema::valid_start, schema::valid_end, nullptr, schema::block_valid});
  rows.content = clock_column(
      segment, encoded(2),
      {schema::content_start, schema::content_end, schema::content_offset, schema::block_content});
  check_rows(rows, where);
  rows.panels = view_panels(segment, rows.rows, rows.dimensions);
  rows.moments = view_moments(segment, rows.dimensions);
  rows.block_lengths = &segment.block_lengths(rows.rows, rows.dimensions);
  rows.counts = &segment.clock_counts();
  rows.device_key = {segment.cache_key().number(), segment.cache_key().number()};
  return rows;
}

void replace_vectors(FlatRows& rows, const Segment& by) {
  const std::string where = text_of(by.path().filename());
  const std::span<const std::uint64_t> counts = by.section<std::uint64_t>(schema::vector_counts);
  check_length(where, "the counts of vectors", 2, counts.size());
  check_length(where, "the rows", rows.rows, counts[0]);
  rows.vectors = by.checked<float>(schema::vectors);
  rows.dimensions = counts[1];
  check_length(where, "the vectors", rows.rows * rows.dimensions, rows.vectors.size());
  rows.panels = view_panels(by, rows.rows, rows.dimensions);
  rows.moments = view_moments(by, rows.dimensions);
  rows.block_lengths = &by.block_lengths(rows.rows, rows.dimensions);
  rows.device_key.vectors = by.cache_key().number();
}

}  // namespace asof
