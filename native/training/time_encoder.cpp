// Forward pass by tiles, loss over the whole batch, backward pass by tiles. Tiles do not depend on
// the thread count and their gradients are added in order.
#include "training/time_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/training/contract.hpp"
#include "training/order.hpp"
#include "training/time_rows.hpp"

namespace asof::training {
namespace {

constexpr std::size_t tile_rows = 32;
constexpr double shortest_period = 2.5, longest_period = 250;  // years
constexpr double turn = 6.283185307179586476925;

void refuse_unless(bool good, const std::string& expected) {
  if (!good) throw Error("ERR_INVALID_ARGUMENT", "Expected " + expected + ", received others.");
}

// Calls body(first, count) for tiles of `n` rows on the pool's threads.
template <typename Body>
void each_tile(std::size_t n, Body body) {
  parallel_for((n + tile_rows - 1) / tile_rows, 0, [&](std::size_t tile, std::size_t) {
    body(tile, tile * tile_rows, std::min(tile_rows, n - tile * tile_rows));
  });
}

}  // namespace

// The fused rows of a batch (questions, positives, then the negatives present), and the gradient by
// them.
struct TimeEncoderObjective::Batch {
  std::size_t n = 0, across = 0;
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> negative;  // place of each example's negative among the rows; 0: none
  std::vector<float> fused, by_fused;
  std::vector<float> products, pulls;  // n x n: s and the gradient by it
  std::vector<std::uint8_t> apart;     // n x n: whether j is a negative of i
  const float* row(std::size_t place) const { return fused.data() + place * across; }
};

TimeEncoderObjective::TimeEncoderObjective(std::shared_ptr<const Rows> rows, Dates dates,
                                           const TimeNetwork& network, TimeExamples examples,
                                           const TimeLoss& loss)
    : rows_(std::move(rows)),
      dates_(std::move(dates)),
      network_(network),
      layout_(layout_of(network)),
      examples_(std::move(examples)),
      loss_(loss) {
  std::size_t count = rows_->count(), n = examples_.question.size();
  refuse_unless(rows_->dimensions == network_.dimensions,
                "rows of the network's " + std::to_string(network_.dimensions) + " dimensions");
  refuse_unless(dates_.count() == count,
                "a date for each of the " + std::to_string(count) + " rows");
  refuse_unless(examples_.positive.size() == n && examples_.negative.size() == n,
                "positive and negative to be as long as question, " + std::to_string(n));
  auto known = [&](std::uint32_t row) { return row < count; };
  bool whole = std::all_of(examples_.question.begin(), examples_.question.end(), known) &&
               std::all_of(examples_.positive.begin(), examples_.positive.end(), known) &&
               std::all_of(examples_.negative.begin(), examples_.negative.end(),
                           [&](std::uint32_t row) { return row == no_negative || known(row); });
  refuse_unless(whole, "examples of the " + std::to_string(count) + " rows given");
}

void TimeEncoderObjective::initialise(std::uint64_t seed, std::span<float> parameters) const {
  Random random(seed);
  std::fill(parameters.begin(), parameters.end(), 0.0f);
  auto draw = [&](std::size_t from, std::size_t to, double variance) {
    float reach = static_cast<float>(std::sqrt(3 * variance));
    for (std::size_t i = from; i < to; ++i) parameters[i] = reach * (2 * random.unit() - 1);
  };
  if (network_.learns_features()) {
    double steps = static_cast<double>(std::max<std::size_t>(network_.waves, 2) - 1);
    for (std::size_t wave = 0; wave < network_.waves; ++wave) {
      double period = shortest_period *
                      std::pow(longest_period / shortest_period, static_cast<double>(wave) / steps);
      parameters[layout_.frequency + wave] =
          static_cast<float>(turn * network_.deviation_year / period);
      parameters[layout_.phase + wave] = static_cast<float>(turn) * random.unit();
    }
    // Every known component of e initially has a variance of about one.
    draw(layout_.year, layout_.year_bias,
         2.0 / static_cast<double>(std::max<std::size_t>(network_.waves, 1)));
    draw(layout_.month, layout_.first, 1);
  }
  bool film = network_.kind == TimeNetwork::Kind::film;
  draw(layout_.first, layout_.first_bias,
       (film ? 1.0 : 0.01) / static_cast<double>(network_.features()));
  if (film) parameters[layout_.alpha] = 1;
}

double TimeEncoderObjective::gradient(std::span<const float> parameters,
                                      std::span<const std::uint32_t> examples,
                                      std::span<float> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0f);
  if (examples.empty()) return 0;
  Batch batch;
  std::size_t n = batch.n = examples.size(), d = network_.dimensions, count = parameters.size();
  std::size_t across = batch.across = network_.fused();
  for (std::uint32_t each : examples) batch.rows.push_back(examples_.question[each]);
  for (std::uint32_t each : examples) batch.rows.push_back(examples_.positive[each]);
  for (std::uint32_t each : examples) {
    bool has = examples_.negative[each] != no_negative;
    batch.negative.push_back(has ? batch.rows.size() : 0);
    if (has) batch.rows.push_back(examples_.negative[each]);
  }
  std::size_t rows = batch.rows.size(), tiles = (rows + tile_rows - 1) / tile_rows;
  std::vector<float> vectors(rows * d);
  for (std::size_t i = 0; i < rows; ++i)
    std::copy_n(rows_->values.data() + batch.rows[i] * d, d, vectors.data() + i * d);
  calendar::Parts dates = dates_.parts();
  std::vector<std::optional<TimeRows>> passes(tiles);
  batch.fused.resize(rows * across);
  each_tile(rows, [&](std::size_t tile, std::size_t first, std::size_t size) {
    passes[tile].emplace(network_, parameters,
                         std::span<const float>(vectors).subspan(first * d, size * d),
                         std::span<const std::uint32_t>(batch.rows).subspan(first, size), dates);
    std::copy_n(passes[tile]->fused().data(), size * across, batch.fused.data() + first * across);
  });
  double loss = this->loss(batch);
  std::vector<float> parts(tiles * count);
  each_tile(rows, [&](std::size_t tile, std::size_t first, std::size_t size) {
    passes[tile]->back(
        std::span<const float>(batch.by_fused).subspan(first * across, size * across),
        std::span<float>(parts).subspan(tile * count, count));
  });
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    const float* part = parts.data() + tile * count;
    for (std::size_t i = 0; i < count; ++i) gradient[i] += part[i];
  }
  return loss / static_cast<double>(n);
}

