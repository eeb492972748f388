// See parts.hpp.
#include "cuda/search/parts.hpp"

#include <new>

#include "cuda/kernels/candidates/lists.hpp"

namespace asof::cuda {
namespace {

using candidates::Asked;
using candidates::Mask;

Mask mask_of(const MaskData& data) {
  return {data.has_published != 0,
          data.has_window != 0,
          data.relation,
          data.clock,
          data.published_until,
          {data.start_floor, data.start_ceil, data.end_floor, data.end_ceil, data.last_ceil}};
}

/// Whether some row in scope may be hidden from some query.
bool hides(const SearchRequest& search, const ScopedSegment& part) {
  const auto hiding = [](const MaskData& mask) {
    return mask.has_published != 0 || mask.has_window != 0;
  };
  return part.visible != nullptr || std::any_of(part.masks, part.masks + search.mask_count, hiding);
}

}  // namespace

std::size_t AskedPart::letter_bytes(const SearchRequest& search) {
  return search.mask_count * sizeof(Mask) + search.query_count * sizeof(Asked);
}

AskedPart::AskedPart(Device& device, const SearchRequest& search, const ScopedSegment& part,
                     Letter& letter)
    : device(device), segment(*part.segment), mask_count_(search.mask_count) {
  const DeviceSegment& rows = segment;
  if (part.visible != nullptr)
    visible_ = device.uploaded(part.visible, (std::size_t(rows.passages) + 7) / 8, "bitmaps");
  columns = {rows.published.view(),
             rows.validity.view(),
             rows.content.view(),
             rows.row_passage.get(),
             rows.passages,
             visible_.get(),
             static_cast<std::uint32_t>(part.first_row),
             static_cast<std::uint32_t>(part.last_row)};
  const auto compiled = letter.page<Mask>(mask_count_);
  for (std::uint32_t m = 0; m < mask_count_; ++m)
    new (compiled.here + m) Mask(mask_of(part.masks[m]));
  masks = compiled.there;
  const auto each = letter.page<Asked>(search.query_count);
  for (std::uint32_t q = 0; q < search.query_count; ++q) {
    const QueryData& query = search.queries[q];
    const float* lexical = part.lexical == nullptr ? nullptr : part.lexical[q];
    if (lexical != nullptr) words_.push_back(device.uploaded(lexical, rows.rows, "words"));
    new (each.here + q) Asked{
        query.semantic_weight,
        query.lexical_weight,
        lexical == nullptr ? nullptr : words_.back().get(),
        query.mask,
        query.form,
        {query.normalization.mean_from, query.normalization.factor, query.normalization.mean_to},
        query.max_factor,
        part.max_addend == nullptr ? 0 : part.max_addend[q]};
  }
  asked = each.there;
  if (!hides(search, part)) return;
  shown_ = device.filled<unsigned long long>(mask_count_, 0, "counts");
  worth = device.filled<unsigned long long>(rows.rows / 4096 + 1, 0, "bitmaps");
}

void AskedPart::look() {
  if (worth.size() == 0) return;
  const dim3 blocks(
      std::max(1u, (segment.rows + candidates::look_rows - 1) / candidates::look_rows));
  check(launch({blocks, candidates::look_threads, 0, device.stream}, candidates::look, columns,
               masks, mask_count_, shown_.get(), worth.get()),
        "to look at rows");
}

std::vector<unsigned long long> AskedPart::counts() const {
  if (worth.size() == 0) return std::vector<unsigned long long>(mask_count_, scope());
  return device.downloaded(shown_.get(), mask_count_);
}

void AskedPart::count_visible(std::uint64_t* visible) const {
  const std::vector<unsigned long long> shown = counts();
  for (std::uint32_t m = 0; m < mask_count_; ++m) visible[m] += shown[m];
}

double AskedPart::least_share() const {
  const std::vector<unsigned long long> shown = counts();
  return shown.empty() ? 1
                       : static_cast<double>(*std::min_element(shown.begin(), shown.end())) /
                             std::max(1u, segment.rows);
}

}  // namespace asof::cuda
