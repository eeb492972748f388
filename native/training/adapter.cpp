// Forward and backward passes of the adapter by tiles of triplets. Tiles do not depend on the
// thread count and their gradients are added in order, so results are bitwise reproducible.
#include "training/adapter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/normalize/contract.hpp"
#include "kernels/training/contract.hpp"
#include "training/order.hpp"

namespace asof::training {
namespace {

constexpr std::size_t tile_triplets = 16;
constexpr std::size_t tile_rows = 64;

struct Tables {
  const inner_product::Kernels& products = inner_product::kernels();
  const normalize::Kernels& lengths = normalize::kernels();
  const Kernels& sums = training::kernels();
};

// n rows in a pass: x and u are n x d, h is n x r.
struct Activations {
  std::size_t n;
  const float* x;
  float *h, *u;
  double* norms;
};

// The gradient du by u (n x d), scratch memory dy (n x d) and dh (n x r), and the gradient by A and
// B.
struct Gradients {
  const float* du;
  float *dy, *dh;
  float* parameters;
};

// h = A x and u = (x + B h) / |x + B h|.
void forward(const Tables& tables, const Adapter& adapter, const Activations& rows) {
  const auto [a, b, d, r] = adapter;
  const auto [n, x, h, u, norms] = rows;
  tables.products.block({x, n, d}, {a, r, d}, d, h, r);
  std::memcpy(u, x, n * d * sizeof(float));
  tables.sums.combine({h, r, 1}, {b, r, d}, n, u);
  tables.lengths.rows(u, n, d, d, norms);
}

// Adds to the gradients of A and B those through the rows' unit vectors.
void backward(const Tables& tables, const Adapter& adapter, const Activations& rows,
              const Gradients& gradients) {
  const auto [a, b, d, r] = adapter;
  const auto [n, x, h, u, norms] = rows;
  const auto [du, dy, dh, gradient] = gradients;
  tables.sums.unit_gradient({u, du, norms}, n, d, dy);
  tables.products.block({dy, n, d}, {b, r, d}, d, dh, r);
  tables.sums.combine({dh, 1, r}, {x, n, d}, r, gradient);
  tables.sums.combine({h, 1, r}, {dy, n, d}, r, gradient + r * d);
}

}  // namespace

void adapt(const Adapter& adapter, std::span<const float> rows, std::span<float> out,
           const Cancel& cancel) {
  Tables tables;
  std::size_t d = adapter.dimensions, n = rows.size() / d;
  parallel_for((n + tile_rows - 1) / tile_rows, 0, [&](std::size_t tile, std::size_t) {
    cancel.throw_if_requested();
    std::size_t first = tile * tile_rows, count = std::min(tile_rows, n - first);
    std::vector<float> h(count * adapter.rank);
    std::vector<double> norms(count);
    forward(tables, adapter,
            {count, rows.data() + first * d, h.data(), out.data() + first * d, norms.data()});
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isnan(norms[i]))
        std::memcpy(out.data() + (first + i) * d, rows.data() + (first + i) * d, d * sizeof(float));
    }
  });
}

// Questions first, then positives, then negatives: each a third of the rows.
struct AdapterObjective::Scratch {
  Scratch(std::size_t n, std::size_t d, std::size_t r)
      : x(n * d), u(n * d), du(n * d), dy(n * d), h(n * r), dh(n * r), norms(n) {}
  std::vector<float> x, u, du, dy, h, dh;
  std::vector<double> norms;

  Activations activations(std::size_t first, std::size_t n, const Adapter& adapter) {
    const std::size_t d = adapter.dimensions;
    return {n, x.data() + first * d, h.data() + first * adapter.rank, u.data() + first * d,
            norms.data() + first};
  }
  Gradients gradients(std::size_t first, const Adapter& adapter, float* parameters) {
    const std::size_t d = adapter.dimensions;
    return {du.data() + first * d, dy.data() + first * d, dh.data() + first * adapter.rank,
            parameters};
  }
};

AdapterObjective::AdapterObjective(std::shared_ptr<const Rows> rows, Triplets triplets,
                                   std::size_t rank, bool shared)
    : rows_(std::move(rows)), triplets_(std::move(triplets)), rank_(rank), shared_(shared) {
  std::size_t count = rows_->count(), n = triplets_.margin.size();
  if (triplets_.question.size() != n || triplets_.positive.size() != n ||
      triplets_.negative.size() != n) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected question, positive and negative to be as long as margin, " +
                    std::to_string(n) + ", received another length.");
  }
  for (const auto* column : {&triplets_.question, &triplets_.positive, &triplets_.negative}) {
    for (std::uint32_t row : *column) {
      if (row >= count)
        throw Error("ERR_INVALID_ARGUMENT", "Expected triplets of the " + std::to_string(count) +
                                                " rows given, received row " + std::to_string(row) +
                                                ".");
    }
  }
  for (float margin : triplets_.margin) {
    if (!std::isfinite(margin))
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected margins that are numbers, received one that is not.");
  }
}

