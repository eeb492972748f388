// Conversion of a query group for the device library, and of its hits.
#include "index/vector/on_device.hpp"

#include <algorithm>
#include <bit>

#include "device/library.hpp"
#include "index/vector/work_queue.hpp"
#include "kernels/inner_product/summing.hpp"
#include "temporal/row_times.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t most_kept = 4096;
constexpr std::size_t most_segments = 65535;
constexpr std::size_t group_queries_most = 1024,
                      group_bytes_most = std::size_t(256) << 20;  // of what its queries find

double max_factor_of(const Form& form) {
  double most = form.outside;
  for (std::size_t l = 0; l < form.line_count; ++l)
    most = std::max({most, form.lines[l].at_start, form.lines[l].at_end});
  return most;
}

/// What words and recency add to a row at most; a recency lies between 0 and 1 / floor_days.
double max_addend_of(const Query& query, std::size_t segment, const standardize::Map& map) {
  double more = 0;
  if (segment < query.lexical.size() && !query.lexical[segment].empty()) {
    const auto [least, most] =
        std::minmax_element(query.lexical[segment].begin(), query.lexical[segment].end());
    more = std::max(query.lexical_weight * static_cast<double>(*least),
                    query.lexical_weight * static_cast<double>(*most));
  }
  if (query.form.combine != Combine::sum) return more;
  const double weight = query.form.weight;
  return more +
         std::max({weight * standardized(map, 0),
                   weight * standardized(map, 1 / query.form.floor_days), weight * map.mean_to});
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
  data.published_until =
      std::visit([](auto until) { return static_cast<std::int64_t>(until); }, mask.published_until);
  std::visit([&](const auto& window) { widen(window, data); }, mask.window);
  return data;
}

cuda::ClockData clock_data(const ClockColumn& column) {
  return std::visit(
      []<typename Tick>(const ClockView<Tick>& clock) -> cuda::ClockData {
        return {sizeof(Tick) == 8,
                clock.encoding.unit_ms,
                clock.encoding.origin_ms,
                clock.start.empty() ? nullptr : clock.start.data(),
                clock.end.empty() ? nullptr : clock.end.data(),
                clock.offset.empty() ? nullptr : clock.offset.data(),
                clock.start.size()};
      },
      column);
}

}  // namespace

cuda::VectorStorage device_storage(const FlatRows& rows) {
  if (rows.panels && rows.panels->storage == quantized::Storage::int8)
    return cuda::VectorStorage::int8;
  if (rows.panels && rows.panels->storage == quantized::Storage::bf16)
    return cuda::VectorStorage::bf16;
  return cuda::VectorStorage::f32;
}

cuda::SegmentData segment_data(const FlatRows& rows) {
  const cuda::VectorStorage stored = device_storage(rows);
  const bool panels = stored != cuda::VectorStorage::f32;
  return {rows.rows,
          rows.passages,
          rows.dimensions,
          stored,
          panels ? rows.panels->bytes.data() : nullptr,
          panels ? rows.panels->records.data() : nullptr,
          rows.vectors.data(),
          rows.row_passage.data(),
          clock_data(rows.published),
          clock_data(rows.validity),
          clock_data(rows.content)};
}

OnDevice::OnDevice(const Request& request) : request_(request) {
  const auto& segments = request.segments;
  // Few passages are looked up faster than a device is asked.
  auto fit = [](const SearchSegment& each) {
    return each.rows.rows == 0 || (each.resident != nullptr && each.blocks.empty());
  };
  fits_ = request.device != nullptr && !segments.empty() && segments.size() <= most_segments &&
          request.k > 0 && request.k <= most_kept &&
          std::all_of(segments.begin(), segments.end(), fit);
}

bool OnDevice::suits(std::size_t q) const {
  const Query& asked = request_.queries[q];
  if (!fits_ || !asked.has_vector || !(asked.semantic_weight > 0)) return false;
  if (asked.form.combine == Combine::product &&
      !(max_factor_of(asked.form) >= 0 && max_factor_of(asked.form) <= 2))
    return false;
  // Finite, and not all zeros.
  std::uint32_t largest = 0;
  for (const float value : request_.vectors.subspan(q * request_.dimensions, request_.dimensions))
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
  return largest < 0x7f800000u && largest > 0;
}

std::size_t OnDevice::group_size(std::size_t rows) const {
  const std::size_t k =
      std::min(request_.k, rows) * (request_.exactness == Exactness::rescored ? 4 : 1);
  return std::clamp<std::size_t>(
      group_bytes_most / (request_.segments.size() * sizeof(Entry) * (3 * k + 64)), 1,
      group_queries_most);
}

struct OnDevice::Parts {
  std::vector<cuda::ScopedSegment> parts;
  std::vector<std::uint32_t> segment_of;  // one a part: empty segments are none
  std::vector<cuda::MaskData> masks;      // segments * masks
  std::vector<const float*> lexical;      // segments * queries, where any query weighs words
  std::vector<double> more;               // segments * queries, where anything adds to a row
};

