// Panels of rows that have none: made of a few thousand rows while they are in cache, used by all
// queries of a batch, and forgotten. Rows come from memory once, as in a scan of floats, and are
// multiplied as narrow numbers; what survives waits and is scored as everywhere (coarse.hpp), so
// that nothing of it shows in results. It decides as well whether that is worth while.
#include <algorithm>
#include <cmath>

#include "index/vector/quantized_scan/coarse.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;
using quantized::Storage;

constexpr std::size_t made_bytes =
    512 * 1024;  // panels in the second-level cache while queries pass over them
constexpr std::size_t stretch_rows = 32 * schema::block_rows;

/// Of queries by some rows: how far products may be from what their panels say, in standard
/// deviations of products; the median over queries.
double doubt(const Request& request, std::span<const std::size_t> queries,
             const inner_product::Kernels& kernels) {
  constexpr std::size_t most_rows = 64;
  const std::size_t d = request.dimensions;
  const FlatRows* rows = &request.segments.front().rows;
  for (const SearchSegment& segment : request.segments)
    rows = segment.rows.rows > rows->rows ? &segment.rows : rows;
  const std::size_t n = std::min(most_rows, rows->rows);
  std::vector<float> vectors(n * d), asked(queries.size() * d), products(queries.size() * n);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(&rows->vectors[i * rows->rows / n * d], d, &vectors[i * d]);
  for (std::size_t i = 0; i < queries.size(); ++i)
    std::copy_n(&request.vectors[queries[i] * d], d, &asked[i * d]);
  LargeVector<std::uint8_t> bytes(quantized::panels(n) * quantized::panel_bytes(Storage::int8, d));
  std::vector<quantized::PanelRecord> records(quantized::panels(n));
  packing::kernels().pack(vectors.data(), d, d, n, bytes.data(), records.data());
  kernels.block(asked.data(), queries.size(), d, vectors.data(), n, d, d, products.data(), n);
  const quantized::QueryBlock block(Storage::int8, asked.data(), queries.size(), d, d);
  std::vector<double> doubts;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    double count = 0, sum = 0, squares = 0, error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double product = products[q * n + i];
      if (!std::isfinite(product)) continue;
      const quantized::PanelRecord& record = records[i / panel_rows];
      count += 1;
      sum += product;
      squares += product * product;
      error += block.view().alpha[q] * record.error[i % panel_rows] +
               block.view().beta[q] * record.length[i % panel_rows];
    }
    const double variance = squares / count - sum / count * (sum / count);
    doubts.push_back(count > 0 && variance > 0 ? error / count / std::sqrt(variance) : infinity);
  }
  const auto middle = doubts.begin() + static_cast<std::ptrdiff_t>(doubts.size() / 2);
  std::nth_element(doubts.begin(), middle, doubts.end());
  return *middle;
}

}  // namespace

bool Coarse::makes(const Request& request, std::size_t first, const std::vector<bool>& queries,
                   const inner_product::Kernels& kernels) {
  constexpr std::size_t least_queries = 16, least_rows = 16 * schema::block_rows,
                        most_dimensions = 8192, asked = 8;
  // Of rows this much apart from what their panels say, some times k come through, and each costs
  // as much as some hundred products.
  constexpr double most_doubt = 0.75;
  if (isa() != Isa::x86_64_v4_vnni && isa() != Isa::x86_64_v4_amx) return false;
  if (request.exactness != Exactness::certified || request.dimensions > most_dimensions ||
      request.segments.empty())
    return false;
  std::vector<std::size_t> taken;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (queries[q]) taken.push_back(first + q);
  }
  std::size_t rows = 0;
  for (const SearchSegment& segment : request.segments) rows = std::max(rows, segment.rows.rows);
  if (taken.size() < least_queries || rows < least_rows) return false;
  for (std::size_t i = 0; i < asked; ++i) taken[i] = taken[i * taken.size() / asked];
  return doubt(request, std::span(taken).first(asked), kernels) <= most_doubt;
}

/// The rows that a stretch may grow to.
std::size_t Coarse::most_stretch() const {
  if (!makes_) return stretch_rows;
  const std::size_t rows =
      made_bytes / quantized::panel_bytes(Storage::int8, request_.dimensions) * panel_rows;
  return std::clamp(rows / schema::block_rows * schema::block_rows, schema::block_rows,
                    stretch_rows);
}

/// The panels of the rows [begin, begin + count): row 0 is the first of its panel.
quantized::Rows Coarse::panels_of(Lane& lane, std::size_t segment, std::size_t begin,
                                  std::size_t count) const {
  const FlatRows& rows = request_.segments[segment].rows;
  const std::size_t d = request_.dimensions, panel = begin / panel_rows, first = panel * panel_rows,
                    n = begin + count - first;
  if (!makes_) {
    const Panels& panels = *rows.panels;
    return {panels.storage, n, d,
            panels.bytes.data() + panel * quantized::panel_bytes(panels.storage, d),
            panels.records.data() + panel};
  }
  if (samples_units() && count > unit_rows)
    return {Storage::int8, n, d, nullptr, nullptr};  // each unit asks for its own
  Lane::Made& made = lane.made;
  if (made.count != n || made.begin != first || made.segment != segment) {
    made.segment = segment;
    made.begin = first;
    made.count = n;
    const std::size_t bytes = quantized::panels(n) * quantized::panel_bytes(Storage::int8, d);
    if (made.bytes.size() < bytes) made.bytes.resize(bytes);
    if (made.records.size() < quantized::panels(n)) made.records.resize(quantized::panels(n));
    packing_.pack(rows.vectors.data() + first * d, d, d, n, made.bytes.data(), made.records.data());
  }
  return {Storage::int8, n, d, made.bytes.data(), made.records.data()};
}

}  // namespace asof::vector
