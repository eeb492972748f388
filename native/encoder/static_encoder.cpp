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

/// In four sums, so that they do not wait for each other.
double inner_product(const float* __restrict a, const float* __restrict b, std::size_t d) {
  double sums[4] = {};
  std::size_t j = 0;
  for (; j + 4 <= d; j += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      sums[lane] += static_cast<double>(a[j + lane]) * static_cast<double>(b[j + lane]);
  for (; j < d; ++j) sums[0] += static_cast<double>(a[j]) * static_cast<double>(b[j]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The vector of a text by its tokens, which are sorted.
void sum_tokens(const StaticModel& model, const Saturation& saturation,
                std::vector<std::uint32_t>& ids, float* vector) {
  const std::size_t d = model.dimensions();
  std::fill_n(vector, d, 0.0f);
  std::sort(ids.begin(), ids.end());
  for (std::size_t first = 0, next; first < ids.size(); first = next) {
    const std::uint32_t id = ids[first];
    for (next = first + 1; next < ids.size() && ids[next] == id;) ++next;
    if (id != model.vocabulary().unknown())
      add_row(vector, model.row(id), saturation(next - first) * model.scales()[id], d);
  }
  to_length_one(vector, d);
}

}  // namespace

void encode(const StaticModel& model, std::span<const std::u16string> texts, std::span<float> out,
            const Cancel& cancel, std::size_t threads) {
  const std::size_t d = model.dimensions(), width = threads == 0 ? thread_count() : threads;
  const Saturation saturation(model.saturation());
  std::vector<std::unique_ptr<Lane>> lanes(width);
  parallel_for((texts.size() + tile_texts - 1) / tile_texts, width,
               [&](std::size_t tile, std::size_t at) {
                 cancel.throw_if_requested();
                 if (!lanes[at]) lanes[at] = std::make_unique<Lane>(model.vocabulary());
                 Lane& lane = *lanes[at];
                 for (std::size_t i = tile * tile_texts;
                      i < std::min(texts.size(), (tile + 1) * tile_texts); ++i) {
                   lane.wordpiece.tokenize(texts[i], lane.ids);
                   sum_tokens(model, saturation, lane.ids, out.data() + i * d);
                 }
               });
}

Lists tokens_of(const StaticModel& model, std::span<const std::u16string> texts) {
  Wordpiece wordpiece(model.vocabulary());
  std::vector<std::uint32_t> ids;
  Lists lists;
  for (const std::u16string& text : texts) {
    wordpiece.tokenize(text, ids);
    lists.items.insert(lists.items.end(), ids.begin(), ids.end());
    lists.ends.push_back(static_cast<std::uint32_t>(lists.items.size()));
  }
  return lists;
}

std::vector<double> cosines(const StaticModel& model, const Lists& texts, std::size_t asked,
                            const Cancel& cancel, std::size_t threads) {
  if (texts.ends.size() <= asked) return {};
  const std::size_t d = model.dimensions(), width = threads == 0 ? thread_count() : threads,
                    count = texts.ends.size() - asked;
  const Saturation saturation(model.saturation());
  using Ids = std::vector<std::uint32_t>;
  const auto read = [&](std::size_t number, Ids& ids, float* vector) {
    const auto at = [&](std::uint32_t end) { return texts.items.begin() + end; };
    ids.assign(at(number == 0 ? 0 : texts.ends[number - 1]), at(texts.ends[number]));
    sum_tokens(model, saturation, ids, vector);
  };
  std::vector<float> first(asked * d);
  Ids ids;
  for (std::size_t row = 0; row < asked; ++row) read(row, ids, first.data() + row * d);
  struct Lane {
    explicit Lane(std::size_t d) : vector(d) {}
    Ids ids;
    std::vector<float> vector;
  };
  std::vector<double> out(asked * count);
  std::vector<std::unique_ptr<Lane>> lanes(width);
  parallel_for((count + tile_texts - 1) / tile_texts, width, [&](std::size_t tile, std::size_t at) {
    cancel.throw_if_requested();
    if (!lanes[at]) lanes[at] = std::make_unique<Lane>(d);
    Lane& lane = *lanes[at];
    for (std::size_t i = tile * tile_texts; i < std::min(count, (tile + 1) * tile_texts); ++i) {
      read(asked + i, lane.ids, lane.vector.data());
      for (std::size_t row = 0; row < asked; ++row)
        out[row * count + i] = inner_product(first.data() + row * d, lane.vector.data(), d);
    }
  });
  return out;
}

}  // namespace asof
