// Dates of rows and block-wise writing of fused vectors.
#include "index/segment/fused_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "index/segment/panels.hpp"
#include "index/segment/segment_rows.hpp"
#include "index/segment/segment_writer.hpp"
#include "index/segment/vector_moments.hpp"
#include "kernels/calendar/contract.hpp"

namespace asof {
namespace {

constexpr std::size_t piece_rows = 8192;
constexpr double day = 86'400'000, longest_month = 31 * day;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Instants that represent intervals, and their granularity.
struct Instants {
  std::vector<double> at, first, last;  // of an interval of several years, its ends
  std::vector<std::uint8_t> granularity;
};

// timeTupleOf of lib/time/tuple.ts, up to the calendar.
void add_instant(double start, double end, Instants& instants) {
  const bool open_start = std::isinf(start), open_end = std::isinf(end);
  double at = none, first = none, last = none;
  std::uint8_t granularity = calendar::granularity_day;
  // With one open end, the day at the other.
  if (open_start && !open_end) start = end - day;
  if (open_end && !open_start) end = start + day;
  if (start < end && !std::isinf(start)) {
    const double length = end - start;
    at = length <= day ? start : start + std::floor(length / 2);
    if (length > day) granularity = calendar::granularity_month;
    if (length > longest_month) {
      granularity = calendar::granularities - 1;
      first = start;
      last = end - 1;
    }
  }
  instants.at.push_back(at);
  instants.first.push_back(first);
  instants.last.push_back(last);
  instants.granularity.push_back(granularity);
}

template <typename Tick>
void row_interval(const temporal::ClockView<Tick>& clock, std::size_t row, double& start,
                  double& end) {
  start = end = none;
  temporal::each_time(clock, row, [&](std::size_t, Tick from, Tick to) {
    const double begins = milliseconds_of(from, clock.encoding),
                 ends = milliseconds_of(to, clock.encoding);
    if (std::isnan(start) || (begins >= start && ends <= end)) {
      start = begins;
      end = ends;
    }
    return false;
  });
}

Dates sized(std::size_t n) {
  return {std::vector<std::int32_t>(n), std::vector<std::uint8_t>(n), std::vector<std::uint8_t>(n),
          std::vector<std::uint16_t>(n), std::vector<std::uint8_t>(n)};
}

Dates parts_of(const std::vector<double>& instants, const std::vector<std::uint8_t>& granularity) {
  Dates dates = sized(instants.size());
  calendar::kernels().parts(instants.data(), granularity.data(), instants.size(), dates.parts());
  return dates;
}

}  // namespace

Dates content_dates(const Segment& segment, const Cancel& cancel) {
  const FlatRows rows = view_rows(segment);
  Instants instants;
  std::visit(
      [&](const auto& clock) {
        for (std::size_t row = 0; row < rows.rows; ++row) {
          if (row % piece_rows == 0) cancel.throw_if_requested();
          double start, end;
          row_interval(clock, row, start, end);
          add_instant(start, end, instants);
        }
      },
      rows.content);
  Dates dates = parts_of(instants.at, instants.granularity);
  const Dates first = parts_of(instants.first, instants.granularity),
              last = parts_of(instants.last, instants.granularity);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    // By years where there are several: by milliseconds, leap days would move the middle of the
    // 2000s into 2004.
    if (first.mask[row] == 0 || last.mask[row] == 0 || last.year[row] - first.year[row] <= 1)
      continue;
    dates.year[row] = static_cast<std::int32_t>(
        std::floor((static_cast<double>(first.year[row]) + last.year[row] + 1) / 2));
  }
  return dates;
}

void write_fused_vectors(OutputFile& file, const Segment& segment, const RowDates& times,
                         std::span<const SectionData> extra, const Cancel& cancel) {
  const auto& [encoder, dates] = times;
  const FlatRows rows = view_rows(segment);
  const std::size_t d = encoder.network().dimensions, across = encoder.network().fused();
  if (rows.dimensions != d) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected a segment of vectors of " + std::to_string(d) +
                    " components, received one of " + std::to_string(rows.dimensions) +
                    ". Give the time encoder that fits the corpus's encoder.");
  }
  if (dates.count() != rows.rows) {
    throw Error("ERR_INVALID_ARGUMENT", "Expected " + std::to_string(rows.rows) +
                                            " dates, one a row, received " +
                                            std::to_string(dates.count()) + ".");
  }
  SegmentWriter writer(file, cancel);
  for (const SectionData& section : extra) {
    writer.begin(section.name, section.element);
    writer.append(section.data, section.count);
  }
  const std::uint64_t counts[] = {rows.rows, across};
  writer.section<std::uint64_t>(schema::vector_counts, counts);
  writer.begin(schema::vectors, Element::f32);
  std::vector<float> fused(std::min(piece_rows, rows.rows) * across);
  const calendar::Parts all = dates.parts();
  for (std::size_t from = 0; from < rows.rows; from += piece_rows) {
    const std::size_t n = std::min(piece_rows, rows.rows - from);
    const calendar::Parts some{all.year + from, all.month + from, all.day + from,
                               all.day_of_year + from, all.mask + from};
    encoder.fuse(some, rows.vectors.subspan(from * d, n * d), n,
                 std::span<float>(fused).first(n * across), cancel);
    writer.append(fused.data(), n * across);
  }
  const std::optional<Panels> panels = view_panels(segment, rows.rows, d);
  append_panels(writer, rows.rows, across, panels ? Storage(panels->storage) : Storage(), cancel);
  append_moments(writer, {rows.multi_sentence, rows.passages, rows.rows}, across, cancel);
  writer.finish();
}

}  // namespace asof
