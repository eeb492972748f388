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

std::vector<double> cosines(const StaticModel& model, const Lists& texts, const Cancel& cancel,
                            std::size_t threads) {
  if (texts.ends.empty()) return {};
  const std::size_t d = model.dimensions(), width = threads == 0 ? thread_count() : threads,
                    count = texts.ends.size() - 1;
  const Saturation saturation(model.saturation());
  struct Text {
    explicit Text(std::size_t d) : vector(d) {}
    std::vector<std::uint32_t> ids;
    std::vector<float> vector;
  };
  auto read = [&](std::size_t number, Text& text) {
    const auto at = [&](std::uint32_t end) { return texts.items.begin() + end; };
    text.ids.assign(at(number == 0 ? 0 : texts.ends[number - 1]), at(texts.ends[number]));
    sum_tokens(model, saturation, text.ids, text.vector.data());
  };
  Text first(d);
  read(0, first);
  std::vector<double> out(count);
  std::vector<std::unique_ptr<Text>> lanes(width);
  parallel_for((count + tile_texts - 1) / tile_texts, width, [&](std::size_t tile, std::size_t at) {
    cancel.throw_if_requested();
    if (!lanes[at]) lanes[at] = std::make_unique<Text>(d);
    Text& text = *lanes[at];
    for (std::size_t i = tile * tile_texts; i < std::min(count, (tile + 1) * tile_texts); ++i) {
      read(i + 1, text);
      double sum = 0;
      for (std::size_t j = 0; j < d; ++j)
        sum += static_cast<double>(first.vector[j]) * static_cast<double>(text.vector[j]);
      out[i] = sum;
    }
  });
  return out;
}

}  // namespace asof
