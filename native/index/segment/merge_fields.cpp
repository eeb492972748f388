// Merging of columns.
#include "index/segment/merge_fields.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/path_text.hpp"

namespace asof::fields {
namespace {

constexpr std::uint32_t dropped = 0xffffffff;

OwnedColumn merge_numbers(std::span<const Column> columns, std::span<const Place> passages) {
  std::vector<double> values;
  values.reserve(passages.size());
  for (const Place& place : passages)
    values.push_back(std::get<Numbers>(columns[place.source]).values[place.number]);
  return pack_numbers(std::move(values));
}

OwnedColumn merge_keywords(std::span<const Column> columns,
                           std::span<const std::vector<std::uint32_t>> new_passages,
                           const Cancel& cancel) {
  std::vector<std::size_t> next(columns.size(), 0);
  OwnedColumn merged;
  for (std::size_t step = 0;; ++step) {
    if (step % 1024 == 0) cancel.throw_if_requested();
    std::string_view least;
    bool any = false;
    for (std::size_t s = 0; s < columns.size(); ++s) {
      const auto& column = std::get<Keywords>(columns[s]);
      if (next[s] >= column.size()) continue;
      if (!any || column.value(next[s]) < least) least = column.value(next[s]);
      any = true;
    }
    if (!any) return merged;
    const std::size_t before = merged.passages.size();
    for (std::size_t s = 0; s < columns.size(); ++s) {
      const auto& column = std::get<Keywords>(columns[s]);
      if (next[s] >= column.size() || column.value(next[s]) != least) continue;
      for (const std::uint32_t passage : column.passages_of(next[s])) {
        if (passage >= new_passages[s].size())
          throw Error("ERR_CORPUS_CORRUPT",
                      "Expected a field to name passages of its segment, found another. Restore "
                      "the corpus from a backup, or run asof repair.");
        if (new_passages[s][passage] != dropped)
          merged.passages.push_back(new_passages[s][passage]);
      }
      next[s] += 1;
    }
    if (merged.passages.size() == before) continue;
    std::sort(merged.passages.begin() + static_cast<std::ptrdiff_t>(before), merged.passages.end());
    merged.end_value(least);
  }
}

}  // namespace

void write_merged(SegmentWriter& writer, std::span<const Segment* const> segments,
                  std::span<const Place> passages,
                  std::span<const std::vector<std::uint32_t>> new_passages, const Cancel& cancel) {
  if (segments.empty()) return;
  const Segment& first = *segments.front();
  const std::vector<Column> expected = view_columns(first);
  std::vector<std::vector<Column>> columns(expected.size());
  for (const Segment* segment : segments) {
    const std::vector<Column> own = view_columns(*segment);
    const bool alike = std::ranges::equal(
        own, expected, [](const Column& a, const Column& b) { return a.index() == b.index(); });
    if (!alike)
      throw Error("ERR_CORPUS_CORRUPT",
                  "Expected the fields of " + text_of(first.path()) + " in " +
                      text_of(segment->path()) +
                      ", found others. Restore the corpus from a backup, or run asof repair.");
    for (std::size_t n = 0; n < own.size(); ++n) columns[n].push_back(own[n]);
  }
  if (first.has(schema::passage_schema))
    writer.section<std::uint8_t>(schema::passage_schema,
                                 first.section<std::uint8_t>(schema::passage_schema));
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const OwnedColumn merged = std::holds_alternative<Numbers>(expected[n])
                                   ? merge_numbers(columns[n], passages)
                                   : merge_keywords(columns[n], new_passages, cancel);
    for (const SectionData& section : merged.sections(n)) {
      writer.begin(section.name, section.element);
      writer.append(section.data, section.count);
    }
  }
}

}  // namespace asof::fields