void AdapterObjective::initialise(std::uint64_t seed, std::span<float> parameters) const {
  std::size_t d = rows_->dimensions, half = rank_ * d;
  Random random(seed);
  float reach = std::sqrt(3.0f / static_cast<float>(d));
  for (std::size_t set = 0; set * 2 * half < parameters.size(); ++set) {
    float* a = parameters.data() + set * 2 * half;
    for (std::size_t i = 0; i < half; ++i) a[i] = reach * (2 * random.unit() - 1);
    std::fill(a + half, a + 2 * half, 0.0f);
  }
}

double AdapterObjective::gradient(std::span<const float> parameters,
                                  std::span<const std::uint32_t> batch,
                                  std::span<float> gradient) const {
  std::size_t tiles = (batch.size() + tile_triplets - 1) / tile_triplets, count = parameters.size();
  std::fill(gradient.begin(), gradient.end(), 0.0f);
  if (batch.empty()) return 0;
  std::vector<float> parts(tiles * count);
  std::vector<double> losses(tiles);
  float weight = 1.0f / static_cast<float>(batch.size());
  parallel_for(tiles, 0, [&](std::size_t tile, std::size_t) {
    std::size_t first = tile * tile_triplets, n = std::min(tile_triplets, batch.size() - first);
    Scratch scratch(3 * n, rows_->dimensions, rank_);
    losses[tile] = this->tile(parameters, batch.subspan(first, n), weight, scratch,
                              parts.data() + tile * count);
  });
  double loss = 0;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    loss += losses[tile];
    const float* part = parts.data() + tile * count;
    for (std::size_t i = 0; i < count; ++i) gradient[i] += part[i];
  }
  return loss / static_cast<double>(batch.size());
}

// The sum of the losses of some triplets; adds their gradient, times `weight`, to `gradient`.
double AdapterObjective::tile(std::span<const float> parameters,
                              std::span<const std::uint32_t> batch, float weight, Scratch& scratch,
                              float* gradient) const {
  Tables tables;
  std::size_t n = batch.size(), d = rows_->dimensions, r = rank_, half = r * d;
  Adapter questions{parameters.data(), parameters.data() + half, d, r};
  std::size_t offset = shared_ ? 0 : 2 * half;
  Adapter passages{parameters.data() + offset, parameters.data() + offset + half, d, r};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t rows[] = {triplets_.question[batch[i]], triplets_.positive[batch[i]],
                                  triplets_.negative[batch[i]]};
    for (std::size_t part = 0; part < 3; ++part) {
      std::memcpy(scratch.x.data() + (part * n + i) * d, rows_->values.data() + rows[part] * d,
                  d * sizeof(float));
    }
  }
  const Activations question_rows = scratch.activations(0, n, questions),
                    passage_rows = scratch.activations(n, 2 * n, passages);
  forward(tables, questions, question_rows);
  forward(tables, passages, passage_rows);
  float *u = scratch.u.data(), *du = scratch.du.data();
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    float *q = u + i * d, *p = u + (n + i) * d, *g = u + (2 * n + i) * d;
    float near = 0, far = 0;
    tables.products.block({q, 1, d}, {p, 1, d}, d, &near, 1);
    tables.products.block({q, 1, d}, {g, 1, d}, d, &far, 1);
    double lost =
        static_cast<double>(triplets_.margin[batch[i]]) - (static_cast<double>(near) - far);
    bool active = !(lost <= 0);  // a NaN loss must not be hidden
    if (active) loss += lost;
    float pull = active ? weight : 0;
    for (std::size_t c = 0; c < d; ++c) {
      du[i * d + c] = pull * (g[c] - p[c]);
      du[(n + i) * d + c] = -pull * q[c];
      du[(2 * n + i) * d + c] = pull * q[c];
    }
  }
  backward(tables, questions, question_rows, scratch.gradients(0, questions, gradient));
  backward(tables, passages, passage_rows, scratch.gradients(n, passages, gradient + offset));
  return loss;
}

}  // namespace asof::training
