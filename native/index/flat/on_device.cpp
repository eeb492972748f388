// See on_device.hpp.
#include "index/flat/on_device.hpp"

#include <algorithm>
#include <bit>

#include "index/device/library.hpp"
#include "index/flat/times/row_times.hpp"
#include "kernels/inner_product/summing.hpp"

namespace asof::flat {
namespace {

constexpr std::size_t most_kept = 4096;
constexpr std::size_t most_segments = 65535;
constexpr std::size_t group_queries_most = 1024, group_bytes_most = std::size_t(256) << 20;  // of what its queries find

double most_factor_of(const Form& form) {
  double most = form.outside;
  for (std::size_t l = 0; l < form.line_count; ++l) most = std::max({most, form.lines[l].at_start, form.lines[l].at_end});
  return most;
}

/// What words and recency add to a row at most; a recency lies between 0 and 1 / floor_days.
double most_more_of(const Query& query, std::size_t segment, const standardize::Map& map) {
  double more = 0;
  if (segment < query.lexical.size() && !query.lexical[segment].empty()) {
    const auto [least, most] = std::minmax_element(query.lexical[segment].begin(), query.lexical[segment].end());
    more = std::max(query.lexical_weight * static_cast<double>(*least), query.lexical_weight * static_cast<double>(*most));
  }
  if (query.form.combine != Combine::sum) return more;
  const double weight = query.form.weight;
  return more + std::max({weight * standardized(map, 0), weight * standardized(map, 1 / query.form.floor_days), weight * map.mean_to});
}

template <typename Tick>
void widen(const WindowTicks<Tick>& window, cuda::MaskData& out) {
  out.start_floor = window.start_floor;
  out.start_ceil = window.start_ceil;
  out.end_floor = window.end_floor;
  out.end_ceil = window.end_ceil;
  out.last_ceil = window.last_ceil;
}

cuda::MaskData mask_data(const SegmentMask& mask) {
  cuda::MaskData data;
  data.has_published = mask.has_published;
  data.has_window = mask.has_window;
  data.relation = mask.relation;
  data.clock = mask.clock;
  data.published_until = std::visit([](auto until) { return static_cast<std::int64_t>(until); }, mask.published_until);
  std::visit([&](const auto& window) { widen(window, data); }, mask.window);
  return data;
}

cuda::ClockData clock_data(const ClockColumn& column) {
  return std::visit([]<typename Tick>(const ClockView<Tick>& clock) -> cuda::ClockData {
    return {sizeof(Tick) == 8, clock.encoding.unit_ms, clock.encoding.origin_ms, clock.start.empty() ? nullptr : clock.start.data(),
            clock.end.empty() ? nullptr : clock.end.data(), clock.offset.empty() ? nullptr : clock.offset.data(), clock.start.size()};
  }, column);
}

}  // namespace

cuda::Stored multiplied_as(const FlatRows& rows) {
  if (rows.panels && rows.panels->storage == quantized::Storage::int8) return cuda::Stored::int8;
  if (rows.panels && rows.panels->storage == quantized::Storage::bf16) return cuda::Stored::bf16;
  return cuda::Stored::f32;
}

cuda::SegmentData segment_data(const FlatRows& rows) {
  const cuda::Stored stored = multiplied_as(rows);
  const bool panels = stored != cuda::Stored::f32;
  return {rows.rows, rows.passages, rows.dimensions, stored, panels ? rows.panels->bytes.data() : nullptr, panels ? rows.panels->records.data() : nullptr,
          rows.vectors.data(), rows.row_passage.data(), clock_data(rows.published), clock_data(rows.validity), clock_data(rows.content)};
}

bool OnDevice::suits(std::size_t q) const {
  const Query& asked = request_.queries[q];
  if (request_.device == nullptr || request_.segments.empty() || request_.segments.size() > most_segments) return false;
  if (!asked.has_vector || !(asked.semantic_weight > 0) || request_.k == 0 || request_.k > most_kept) return false;
  // Few passages are looked up faster than a device is asked.
  auto unfit = [](const SearchSegment& each) { return each.rows.rows > 0 && (each.resident == nullptr || !each.blocks.empty()); };
  if (std::any_of(request_.segments.begin(), request_.segments.end(), unfit)) return false;
  if (asked.form.combine == Combine::product && !(most_factor_of(asked.form) >= 0 && most_factor_of(asked.form) <= 2)) return false;
  // Finite, and not all zeros.
  std::uint32_t largest = 0;
  for (const float value : request_.vectors.subspan(q * request_.dimensions, request_.dimensions)) largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
  return largest < 0x7f800000u && largest > 0;
}

std::size_t OnDevice::group_size(std::size_t rows) const {
  const std::size_t k = std::min(request_.k, rows) * (request_.exactness == Exactness::rescored ? 4 : 1);
  return std::clamp<std::size_t>(group_bytes_most / (request_.segments.size() * sizeof(Entry) * (3 * k + 64)), 1, group_queries_most);
}

OnDevice::Counts OnDevice::scan(const Group& group, Finds& finds, const Cancel& cancel) const {
  const std::size_t masks = group.masks.size();
  std::vector<cuda::QueryData> queries(group.size);
  std::vector<std::uint32_t> keep(group.keep.begin(), group.keep.end());
  for (std::size_t q = 0; q < group.size; ++q) {
    const Query& asked = request_.queries[group.first + q];
    const standardize::Map& map = group.standards[q];
    queries[q] = {asked.semantic_weight, asked.lexical_weight, static_cast<std::uint32_t>(group.mask_of[q]), asked.form,
                  {map.mean_from, map.factor, map.mean_to}, most_factor_of(asked.form)};
  }
  const std::size_t segments = request_.segments.size();
  std::vector<cuda::MaskData> compiled;
  for (const SegmentMask& mask : group.compiled) compiled.push_back(mask_data(mask));
  std::vector<const float*> lexical(segments * group.size);
  std::vector<double> more(segments * group.size);
  std::vector<cuda::Part> parts;
  std::vector<std::size_t> segment_of;  // one a part: empty segments are none
  for (std::size_t s = 0; s < segments; ++s) {
    const SearchSegment& segment = request_.segments[s];
    if (segment.rows.rows == 0) continue;
    for (std::size_t q = 0; q < group.size; ++q) {
      const Query& asked = request_.queries[group.first + q];
      if (s < asked.lexical.size() && !asked.lexical[s].empty()) lexical[s * group.size + q] = asked.lexical[s].data();
      more[s * group.size + q] = most_more_of(asked, s, group.standards[q]);
    }
    const std::size_t begin = request_.scope == Scope::sentences ? segment.rows.whole : 0;
    const std::size_t end = request_.scope == Scope::passages ? segment.rows.passages : segment.rows.rows;
    segment_of.push_back(s);
    parts.push_back({segment.resident, begin, end, segment.visible.empty() ? nullptr : segment.visible.data(), compiled.data() + s * masks,
                     lexical.data() + s * group.size, more.data() + s * group.size});
  }
  Counts counts{std::vector<std::uint64_t>(masks), std::vector<std::uint64_t>(group.size)};
  const auto stop = [](void* context) { return static_cast<const Cancel*>(context)->requested(); };
  cuda::SearchData data{parts.data(), static_cast<std::uint32_t>(parts.size()), static_cast<std::uint32_t>(group.size), static_cast<std::uint32_t>(masks),
                        static_cast<std::uint32_t>(request_.dimensions), queries.data(), request_.vectors.data() + group.first * request_.dimensions,
                        keep.data(), request_.pool, request_.exactness, inner_product::summing_of(isa()), stop, const_cast<Cancel*>(&cancel)};
  struct Taking {
    Finds& finds;
    const std::vector<std::size_t>& segment_of;
    std::vector<Entry> entries;
    std::exception_ptr fault;  // no memory: carried past the library, through which nothing may be thrown
  } taking{finds, segment_of, {}, nullptr};
  const auto take = [](void* context, std::uint32_t query, const cuda::FoundRow* rows, std::uint32_t count) noexcept {
    Taking& to = *static_cast<Taking*>(context);
    if (to.fault) return;
    try {
      for (std::uint32_t i = 0; i < count; ++i) {
        to.entries.push_back({rows[i].score, rows[i].similarity, rows[i].row, rows[i].passage});
        if (i + 1 < count && rows[i + 1].part == rows[i].part) continue;
        to.finds.push(to.segment_of[rows[i].part], query, to.entries);
        to.entries.clear();
      }
    } catch (...) {
      to.fault = std::current_exception();
    }
  };
  const cuda::FoundData found{take, &taking, counts.visible.data(), counts.rescored.data()};
  cuda::Failure failure;
  if (!request_.device->library->search(request_.device->device, &data, &found, &failure)) refuse_device(failure);
  if (taking.fault) std::rethrow_exception(taking.fault);
  return counts;
}

}  // namespace asof::flat
