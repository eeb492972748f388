// Panel records scaled by temporal factors.
#include "index/vector/quantized_scan/temporal_bounds.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace asof::vector {
namespace {

using quantized::panel_rows;

using Four = float __attribute__((vector_size(16)));  // SSE2 and NEON baseline

Four load_four(const float* from) {
  Four values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}

float greatest(Four values) {
  float most = 0;
  for (std::size_t i = 0; i < 4; ++i) most = values[i] > most ? values[i] : most;
  return most;
}

/// The record with products and errors times each row's factor, rounded once more, which the
/// kernel's bound allows. An infinite error stays infinite.
void scale_record(const quantized::PanelRecord& from, const float* factors,
                  quantized::PanelRecord& to) {
  constexpr float largest = std::numeric_limits<float>::max();
  Four most_error{}, most_length{};
  for (std::size_t r = 0; r < panel_rows; r += 4) {
    const Four factor = load_four(factors + r), unscaled = load_four(from.error + r);
    const Four scale = load_four(from.scale + r) * factor,
               error = unscaled > largest ? unscaled : unscaled * factor,
               length = load_four(from.length + r) * factor;
    std::memcpy(to.scale + r, &scale, sizeof(scale));
    std::memcpy(to.error + r, &error, sizeof(error));
    std::memcpy(to.length + r, &length, sizeof(length));
    most_error = error > most_error ? error : most_error;
    most_length = length > most_length ? length : most_length;
  }
  to.most_error = greatest(most_error);
  to.most_length = greatest(most_length);
}

}  // namespace

void TemporalBounds::tighten_range(std::size_t s, const KernelTerms& terms,
                                   RowBounds& bounds) const {
  const double threshold = thresholds().threshold(s);
  if (terms.row_factors != nullptr && !(threshold > 0)) return;  // no bound of scaled products
  tighten(s, threshold, bounds);
}

/// None where the panels' records do not scale, or a threshold is not above 0: a negative product
/// times its factor is no bound of its score. (Without a threshold every row survives anyway.)
KernelTerms TemporalBounds::kernel_terms(const RangeScope& range, const PanelRange& panels,
                                         RowBounds& bounds) const {
  if (panels.rows.storage != quantized::Storage::int8) return {};
  for (std::size_t s = 0; s < plan().size(); ++s) {
    const double threshold = thresholds().threshold(s);
    if (!(threshold > 0) && !(plan().exact_factors() && threshold == -infinity)) return {};
  }
  const SegmentRange& rows = range.rows;
  const std::size_t count = quantized::panels(panels.rows.n), shift = rows.begin % panel_rows;
  // Rows of the first and the last panel may be none of the range's.
  bounds.row_factors.resize(count * panel_rows);
  std::fill_n(bounds.row_factors.begin(), std::min(shift, bounds.row_factors.size()), 0.0f);
  std::fill(bounds.row_factors.end() - panel_rows, bounds.row_factors.end(), 0.0f);
  if (!max_values_of(plan().slot(0).query->form, plan().request().segments[rows.segment].rows,
                     {rows.begin, rows.count}, kernels_, bounds.row_factors.data() + shift))
    return {};
  bounds.scaled_records.resize(count);
  for (std::size_t p = 0; p < count; ++p)
    scale_record(panels.rows.records[p], &bounds.row_factors[p * panel_rows],
                 bounds.scaled_records[p]);
  for (std::size_t s = 0; s < plan().size(); ++s) {
    if (bounds.min_similarity[s] == RowBounds::unreachable) continue;
    bounds.max_factor[s] = 1;
    const double threshold = thresholds().threshold(s);  // another thread may have raised it
    update(s, threshold > 0 ? threshold : -infinity, bounds);
  }
  KernelTerms terms;
  terms.scaled_records = bounds.scaled_records.data();
  terms.row_factors = bounds.row_factors.data();
  return terms;
}

bool TemporalBounds::unit_terms(const SegmentRange& unit, float* buffer, UnitTerms& terms) const {
  terms.factors = buffer;
  return max_values_of(plan().slot(0).query->form, plan().request().segments[unit.segment].rows,
                       {unit.begin, unit.count}, kernels_, buffer);
}

}  // namespace asof::vector
