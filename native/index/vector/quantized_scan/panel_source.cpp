// On-the-fly panels, and the estimate of their cost.
#include "index/vector/quantized_scan/panel_source.hpp"

#include <algorithm>
#include <cmath>

namespace asof::vector {
namespace {

using quantized::panel_rows;
using quantized::Storage;

constexpr std::size_t buffer_bytes = 512 * 1024;  // stays in the second-level cache
constexpr std::size_t range_rows = 32 * block_rows;

/// Error bound of int8 products in standard deviations of the products: the median of the queries,
/// estimated from some rows of the largest segment.
double relative_error(const Request& request, std::span<const std::size_t> queries,
                      const inner_product::Kernels& kernels) {
  constexpr std::size_t max_rows = 64;
  const std::size_t d = request.dimensions;
  const FlatRows* rows = &request.segments.front().rows;
  for (const VisibleRows& segment : request.segments)
    rows = segment.rows.rows > rows->rows ? &segment.rows : rows;
  const std::size_t n = std::min(max_rows, rows->rows);
  std::vector<float> vectors(n * d), sample(queries.size() * d), products(queries.size() * n);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(rows->vectors_at(i * rows->rows / n), d, &vectors[i * d]);
  for (std::size_t i = 0; i < queries.size(); ++i)
    std::copy_n(&request.vectors[queries[i] * d], d, &sample[i * d]);
  HugePageVector<std::uint8_t> bytes(quantized::panels(n) *
                                     quantized::panel_bytes(Storage::int8, d));
  std::vector<quantized::PanelRecord> records(quantized::panels(n));
  packing::kernels().pack({vectors.data(), n, d}, d, bytes.data(), records.data());
  kernels.block({sample.data(), queries.size(), d}, {vectors.data(), n, d}, d, products.data(), n);
  const quantized::QueryBlock block(Storage::int8, sample.data(), queries.size(), d, d);
  std::vector<double> errors;
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
    errors.push_back(count > 0 && variance > 0 ? error / count / std::sqrt(variance) : infinity);
  }
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  return *middle;
}

}  // namespace

bool PanelSource::pays_on_the_fly(const Request& request, std::size_t first,
                                  const std::vector<bool>& active,
                                  const inner_product::Kernels& kernels) {
  constexpr std::size_t min_queries = 16, min_rows = 16 * block_rows, max_dimensions = 8192,
                        sample_queries = 8;
  // With larger errors several times k rows survive, each as expensive as a hundred products.
  constexpr double max_relative_error = 0.75;
  if (isa() < Isa::x86_64_v4_vnni) return false;
  if (request.exactness != Exactness::certified || request.dimensions > max_dimensions ||
      request.segments.empty())
    return false;
  std::vector<std::size_t> queries;
  for (std::size_t q = 0; q < active.size(); ++q) {
    if (active[q]) queries.push_back(first + q);
  }
  std::size_t rows = 0;
  for (const VisibleRows& segment : request.segments) rows = std::max(rows, segment.rows.rows);
  if (queries.size() < min_queries || rows < min_rows) return false;
  for (std::size_t i = 0; i < sample_queries; ++i)
    queries[i] = queries[i * queries.size() / sample_queries];
  return relative_error(request, std::span(queries).first(sample_queries), kernels) <=
         max_relative_error;
}

std::size_t PanelSource::max_range_rows() const {
  if (!on_the_fly_) return range_rows;
  const std::size_t rows =
      buffer_bytes / quantized::panel_bytes(Storage::int8, request_.dimensions) * panel_rows;
  return std::clamp(rows / block_rows * block_rows, block_rows, range_rows);
}

PanelRange PanelSource::shape(const SegmentRange& rows) const {
  const std::size_t d = request_.dimensions, panel = rows.begin / panel_rows,
                    n = rows.begin + rows.count - panel * panel_rows;
  if (on_the_fly_) return {{Storage::int8, n, d, nullptr, nullptr}, rows.segment, panel};
  const Panels& panels = *request_.segments[rows.segment].rows.panels;
  return {{panels.storage, n, d,
           panels.bytes.data() + panel * quantized::panel_bytes(panels.storage, d),
           panels.records.data() + panel},
          rows.segment,
          panel};
}

PanelRange PanelSource::panels(const SegmentRange& rows, Buffer& buffer) const {
  PanelRange range = shape(rows);
  if (!on_the_fly_) return range;
  const std::size_t n = range.rows.n, d = request_.dimensions,
                    first = range.first_panel * panel_rows;
  SegmentRange& packed = buffer.rows;
  if (packed.count != n || packed.begin != first || packed.segment != rows.segment) {
    packed = {rows.segment, first, n};
    const std::size_t bytes = quantized::panels(n) * quantized::panel_bytes(Storage::int8, d);
    if (buffer.bytes.size() < bytes) buffer.bytes.resize(bytes);
    if (buffer.records.size() < quantized::panels(n)) buffer.records.resize(quantized::panels(n));
    packing_.pack({request_.segments[rows.segment].rows.vectors_at(first, n), n, d}, d,
                  buffer.bytes.data(), buffer.records.data());
  }
  range.rows.panels = buffer.bytes.data();
  range.rows.records = buffer.records.data();
  return range;
}

}  // namespace asof::vector
