// Tokenization and summation of texts, in parallel tiles small enough to cancel within
// milliseconds.
#include "encoder/static_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/threads.hpp"

namespace asof {
namespace {

constexpr std::size_t tile_texts = 32;

struct Lane {
  explicit Lane(const Vocabulary& vocabulary) : wordpiece(vocabulary) {}
  Wordpiece wordpiece;
  std::vector<std::uint32_t> ids;
};

constexpr std::size_t tabulated = 64;

// n^saturation for small n; the rest is rare enough for std::pow.
struct Saturation {
  explicit Saturation(float exponent) : exponent(exponent) {
    for (std::size_t n = 0; n < tabulated; ++n)
      small[n] = static_cast<float>(std::pow(static_cast<double>(n), exponent));
  }
  float operator()(std::size_t n) const {
    return n < tabulated ? small[n]
                         : static_cast<float>(std::pow(static_cast<double>(n), exponent));
  }
  float exponent, small[tabulated];
};

void add_row(float* __restrict out, const std::int8_t* __restrict row, float scale, std::size_t d) {
  for (std::size_t j = 0; j < d; ++j) out[j] += scale * static_cast<float>(row[j]);
}

void to_length_one(float* out, std::size_t d) {
  double squares[4] = {};
  for (std::size_t j = 0; j < d; ++j) squares[j % 4] += static_cast<double>(out[j]) * out[j];
  double length = std::sqrt((squares[0] + squares[1]) + (squares[2] + squares[3]));
  if (!(length > 0)) return;
  for (std::size_t j = 0; j < d; ++j) out[j] = static_cast<float>(out[j] / length);
}

}  // namespace

void encode(const StaticModel& model, std::span<const std::u16string> texts, std::span<float> out,
            const Cancel& cancel, std::size_t threads) {
  const std::size_t d = model.dimensions(), width = threads == 0 ? thread_count() : threads;
  const Saturation saturation(model.saturation());
  std::vector<std::unique_ptr<Lane>> lanes(width);
  parallel_for(
      (texts.size() + tile_texts - 1) / tile_texts, width, [&](std::size_t tile, std::size_t at) {
        cancel.throw_if_requested();
        if (!lanes[at]) lanes[at] = std::make_unique<Lane>(model.vocabulary());
        Lane& lane = *lanes[at];
        for (std::size_t i = tile * tile_texts; i < std::min(texts.size(), (tile + 1) * tile_texts);
             ++i) {
          float* vector = out.data() + i * d;
          std::fill_n(vector, d, 0.0f);
          lane.wordpiece.tokenize(texts[i], lane.ids);
          std::sort(lane.ids.begin(), lane.ids.end());
          for (std::size_t first = 0, next; first < lane.ids.size(); first = next) {
            const std::uint32_t id = lane.ids[first];
            for (next = first + 1; next < lane.ids.size() && lane.ids[next] == id;) ++next;
            if (id != model.vocabulary().unknown())
              add_row(vector, model.row(id), saturation(next - first) * model.scales()[id], d);
          }
          to_length_one(vector, d);
        }
      });
}

}  // namespace asof