OnDevice::Parts OnDevice::parts_of(const Group& group) const {
  const std::size_t segments = request_.segments.size();
  const std::span queries = std::span(request_.queries).subspan(group.first, group.size);
  const bool words = std::any_of(queries.begin(), queries.end(),
                                 [](const Query& each) { return each.weighs_words(); });
  const bool adds = words || std::any_of(queries.begin(), queries.end(), [](const Query& each) {
                      return each.form.combine == Combine::sum;
                    });
  Parts made;
  made.masks.reserve(group.compiled.size());
  for (const SegmentMask& mask : group.compiled) made.masks.push_back(mask_data(mask));
  if (words) made.lexical.resize(segments * group.size);
  if (adds) made.more.resize(segments * group.size);
  for (std::size_t s = 0; s < segments; ++s) {
    const SearchSegment& segment = request_.segments[s];
    if (segment.rows.rows == 0) continue;
    for (std::size_t q = 0; q < group.size && adds; ++q) {
      if (words && s < queries[q].lexical.size() && !queries[q].lexical[s].empty())
        made.lexical[s * group.size + q] = queries[q].lexical[s].data();
      made.more[s * group.size + q] = max_addend_of(queries[q], s, group.normalization[q]);
    }
    const auto [begin, end] = in_scope(request_.scope, segment.rows);
    made.segment_of.push_back(static_cast<std::uint32_t>(s));
    made.parts.push_back({segment.resident, begin, end,
                          segment.visible.empty() ? nullptr : segment.visible.data(),
                          made.masks.data() + s * group.masks.size(),
                          words ? made.lexical.data() + s * group.size : nullptr,
                          adds ? made.more.data() + s * group.size : nullptr});
  }
  return made;
}

namespace {

/// Takes what the library hands over.
struct Taking {
  GroupResults& results;
  const std::vector<std::uint32_t>& segment_of;
  const std::size_t k;
  std::vector<Entry> entries;
  std::exception_ptr
      fault;  // no memory: carried past the library, through which nothing may be thrown

  void take(std::uint32_t query, std::span<const cuda::Hit> rows) {
    const std::span<Hit> list = results.list(query, rows.size(), k);
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = {rows[i].score, rows[i].similarity, rows[i].row, rows[i].passage,
                 segment_of[rows[i].segment]};
    if (!list.empty()) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      entries.push_back({rows[i].score, rows[i].similarity, rows[i].row, rows[i].passage});
      if (i + 1 < rows.size() && rows[i + 1].segment == rows[i].segment) continue;
      results.push(segment_of[rows[i].segment], query, entries);
      entries.clear();
    }
  }
};

void take(void* context, std::uint32_t query, const cuda::Hit* rows, std::uint32_t count) noexcept {
  Taking& to = *static_cast<Taking*>(context);
  if (to.fault) return;
  try {
    to.take(query, {rows, count});
  } catch (...) {
    to.fault = std::current_exception();
  }
}

}  // namespace

OnDevice::Counts OnDevice::scan(const Group& group, GroupResults& results,
                                const Cancel& cancel) const {
  std::vector<cuda::QueryData> queries;
  queries.reserve(group.size);
  const std::vector<std::uint32_t> keep(group.keep.begin(), group.keep.end());
  for (std::size_t q = 0; q < group.size; ++q) {
    const Query& asked = request_.queries[group.first + q];
    const standardize::Map& map = group.normalization[q];
    queries.push_back({asked.semantic_weight,
                       asked.lexical_weight,
                       static_cast<std::uint32_t>(group.mask_of[q]),
                       asked.form,
                       {map.mean_from, map.factor, map.mean_to},
                       max_factor_of(asked.form)});
  }
  const Parts made = parts_of(group);
  const std::size_t masks = group.masks.size();
  Counts counts{std::vector<std::uint64_t>(masks), std::vector<std::uint64_t>(group.size)};
  const auto stop = [](void* context) { return static_cast<const Cancel*>(context)->requested(); };
  cuda::SearchRequest data{made.parts.data(),
                           static_cast<std::uint32_t>(made.parts.size()),
                           static_cast<std::uint32_t>(group.size),
                           static_cast<std::uint32_t>(masks),
                           static_cast<std::uint32_t>(request_.dimensions),
                           queries.data(),
                           request_.vectors.data() + group.first * request_.dimensions,
                           keep.data(),
                           request_.pool,
                           request_.exactness,
                           inner_product::summing_of(isa()),
                           stop,
                           const_cast<Cancel*>(&cancel)};
  Taking taking{results, made.segment_of, request_.k, {}, nullptr};
  const cuda::ResultSink found{take, &taking, counts.visible.data(), counts.rescored.data()};
  cuda::Failure failure;
  if (!request_.device->library->search(request_.device->device, &data, &found, &failure))
    throw_device_error(failure);
  if (taking.fault) std::rethrow_exception(taking.fault);
  return counts;
}

}  // namespace asof::vector
