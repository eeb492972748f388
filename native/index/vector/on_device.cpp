// Conversion of a query group for the device library, and of its hits.
#include "index/vector/on_device.hpp"

#include <algorithm>
#include <bit>

#include "device/library.hpp"
#include "index/vector/work_queue.hpp"
#include "kernels/inner_product/summing.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t max_k = 4096;
constexpr std::size_t max_segments = 65535;
constexpr std::size_t max_group_queries = 1024;
constexpr std::size_t max_group_bytes = std::size_t(256) << 20;  // of hits

/// Upper bound of the lexical part of a row's score and what its form adds.
double max_addend_of(const Query& query, std::size_t segment, const standardize::Map& map) {
  double more = 0;
  if (segment < query.lexical.size() && !query.lexical[segment].empty()) {
    const auto [least, most] =
        std::minmax_element(query.lexical[segment].begin(), query.lexical[segment].end());
    more = std::max(query.lexical_weight * static_cast<double>(*least),
                    query.lexical_weight * static_cast<double>(*most));
  }
  if (query.form.combine != temporal::Combine::sum) return more;
  const auto [least, greatest] = temporal::range(query.form);
  auto added = [&](double value) { return query.form.weight * temporal::standardized(map, value); };
  return more + std::max({added(least), added(greatest), added(temporal::undated(query.form))});
}

template <typename Tick>
void widen(const temporal::WindowTicks<Tick>& window, cuda::MaskData& out) {
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
      []<typename Tick>(const temporal::ClockView<Tick>& clock) -> cuda::ClockData {
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
          rows.vectors_at(0, rows.rows),
          rows.row_passage.data(),
          clock_data(rows.published),
          clock_data(rows.validity),
          clock_data(rows.content)};
}

OnDevice::OnDevice(const Request& request) : request_(request) {
  const auto& segments = request.segments;
  // A search of few passages is faster on the host.
  auto resident = [](const VisibleRows& each) {
    return each.rows.rows == 0 || (each.resident != nullptr && each.blocks.empty());
  };
  supported_ = request.device != nullptr && !segments.empty() && segments.size() <= max_segments &&
               request.k > 0 && request.k <= max_k &&
               std::all_of(segments.begin(), segments.end(), resident);
}

bool OnDevice::suits(std::size_t q) const {
  const Query& query = request_.queries[q];
  if (!supported_ || !query.has_vector || !(query.semantic_weight > 0)) return false;
  if (query.form.combine == temporal::Combine::product &&
      !(temporal::max_factor(query.form) >= 0 && temporal::max_factor(query.form) <= 2))
    return false;
  // Finite, and not all zeros.
  std::uint32_t largest = 0;
  for (const float value : request_.vectors.subspan(q * request_.dimensions, request_.dimensions))
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
  return largest < 0x7f800000u && largest > 0;
}

std::size_t OnDevice::max_group_size(std::size_t rows) const {
  const std::size_t k =
      std::min(request_.k, rows) * (request_.exactness == Exactness::rescored ? 4 : 1);
  return std::clamp<std::size_t>(
      max_group_bytes / (request_.segments.size() * sizeof(Entry) * (3 * k + 64)), 1,
      max_group_queries);
}

struct OnDevice::Segments {
  std::vector<cuda::ScopedSegment> scoped;  // without empty ones
  std::vector<std::uint32_t> number;        // one a scoped segment: in the request
  std::vector<cuda::MaskData> masks;        // segments * masks
  std::vector<const float*> lexical;        // segments * queries, or empty
  std::vector<double> max_addend;           // segments * queries, or empty
};

