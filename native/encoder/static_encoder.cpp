// Tokenization and summation of texts, in parallel tiles small enough to cancel within
// milliseconds.
#include "encoder/static_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/threads.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/row_sum/contract.hpp"

namespace asof {
namespace {

constexpr std::size_t tile_texts = 32;

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

void to_length_one(float* out, std::size_t d) {
  double squares[4] = {};
  for (std::size_t j = 0; j < d; ++j) squares[j % 4] += static_cast<double>(out[j]) * out[j];
  double length = std::sqrt((squares[0] + squares[1]) + (squares[2] + squares[3]));
  if (!(length > 0)) return;
  for (std::size_t j = 0; j < d; ++j) out[j] = static_cast<float>(out[j] / length);
}

/// Sums texts, one after another: its buffers are for all of them.
class TextSum {
 public:
  explicit TextSum(const StaticModel& model) : model_(model), saturation_(model.saturation()) {}

  /// The sum of a text's tokens, which it sorts.
  void operator()(std::vector<std::uint32_t>& ids, float* vector) {
    rows_.clear();
    weights_.clear();
    std::sort(ids.begin(), ids.end());
    for (std::size_t first = 0, next; first < ids.size(); first = next) {
      const std::uint32_t id = ids[first];
      for (next = first + 1; next < ids.size() && ids[next] == id;) ++next;
      if (id == model_.vocabulary().unknown()) continue;
      rows_.push_back(model_.row(id));
      weights_.push_back(saturation_(next - first) * model_.scales()[id]);
    }
    kernels_.sum(rows_.data(), weights_.data(), rows_.size(), model_.dimensions(), vector);
  }

 private:
  const StaticModel& model_;
  const Saturation saturation_;
  const row_sum::Kernels& kernels_ = row_sum::kernels();
  std::vector<const std::int8_t*> rows_;
  std::vector<float> weights_;
};

}  // namespace

void encode(const StaticModel& model, std::span<const std::u16string> texts, std::span<float> out,
            const Cancel& cancel, std::size_t threads) {
  const std::size_t d = model.dimensions(), width = threads == 0 ? thread_count() : threads;
  struct Lane {
    explicit Lane(const StaticModel& model) : wordpiece(model.vocabulary()), sum(model) {}
    Wordpiece wordpiece;
    TextSum sum;
    std::vector<std::uint32_t> ids;
  };
  std::vector<std::unique_ptr<Lane>> lanes(width);
  parallel_for((texts.size() + tile_texts - 1) / tile_texts, width,
               [&](std::size_t tile, std::size_t at) {
                 cancel.throw_if_requested();
                 if (!lanes[at]) lanes[at] = std::make_unique<Lane>(model);
                 Lane& lane = *lanes[at];
                 for (std::size_t i = tile * tile_texts;
                      i < std::min(texts.size(), (tile + 1) * tile_texts); ++i) {
                   lane.wordpiece.tokenize(texts[i], lane.ids);
                   lane.sum(lane.ids, out.data() + i * d);
                   to_length_one(out.data() + i * d, d);
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
  struct Lane {
    Lane(const StaticModel& model, const Lists& texts) : sum(model), texts(texts) {}
    void read(std::size_t number, float* vector) {
      const auto at = [&](std::uint32_t end) { return texts.items.begin() + end; };
      ids.assign(at(number == 0 ? 0 : texts.ends[number - 1]), at(texts.ends[number]));
      sum(ids, vector);
    }
    TextSum sum;
    const Lists& texts;
    std::vector<std::uint32_t> ids;
    std::vector<float> sums, products;
  };
  std::vector<float> first(asked * d);
  Lane of_asked(model, texts);
  for (std::size_t row = 0; row < asked; ++row) {
    of_asked.read(row, first.data() + row * d);
    to_length_one(first.data() + row * d, d);
  }
  const inner_product::Kernels& products = inner_product::kernels();
  std::vector<double> out(asked * count);
  std::vector<std::unique_ptr<Lane>> lanes(width);
  parallel_for((count + tile_texts - 1) / tile_texts, width, [&](std::size_t tile, std::size_t at) {
    cancel.throw_if_requested();
    if (!lanes[at]) lanes[at] = std::make_unique<Lane>(model, texts);
    Lane& lane = *lanes[at];
    lane.sums.resize(tile_texts * d);
    lane.products.resize(asked * tile_texts);
    const std::size_t from = tile * tile_texts, rows = std::min(count - from, tile_texts);
    for (std::size_t i = 0; i < rows; ++i) lane.read(asked + from + i, &lane.sums[i * d]);
    products.block({first.data(), asked, d}, {lane.sums.data(), rows, d}, d, lane.products.data(),
                   tile_texts);
    for (std::size_t i = 0; i < rows; ++i) {
      const float* sum = &lane.sums[i * d];
      float squares = 0;
      products.pairs(&sum, &sum, 1, d, &squares);
      if (!(squares > 0)) continue;
      const double length = std::sqrt(static_cast<double>(squares));
      for (std::size_t row = 0; row < asked; ++row)
        out[row * count + from + i] = lane.products[row * tile_texts + i] / length;
    }
  });
  return out;
}

}  // namespace asof
