#include "question/reader.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "encoder/wordpiece.hpp"
#include "question/tokens.hpp"

namespace asof::question {
namespace {

// Of a token: probabilities of its tag, and of being the first and the last one of an anchor.
enum Tag : std::uint8_t { topic, removed, anchor, first, last };

constexpr char16_t lower(char16_t c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char16_t>(c + 32) : c;
}
constexpr bool is_capital(char16_t c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_small(char16_t c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_digit(char16_t c) {
  return c >= '0' && c <= '9';
}

/// FNV-1a over UTF-16 units.
std::uint32_t hash_of(std::u16string_view units) {
  std::uint32_t hash = 2166136261u;
  for (const char16_t unit : units) hash = (hash ^ unit) * 16777619u;
  return hash;
}

/// The mean of the rows of a word and of its n-grams of 3 to 5 letters, digits as zeros.
void put_grams(const Model& model, std::u16string_view word, float* out) {
  std::u16string whole = u"<";
  for (const char16_t unit : word) whole += lower(unit);
  std::u16string letters = whole.substr(0, 41) + u'>';
  whole += u'>';
  for (char16_t& unit : letters)
    if (is_digit(unit)) unit = u'0';
  const std::span<float> sum(out, model.gram_width);
  std::size_t count = 0;
  const auto take = [&](std::u16string_view gram) {
    const std::size_t bucket = hash_of(gram) & (model.buckets - 1);
    const float scale = model.gram_scales[bucket];
    const std::int8_t* row = model.gram_rows.data() + bucket * model.gram_width;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += scale * static_cast<float>(row[j]);
    ++count;
  };
  take(whole);
  for (const std::size_t length : {3, 4, 5})
    for (std::size_t i = 0; i + length <= letters.size(); ++i)
      take(std::u16string_view(letters).substr(i, length));
  for (float& each : sum) each /= static_cast<float>(count);
}

/// The mean of the directions of a word's pieces; holds scratch memory.
class Pieces {
 public:
  explicit Pieces(const StaticModel& table) : table_(table), wordpiece_(table.vocabulary()) {}

  void put(std::u16string_view word, std::span<float> out) {
    wordpiece_.tokenize(word, ids_);
    std::size_t count = 0;
    for (const std::uint32_t id : ids_) {
      if (id == table_.vocabulary().unknown()) continue;
      const std::int8_t* row = table_.row(id);
      double squares = 0;
      for (std::size_t j = 0; j < out.size(); ++j) squares += static_cast<double>(row[j]) * row[j];
      ++count;
      if (squares == 0) continue;
      const float scale =
          static_cast<float>((table_.scales()[id] < 0 ? -1 : 1) / std::sqrt(squares));
      for (std::size_t j = 0; j < out.size(); ++j) out[j] += scale * static_cast<float>(row[j]);
    }
    if (count == 0) return;
    for (float& each : out) each /= static_cast<float>(count);
  }

 private:
  const StaticModel& table_;
  Wordpiece wordpiece_;
  std::vector<std::uint32_t> ids_;
};

constexpr std::size_t shapes = 14;

void put_shape(std::u16string_view text, std::span<const Token> tokens, std::size_t i,
               bool any_capital, float* out) {
  const std::u16string_view word = text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
  const bool digits = std::all_of(word.begin(), word.end(), is_digit);
  const bool any_digit = std::any_of(word.begin(), word.end(), is_digit);
  const bool any_small = std::any_of(word.begin(), word.end(), is_small);
  const bool any_letter =
      std::any_of(word.begin(), word.end(), [](char16_t c) { return sort_of(c) == Sort::letter; });
  const bool values[shapes] = {is_capital(word[0]),
                               word.size() > 1 && any_letter && !any_small,
                               digits,
                               digits && word.size() == 4,
                               digits && word.size() <= 2,
                               !digits && any_digit,
                               i > 0 && tokens[i - 1].end == tokens[i].begin,
                               i + 1 < tokens.size() && tokens[i + 1].begin == tokens[i].end,
                               sort_of(word[0]) == Sort::symbol,
                               i == 0,
                               i + 1 == tokens.size(),
                               !any_capital,
                               word.size() == 1,
                               digits && word.size() == 4 && (word[0] == '1' || word[0] == '2')};
  for (std::size_t j = 0; j < shapes; ++j) out[j] = values[j] ? 1 : 0;
}

constexpr std::size_t mention_features = feature_count - shapes;
constexpr double day_ms = 86'400'000;

void put_mention(const timetag::Mention& mention, const timetag::Timex& timex, bool first,
                 double reference_ms, float* out) {
  const auto set = [&](std::size_t at, bool value) { out[at] = value ? 1 : 0; };
  set(0, true);
  set(1, first);
  set(2 + static_cast<std::size_t>(timex.type), true);
  set(6 + static_cast<std::size_t>(mention.relation), true);
  if (!std::isnan(mention.start_ms)) {
    // days, both included
    const double from = std::floor(mention.start_ms / day_ms),
                 to = std::floor((mention.end_ms - 1) / day_ms),
                 asked = std::floor(reference_ms / day_ms);
    set(18, true);
    set(19, to < asked);
    set(20, from > asked);
    set(21, from <= asked && asked <= to);
  }
  set(22, timex.value.find("REF") != std::string::npos);
}
static_assert(mention_features == 23);

void softmax(std::span<float> logits) {
  const float most = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (float& each : logits) sum += each = std::exp(each - most);
  for (float& each : logits) each /= sum;
}

/// Rows of `width` numbers, one a token; zeros at first.
class Rows {
 public:
  Rows(std::size_t rows, std::size_t width) : width_(width), values_(rows * width) {}
  float* operator[](std::size_t i) { return values_.data() + i * width_; }
  std::span<const float> row(std::size_t i) const { return {values_.data() + i * width_, width_}; }
  std::span<float> all() { return values_; }

 private:
  std::size_t width_;
  std::vector<float> values_;
};

Rows apply(const Linear& linear, std::size_t count, Rows& x) {
  Rows out(count, linear.to);
  linear.apply(x.all(), out.all());
  return out;
}

Rows apply(const Normalization& norm, std::size_t count, std::size_t width, const Rows& x) {
  Rows out(count, width);
  for (std::size_t i = 0; i < count; ++i) norm.apply(x.row(i), out[i]);
  return out;
}

void apply(const Layer& layer, std::size_t count, std::size_t width, Rows& x) {
  const Rows y = apply(layer.norm, count, width, x);
  Rows windows(count, 3 * width);
  const auto put = [&](std::size_t from, std::size_t to, std::size_t place) {
    std::copy_n(y.row(from).begin(), width, windows[to] + place * width);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= layer.dilation) put(i - layer.dilation, i, 0);
    put(i, i, 1);
    if (layer.dilation < count - i) put(i + layer.dilation, i, 2);
  }
  Rows hidden = apply(layer.convolve, count, windows);
  for (float& each : hidden.all()) each = std::max(each, 0.0f);
  Rows added = apply(layer.project, count, hidden);
  for (std::size_t i = 0; i < count * width; ++i) x.all()[i] += added.all()[i];
}

/// The likeliest run of tokens: by its ends, and by the odds that each of it is of an anchor.
Span anchor_of(std::span<const Token> tokens, const Rows& tags) {
  const auto log_of = [](float p) { return std::log(std::max(p, 1e-9f)); };
  const std::size_t count = tokens.size();
  float best = -INFINITY;
  Span span;
  for (std::size_t i = 0; i < count; ++i) {
    float sum = log_of(tags.row(i)[first]);
    for (std::size_t j = i; j < count; ++j) {
      const std::span<const float> p = tags.row(j);
      sum += log_of(p[anchor]) - log_of(p[topic] + p[removed]);
      const float score = sum + log_of(p[last]);
      if (score <= best) continue;
      best = score;
      span = {tokens[i].begin, tokens[j].end};
    }
  }
  return span;
}

void softmax_column(Rows& rows, std::size_t count, std::size_t column) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = rows[i][column];
  softmax(values);
  for (std::size_t i = 0; i < count; ++i) rows[i][column] = values[i];
}

}  // namespace

bool fits(const Model& model, const StaticModel& pieces) {
  if (model.features != feature_count || model.piece_width != pieces.dimensions() ||
      model.outputs.size() != classes.size())
    return false;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (model.outputs[i].to != classes[i]) return false;
  return true;
}

Reading read(const Model& model, const StaticModel& pieces, std::u16string_view text,
             double reference_ms, const timetag::Tags& tags) {
  Reading reading;
  reading.mentions.assign(tags.mentions.size(), 0);
  std::vector<Token> all;
  tokenize(text, all);
  const std::span<const Token> tokens =
      std::span<const Token>(all).last(std::min(all.size(), most_tokens));
  const std::size_t count = tokens.size(), width = model.width;
  reading.best[static_cast<std::size_t>(Output::asks)] = 2;
  if (count == 0) return reading;

  const bool any_capital = std::any_of(text.begin() + tokens[0].begin, text.end(), is_capital);
  std::vector<std::size_t> owners(count, tags.mentions.size());
  Rows inputs(count, model.inputs.from);
  Pieces of_words(pieces);
  std::size_t at = 0, timex = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (; at < tags.mentions.size() && tags.mentions[at].end <= tokens[i].begin; ++at)
      timex += tags.mentions[at].timexes;
    const std::u16string_view word = text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
    float* out = inputs[i];
    put_grams(model, word, out);
    out += model.gram_width;
    of_words.put(word, {out, model.piece_width});
    out += model.piece_width;
    put_shape(text, tokens, i, any_capital, out);
    if (at == tags.mentions.size() || tags.mentions[at].start >= tokens[i].end) continue;
    const timetag::Mention& mention = tags.mentions[at];
    owners[i] = at;
    put_mention(mention, tags.timexes[timex], tokens[i].begin <= mention.start, reference_ms,
                out + shapes);
  }
  Rows x = apply(model.inputs, count, inputs);
  for (const Layer& layer : model.layers) apply(layer, count, width, x);