OnDevice::Segments OnDevice::segments_of(const SearchGroup& group,
                                         const std::vector<standardize::Map>& normalization) const {
  const std::size_t segments = request_.segments.size();
  const std::span queries = std::span(request_.queries).subspan(group.first, group.size);
  const bool words = std::any_of(queries.begin(), queries.end(),
                                 [](const Query& each) { return each.weighs_words(); });
  const bool adds = words || std::any_of(queries.begin(), queries.end(), [](const Query& each) {
                      return each.form.combine == temporal::Combine::sum;
                    });
  Segments data;
  data.masks.reserve(group.masks.compiled.size());
  for (const SegmentMask& mask : group.masks.compiled) data.masks.push_back(mask_data(mask));
  if (words) data.lexical.resize(segments * group.size);
  if (adds) data.max_addend.resize(segments * group.size);
  for (std::size_t s = 0; s < segments; ++s) {
    const VisibleRows& segment = request_.segments[s];
    if (segment.rows.rows == 0) continue;
    for (std::size_t q = 0; q < group.size && adds; ++q) {
      if (words && s < queries[q].lexical.size() && !queries[q].lexical[s].empty())
        data.lexical[s * group.size + q] = queries[q].lexical[s].data();
      data.max_addend[s * group.size + q] = max_addend_of(queries[q], s, normalization[q]);
    }
    const auto [begin, end] = in_scope(request_.scope, segment.rows);
    data.number.push_back(static_cast<std::uint32_t>(s));
    data.scoped.push_back({segment.resident, begin, end,
                           segment.visible.empty() ? nullptr : segment.visible.data(),
                           data.masks.data() + s * group.masks.distinct.size(),
                           words ? data.lexical.data() + s * group.size : nullptr,
                           adds ? data.max_addend.data() + s * group.size : nullptr});
  }
  return data;
}

namespace {

/// Receiver of the library's hits.
struct HitReceiver {
  GroupResults& results;
  const std::vector<std::uint32_t>& segment_numbers;
  const std::size_t k;
  std::vector<Entry> entries;
  std::exception_ptr error;  // out of memory: no exception may cross the library

  void take(std::uint32_t query, std::span<const cuda::Hit> rows) {
    const std::span<Hit> list = results.list(query, rows.size(), k);
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = {rows[i].score, rows[i].similarity, rows[i].row, rows[i].passage,
                 segment_numbers[rows[i].segment]};
    if (!list.empty()) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      entries.push_back({rows[i].score, rows[i].similarity, rows[i].row, rows[i].passage});
      if (i + 1 < rows.size() && rows[i + 1].segment == rows[i].segment) continue;
      results.push(segment_numbers[rows[i].segment], query, entries);
      entries.clear();
    }
  }
};

void take(void* context, std::uint32_t query, const cuda::Hit* rows, std::uint32_t count) noexcept {
  HitReceiver& receiver = *static_cast<HitReceiver*>(context);
  if (receiver.error) return;
  try {
    receiver.take(query, {rows, count});
  } catch (...) {
    receiver.error = std::current_exception();
  }
}

}  // namespace

OnDevice::Counts OnDevice::scan(SearchGroup& group,
                                const std::vector<standardize::Map>& normalization,
                                const Cancel& cancel) const {
  std::vector<cuda::QueryData> queries;
  queries.reserve(group.size);
  const std::vector<std::uint32_t> keep(group.keep.begin(), group.keep.end());
  for (std::size_t q = 0; q < group.size; ++q) {
    const Query& query = request_.queries[group.first + q];
    const standardize::Map& map = normalization[q];
    queries.push_back({query.semantic_weight, query.lexical_weight,
                       static_cast<std::uint32_t>(group.masks.number[q]), query.form, map,
                       temporal::max_factor(query.form)});
  }
  const Segments segments = segments_of(group, normalization);
  const std::size_t masks = group.masks.distinct.size();
  Counts counts{std::vector<std::uint64_t>(masks), std::vector<std::uint64_t>(group.size)};
  const auto stop = [](void* context) { return static_cast<const Cancel*>(context)->requested(); };
  cuda::SearchRequest data{segments.scoped.data(),
                           static_cast<std::uint32_t>(segments.scoped.size()),
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
  HitReceiver receiver{group.results, segments.number, request_.k, {}, nullptr};
  const cuda::ResultSink sink{take, &receiver, counts.visible.data(), counts.rescored.data()};
  cuda::Failure failure;
  if (!request_.device->library->search(request_.device->device, &data, &sink, &failure))
    throw_device_error(failure);
  if (receiver.error) std::rethrow_exception(receiver.error);
  return counts;
}

}  // namespace asof::vector