// The sum of the examples' losses; fills by_fused with the gradient of their mean.
double TimeEncoderObjective::loss(Batch& batch) const {
  std::size_t n = batch.n;
  batch.products.resize(n * n);
  batch.pulls.assign(n * n, 0.0f);
  batch.apart.resize(n * n);
  batch.by_fused.assign(batch.fused.size(), 0.0f);
  each_tile(n, [&](std::size_t, std::size_t first, std::size_t size) {
    inner_product::kernels().block({batch.row(first), size, batch.across},
                                   {batch.row(n), n, batch.across}, batch.across,
                                   batch.products.data() + first * n, n);
  });
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      batch.apart[i * n + j] =
          batch.rows[i] != batch.rows[j] && batch.rows[n + i] != batch.rows[n + j];
  }
  double total = contrast(batch) + margins(batch);
  pull(batch);
  return total;
}

double TimeEncoderObjective::contrast(Batch& batch) const {
  std::size_t n = batch.n;
  double total = 0, scale = 1 / loss_.temperature, weight = 0.5 * scale / static_cast<double>(n);
  std::vector<double> shares(n);
  // Rows, then columns: stride 1 or n between the candidates of one question or passage.
  for (auto [own, other] :
       {std::pair<std::size_t, std::size_t>(n, 1), std::pair<std::size_t, std::size_t>(1, n)}) {
    for (std::size_t i = 0; i < n; ++i) {
      auto at = [&](std::size_t j) { return i * own + j * other; };
      double right = batch.products[at(i)] * scale, most = right, sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (batch.apart[at(j)]) most = std::max(most, batch.products[at(j)] * scale);
      }
      for (std::size_t j = 0; j < n; ++j) {
        shares[j] =
            j == i || batch.apart[at(j)] ? std::exp(batch.products[at(j)] * scale - most) : 0;
        sum += shares[j];
      }
      total += 0.5 * (most + std::log(sum) - right);
      for (std::size_t j = 0; j < n; ++j)
        batch.pulls[at(j)] += static_cast<float>(weight * (shares[j] / sum - (j == i ? 1 : 0)));
    }
  }
  return total;
}

double TimeEncoderObjective::margins(Batch& batch) const {
  std::size_t n = batch.n, across = batch.across;
  double total = 0;
  float weight = static_cast<float>(1 / static_cast<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    float right = batch.products[i * n + i];
    std::size_t hardest = n;
    for (std::size_t j = 0; j < n; ++j) {
      if (batch.apart[i * n + j] &&
          (hardest == n || batch.products[i * n + j] > batch.products[i * n + hardest]))
        hardest = j;
    }
    if (double lost = hardest == n ? 0 : loss_.margin + batch.products[i * n + hardest] - right;
        lost > 0) {
      total += loss_.hard * lost;
      batch.pulls[i * n + hardest] += weight * static_cast<float>(loss_.hard);
      batch.pulls[i * n + i] -= weight * static_cast<float>(loss_.hard);
    }
    std::size_t place = batch.negative[i];
    if (place == 0) continue;
    float wrong = 0;
    inner_product::kernels().block({batch.row(i), 1, across}, {batch.row(place), 1, across}, across,
                                   &wrong, 1);
    double lost = loss_.margin + wrong - right;
    if (!(lost > 0)) continue;
    total += loss_.time * lost;
    float by = weight * static_cast<float>(loss_.time);
    batch.pulls[i * n + i] -= by;
    for (std::size_t c = 0; c < across; ++c) {
      batch.by_fused[i * across + c] += by * batch.row(place)[c];
      batch.by_fused[place * across + c] += by * batch.row(i)[c];
    }
  }
  return total;
}

// The rows' gradient from that by the products.
void TimeEncoderObjective::pull(Batch& batch) const {
  std::size_t n = batch.n, across = batch.across;
  each_tile(n, [&](std::size_t, std::size_t first, std::size_t size) {
    kernels().combine({batch.pulls.data() + first * n, n, 1}, {batch.row(n), n, across}, size,
                      batch.by_fused.data() + first * across);
    kernels().combine({batch.pulls.data() + first, 1, n}, {batch.row(0), n, across}, size,
                      batch.by_fused.data() + (n + first) * across);
  });
}

}  // namespace asof::training