  Rows y = apply(model.norm, count, width, x);
  Rows tag = apply(model.tags, count, y), weights = apply(model.attention, count, y);
  Rows bound = apply(model.mention, count, y);
  for (std::size_t i = 0; i < count; ++i) softmax({tag[i], 3});
  for (const Tag edge : {first, last}) softmax_column(tag, count, edge);
  for (std::size_t q = 0; q < model.queries; ++q) softmax_column(weights, count, q);

  std::vector<float> pooled(model.queries * width);
  for (std::size_t q = 0; q < model.queries; ++q)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < width; ++j) pooled[q * width + j] += weights[i][q] * y[i][j];
  for (std::size_t k = 0; k < classes.size(); ++k) {
    std::vector<float> scores(classes[k]);
    model.outputs[k].apply(pooled, scores);
    softmax(scores);
    if (k == static_cast<std::size_t>(Output::relation))
      std::copy(scores.begin(), scores.end(), reading.relations.begin());
    const auto best = std::max_element(scores.begin(), scores.end());
    reading.best[k] = static_cast<std::uint8_t>(best - scores.begin());
    reading.confidence[k] = *best;
  }

  reading.anchor = anchor_of(tokens, tag);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const float> p = tag.row(i);
    if (p[removed] < p[topic] || p[removed] < p[anchor]) continue;
    const bool joins =
        !reading.removed.empty() && i > 0 && reading.removed.back().end == tokens[i - 1].end;
    if (joins)
      reading.removed.back().end = tokens[i].end;
    else
      reading.removed.push_back({tokens[i].begin, tokens[i].end});
  }
  for (std::size_t m = 0; m < tags.mentions.size(); ++m) {
    float sum = 0;
    std::size_t words = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (owners[i] != m) continue;
      sum += bound[i][0];
      ++words;
    }
    if (words > 0) reading.mentions[m] = 1 / (1 + std::exp(-sum / static_cast<float>(words)));
  }
  return reading;
}

}  // namespace asof::question
