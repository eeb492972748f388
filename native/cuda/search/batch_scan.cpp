// Synchronous scan of a batch, and the products of its rows and queries. See batch_search.hpp.
#include <algorithm>

#include "cuda/search/batch_search.hpp"
#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

constexpr std::uint32_t group_rows = 64;    // granularity of chunks
constexpr std::uint32_t first_groups = 32;  // every row survives until there is a threshold
constexpr std::uint32_t max_chunk_groups = 1u << 22;

std::uint32_t round_up(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

candidates::SurvivorFilter BatchSearch::filter_for(std::uint32_t segment,
                                                   const std::uint32_t* sampled) const {
  const SegmentContext& context = segments_[segment];
  const candidates::BoundMode mode = approximate_ && context.segment.has_panels()
                                         ? candidates::BoundMode::approximate
                                         : candidates::BoundMode::certified;
  return {context.columns,
          context.descriptors,
          context.masks,
          lists_.lists(),
          sampled,
          static_cast<std::uint16_t>(segment),
          mode};
}

void BatchSearch::scan(std::uint32_t s) {
  const SegmentContext& context = segments_[s];
  const DeviceSegment& segment = context.segment;
  if (context.scope() == 0) return;
  lists_.read_thresholds(context.descriptors);
  const RowRange range{context.columns.first_row / group_rows * group_rows,
                       context.columns.last_row};
  if (!segment.paged()) return scan_rows(s, whole_segment(segment), range);
  PageStream pages(device_, segment, range.first, range.last);
  while (const std::optional<Page> page = pages.next()) {
    throw_if_stopped();
    scan_rows(s, *page, {page->first_row, page->last_row});
  }
}

void BatchSearch::scan_rows(std::uint32_t s, const Page& page, RowRange range) {
  std::uint32_t groups =
      chunk_groups_ > 0 ? chunk_groups_ : std::min(guaranteed_groups(), first_groups);
  for (std::uint32_t from = range.first; from < range.last;) {
    throw_if_stopped();
    const auto to = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(range.last, from + std::uint64_t(groups) * group_rows));
    lists_.clear_survivors();
    multiply(s, page, {from, to}, segments_[s].live_groups.get());
    lists_.append_candidates(filter_for(s, nullptr));
    if (!lists_.sync_counts()) {
      groups = std::max(guaranteed_groups(), groups / 4);
      chunk_groups_ = 0;
      continue;
    }
    from = to;
    lists_.prune();
    if (lists_.capacity() - lists_.longest_list() < group_rows) prune_by_scores();
    lists_.read_thresholds(segments_[s].descriptors);
    groups = chunk_groups_ = std::min(groups * lists_.growth(), max_chunk_groups);
  }
}

std::uint32_t BatchSearch::guaranteed_groups() const {
  const std::uint32_t free_slots = lists_.capacity() - lists_.longest_list();
  return std::max(1u, std::min(free_slots, lists_.survivor_capacity()) / group_rows);
}

void BatchSearch::prune_by_scores() {
  rescore(approximate_ ? Scoring::bounded : Scoring::exact);
  lists_.prune();
  if (approximate_)
    lists_.prune_to_k();
  else
    lists_.prune_ties();
}

/// Calls start(pass, first query) for every pass over the batch's queries.
template <typename Start>
void BatchSearch::each_query_pass(const DeviceSegment& segment, const Page& page, RowRange range,
                                  const unsigned long long* live_groups, Start start) {
  constexpr std::uint32_t panel_rows = quantized::panel_rows;
  const std::uint32_t size = pass_queries(device_, request_.query_count, segment.tiles),
                      end = round_up(range.last, panel_rows) / panel_rows;
  const products::Rows rows{page.panels, page.records, page.last_row, segment.tiles,
                            page.first_row / panel_rows};
  for (std::uint32_t q = 0; q < request_.query_count; q += size) {
    const std::uint32_t count = std::min(size, request_.query_count - q);
    const products::Queries queries =
        packed(segment.storage()).slice(q, count, lists_.lists().min_similarity);
    start({rows, queries, reinterpret_cast<const std::uint64_t*>(live_groups),
           range.first / panel_rows, end, 1, 2},
          q);
  }
}

void BatchSearch::store_sample_bounds(std::uint32_t s, const ScanPass& pass, const Page& page) {
  const DeviceSegment& segment = segments_[s].segment;
  sample_bounds_ =
      Buffer<float>(device_.memory, std::size_t(request_.query_count) * pass.last, "a sample");
  each_query_pass(segment, page, {0, pass.last}, nullptr,
                  [&](const products::Pass& products, std::uint32_t query) {
                    const products::BoundStore store{sample_bounds_.get(), pass.last, query};
                    if (segment.is_int8())
                      store_bounds_int8(device_, products, store);
                    else
                      store_bounds_bf16(device_, products, store);
                  });
}

void BatchSearch::multiply(std::uint32_t s, const Page& page, RowRange range,
                           const unsigned long long* live_groups) {
  const DeviceSegment& segment = segments_[s].segment;
  if (segment.has_panels()) {
    return each_query_pass(segment, page, range, live_groups,
                           [&](const products::Pass& pass, std::uint32_t query) {
                             if (segment.is_int8())
                               multiply_int8(device_, pass, lists_.survivors(query));
                             else
                               multiply_bf16(device_, pass, lists_.survivors(query));
                           });
  }
  const products::FloatRows rows{page.vectors, page.lengths, page.last_row, segment.dimensions,
                                 page.first_row};
  for (std::uint32_t q = 0; q < request_.query_count; q += max_pass_queries) {
    const std::uint32_t count = std::min(max_pass_queries, request_.query_count - q);
    multiply_f32(device_,
                 {rows, plain().slice(q, count, lists_.lists().min_similarity),
                  reinterpret_cast<const std::uint64_t*>(live_groups), range.first, range.last},
                 lists_.survivors(q));
  }
}

}  // namespace asof::cuda
