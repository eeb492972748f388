// The best rows by scores that lie there already: counted by their share of the highest first, then taken from the share at which enough are met. No
// heap, since some hundreds of a million are wanted and the last ones need not be told apart. See search.hpp.
#include <algorithm>
#include <array>
#include <limits>

#include "core/threads.hpp"
#include "index/lexical/search.hpp"
#include "index/lexical/window_search.hpp"

namespace asof::lexical {
namespace {

constexpr std::size_t shares = 512, stretch_rows = 65536;

struct Stretch {
  std::uint32_t segment;
  std::size_t begin, end;
};

}  // namespace

std::vector<flat::Place> best_rows(std::span<const SearchSegment> segments, std::span<const std::vector<float>> scores, const flat::Mask& mask,
                                   double highest, std::size_t n, const Cancel& cancel) {
  std::vector<Stretch> stretches;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    for (std::size_t begin = 0; begin < scores[s].size(); begin += stretch_rows) {
      stretches.push_back({static_cast<std::uint32_t>(s), begin, std::min(scores[s].size(), begin + stretch_rows)});
    }
  }
  const float scale = static_cast<float>(static_cast<double>(shares) / highest);
  auto share_of = [&](float score) { return std::min(shares - 1, static_cast<std::size_t>(score * scale)); };
  std::vector<std::array<std::uint32_t, shares>> counts(stretches.size());
  parallel_for(stretches.size(), 0, [&](std::size_t i, std::size_t) {
    cancel.throw_if_requested();
    const Stretch& stretch = stretches[i];
    RowFilter filter(segments[stretch.segment].rows, mask);
    const float* own = scores[stretch.segment].data();
    for (std::size_t row = stretch.begin; row < stretch.end; ++row) {
      if (own[row] > 0 && (filter.open() || filter.allows(static_cast<std::uint32_t>(row)))) counts[i][share_of(own[row])] += 1;
    }
  });
  std::size_t least = shares, met = 0;
  while (least > 0 && met < n) {
    least -= 1;
    for (const auto& each : counts) met += each[least];
  }
  const float enough = least == 0 ? std::numeric_limits<float>::min() : static_cast<float>(least) / scale * (1 - 0x1p-20f);
  std::vector<std::vector<flat::Place>> found(stretches.size());
  parallel_for(stretches.size(), 0, [&](std::size_t i, std::size_t) {
    const Stretch& stretch = stretches[i];
    if (std::all_of(counts[i].begin() + static_cast<std::ptrdiff_t>(least), counts[i].end(), [](std::uint32_t count) { return count == 0; })) return;
    RowFilter filter(segments[stretch.segment].rows, mask);
    const float* own = scores[stretch.segment].data();
    for (std::size_t row = stretch.begin; row < stretch.end; ++row) {
      if (own[row] < enough || share_of(own[row]) < least || !filter.allows(static_cast<std::uint32_t>(row))) continue;
      found[i].push_back({stretch.segment, static_cast<std::uint32_t>(row)});
    }
  });
  std::vector<flat::Place> places;
  for (const auto& each : found) places.insert(places.end(), each.begin(), each.end());
  if (places.size() <= 2 * n) return places;
  const auto last = places.begin() + static_cast<std::ptrdiff_t>(n);
  auto score_of = [&](const flat::Place& place) { return scores[place.segment][place.row]; };
  std::nth_element(places.begin(), last, places.end(), [&](const auto& a, const auto& b) { return score_of(a) > score_of(b); });
  places.erase(last, places.end());
  return places;
}

}  // namespace asof::lexical
