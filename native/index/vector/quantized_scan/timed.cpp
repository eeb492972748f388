// A spline in the kernel's own filter: a batch whose queries share their form multiplies the
// records of panels by the rows' c, so that survivors are those of the timed score, and not all
// that would be if the best c of the stretch were theirs. See coarse.hpp.
#include <algorithm>
#include <cstring>
#include <limits>

#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

bool same_line(const Line& a, const Line& b) {
  return a.window == b.window && a.at_start == b.at_start && a.at_end == b.at_end &&
         a.longest_ms == b.longest_ms;
}

bool same_spline(const Form& a, const Form& b) {
  if (a.combine != b.combine || a.clock != b.clock || a.validity_first != b.validity_first ||
      a.outside != b.outside)
    return false;
  return a.line_count == b.line_count &&
         std::equal(a.lines.begin(), a.lines.begin() + static_cast<std::ptrdiff_t>(a.line_count),
                    b.lines.begin(), same_line);
}

using Four = float __attribute__((vector_size(16)));  // which every processor has

Four four_of(const float* from) {
  Four values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}

float greatest(Four values) {
  float most = 0;
  for (std::size_t lane = 0; lane < 4; ++lane) most = values[lane] > most ? values[lane] : most;
  return most;
}

/// `from` with the products and errors of its rows times `factor`, each rounded once more, for
/// which the kernel's bound has room. A row that survives always still does.
void time_record(const quantized::PanelRecord& from, const float* factor,
                 quantized::PanelRecord& to) {
  constexpr float largest = std::numeric_limits<float>::max();
  Four most_error{}, most_length{};
  for (std::size_t r = 0; r < panel_rows; r += 4) {
    const Four c = four_of(factor + r), known = four_of(from.error + r);
    const Four scale = four_of(from.scale + r) * c, error = known > largest ? known : known * c,
               length = four_of(from.length + r) * c;
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

bool Coarse::have_one_spline() const {
  constexpr std::size_t several = 4;
  if (slots_.size() < several || words_ || request_.exactness != Exactness::certified) return false;
  const Form& form = query(slots_.front().q).form;
  if (form.combine != Combine::product) return false;
  auto plain = [](double c) { return c >= 0 && c <= 2; };
  if (!plain(form.outside)) return false;
  for (std::size_t l = 0; l < form.line_count; ++l) {
    if (!plain(form.lines[l].at_start) || !plain(form.lines[l].at_end)) return false;
  }
  return std::all_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return same_spline(query(slot.q).form, form); });
}

/// Sets the lane's factors and records of a stretch, and what slots then need of similarity times
/// c; false, where it is not to be had.
bool Coarse::time_records(Call& call, std::size_t begin, std::size_t count) {
  Lane& lane = call.lane;
  const FlatRows& rows = request_.segments[call.segment].rows;
  if (!one_spline_ || (!makes_ && rows.panels->storage != quantized::Storage::int8)) return false;
  // A product below 0 times c is not its score, which tells nothing where no row is left out, and
  // what is above 0 nothing below reaches.
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const double threshold = threshold_of(s);
    if (!(threshold > 0) && !(exact_spline_ && threshold == -infinity)) return false;
  }
  const quantized::Rows given = panels_of(lane, call.segment, begin, count);
  const std::size_t panels = quantized::panels(given.n), shift = begin % panel_rows;
  lane.row_factors.assign(panels * panel_rows, 0);
  if (!most_splines_of(query(slots_.front().q).form, rows, begin, count, splines_,
                       lane.row_factors.data() + shift))
    return false;
  lane.timed.resize(panels);
  for (std::size_t p = 0; p < panels; ++p)
    time_record(given.records[p], &lane.row_factors[p * panel_rows], lane.timed[p]);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (lane.thresholds[s] == std::numeric_limits<float>::infinity()) continue;
    lane.factors[s] = 1;
    const double threshold = threshold_of(
        s);  // which another thread may have raised since, to what is still not above 0
    lane.thresholds[s] = least_without_more(lane, s, threshold > 0 ? threshold : -infinity);
  }
  return true;
}

}  // namespace asof::vector
