// See segment_context.hpp.
#include "cuda/search/segment_context.hpp"

#include <new>

#include "cuda/kernels/candidates/masks.hpp"

namespace asof::cuda {
namespace {

using candidates::Mask;
using candidates::QueryDescriptor;

Mask mask_of(const MaskData& data) {
  return {data.has_published != 0,
          data.has_window != 0,
          data.relation,
          data.clock,
          data.published_until,
          {data.start_floor, data.start_ceil, data.end_floor, data.end_ceil, data.last_ceil}};
}

/// Whether some row in scope may be masked for some query.
bool has_masked_rows(const SearchRequest& request, const ScopedSegment& scoped) {
  const auto masks_rows = [](const MaskData& mask) {
    return mask.has_published != 0 || mask.has_window != 0;
  };
  return scoped.visible != nullptr ||
         std::any_of(scoped.masks, scoped.masks + request.mask_count, masks_rows);
}

}  // namespace

std::size_t SegmentContext::staging_bytes(const SearchRequest& request) {
  return request.mask_count * sizeof(Mask) + request.query_count * sizeof(QueryDescriptor);
}

SegmentContext::SegmentContext(Device& device, const SearchRequest& request,
                               const ScopedSegment& scoped, StagingBuffer& staging)
    : device(device), segment(*scoped.segment), mask_count_(request.mask_count) {
  const DeviceSegment& rows = segment;
  if (scoped.visible != nullptr)
    visible_ = device.upload_copy(scoped.visible, (std::size_t(rows.passages) + 7) / 8, "bitmaps");
  columns = {rows.published.view(),
             rows.validity.view(),
             rows.content.view(),
             rows.row_passage.get(),
             rows.passages,
             visible_.get(),
             static_cast<std::uint32_t>(scoped.first_row),
             static_cast<std::uint32_t>(scoped.last_row)};
  const auto compiled = staging.allocate<Mask>(mask_count_);
  for (std::uint32_t m = 0; m < mask_count_; ++m)
    new (compiled.host + m) Mask(mask_of(scoped.masks[m]));
  masks = compiled.device;
  const auto each = staging.allocate<QueryDescriptor>(request.query_count);
  for (std::uint32_t q = 0; q < request.query_count; ++q) {
    const QueryData& query = request.queries[q];
    const float* lexical = scoped.lexical == nullptr ? nullptr : scoped.lexical[q];
    if (lexical != nullptr) {
      lexical_.push_back(device.filled_buffer<float>(rows.rows, 0, "lexical scores"));
      device.upload(lexical_.back().get(), lexical, scoped.last_row * sizeof(float));
    }
    new (each.host + q) QueryDescriptor{query.semantic_weight,
                                        query.lexical_weight,
                                        lexical == nullptr ? nullptr : lexical_.back().get(),
                                        query.mask,
                                        query.form,
                                        query.normalization,
                                        query.max_factor,
                                        scoped.max_addend == nullptr ? 0 : scoped.max_addend[q]};
  }
  descriptors = each.device;
  if (!has_masked_rows(request, scoped)) return;
  visible_counts_ = device.filled_buffer<unsigned long long>(mask_count_, 0, "counts");
  live_groups = device.filled_buffer<unsigned long long>(rows.rows / 4096 + 1, 0, "bitmaps");
}

void SegmentContext::evaluate_masks() {
  if (live_groups.size() == 0) return;
  const dim3 blocks(
      std::max(1u, (segment.rows + candidates::mask_rows - 1) / candidates::mask_rows));
  check(launch({blocks, candidates::mask_threads, 0, device.stream}, candidates::evaluate_masks,
               columns, masks, mask_count_, visible_counts_.get(), live_groups.get()),
        "to evaluate masks");
}

std::vector<unsigned long long> SegmentContext::counts() const {
  if (live_groups.size() == 0) return std::vector<unsigned long long>(mask_count_, scope());
  return device.download_copy(visible_counts_.get(), mask_count_);
}

void SegmentContext::count_visible(std::uint64_t* visible) const {
  const std::vector<unsigned long long> visible_counts = counts();
  for (std::uint32_t m = 0; m < mask_count_; ++m) visible[m] += visible_counts[m];
}

double SegmentContext::min_visible_share() const {
  const std::vector<unsigned long long> visible_counts = counts();
  return visible_counts.empty() ? 1
                                : static_cast<double>(*std::min_element(visible_counts.begin(),
                                                                        visible_counts.end())) /
                                      std::max(1u, segment.rows);
}

}  // namespace asof::cuda
