// Training steps by vectors. combine keeps a block of the output (a few rows by two vectors) in
// registers over all terms.
#include "kernels/training/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::training {
namespace {

using ::asof::Matrix;
using ::asof::training::AdamState;
using ::asof::training::UnitRows;

using ::asof::training::AdamStep;
using ::asof::training::Coefficients;

constexpr int block_rows = 4;

struct Terms {
  Coefficients coefficients;
  std::size_t m;
  const float* rows;
  std::size_t d;
};

// R rows of out by V vectors from column c; the last vector has `rest` components where rest > 0.
template <int R, int V, bool partial>
ASOF_INLINE void block(const Terms& terms, std::size_t i, std::size_t c, std::size_t rest,
                       float* out) {
  Lanes sums[R][V];
  auto read = [rest](const float* from)
                  ASOF_INLINE_LAMBDA { return partial ? load_first(from, rest) : load(from); };
  repeat<R * V>([&](auto at) ASOF_INLINE_LAMBDA {
    sums[at() / V][at() % V] = read(out + (i + at() / V) * terms.d + c + at() % V * width);
  });
  for (std::size_t t = 0; t < terms.m; ++t) {
    Lanes row[V];
    repeat<V>([&](auto v) ASOF_INLINE_LAMBDA {
      row[v] = read(terms.rows + t * terms.d + c + v() * width);
    });
    repeat<R>([&](auto r) ASOF_INLINE_LAMBDA {
      const Coefficients& each = terms.coefficients;
      Lanes factor = spread(each.values[(i + r()) * each.row_stride + t * each.term_stride]);
      repeat<V>([&](auto v)
                    ASOF_INLINE_LAMBDA { sums[r][v] = multiply_add(factor, row[v], sums[r][v]); });
    });
  }
  repeat<R * V>([&](auto at) ASOF_INLINE_LAMBDA {
    float* to = out + (i + at() / V) * terms.d + c + at() % V * width;
    if (partial)
      store_first(to, sums[at() / V][at() % V], rest);
    else
      store(to, sums[at() / V][at() % V]);
  });
}

template <int R>
void stripe(const Terms& terms, std::size_t i, float* out) {
  std::size_t c = 0;
  for (; c + 2 * width <= terms.d; c += 2 * width) block<R, 2, false>(terms, i, c, 0, out);
  if (c + width <= terms.d) {
    block<R, 1, false>(terms, i, c, 0, out);
    c += width;
  }
  if (c < terms.d) block<R, 1, true>(terms, i, c, terms.d - c, out);
}

void combine(Coefficients coefficients, const Matrix& added, std::size_t n, float* out) {
  Terms terms{coefficients, added.rows, added.data, added.stride};
  std::size_t i = 0;
  for (; i + block_rows <= n; i += block_rows) stripe<block_rows>(terms, i, out);
  for (; i < n; ++i) stripe<1>(terms, i, out);
}

void unit_gradient(const UnitRows& rows, std::size_t n, std::size_t d, float* y) {
  const float *u = rows.u, *du = rows.du;
  const double* const norms = rows.norms;
  for (std::size_t i = 0; i < n; ++i, u += d, du += d, y += d) {
    Wides products = {};
    std::size_t c = 0;
    for (; c + wide_width <= d; c += wide_width) products += load_wide(u + c) * load_wide(du + c);
    if (c < d) products += load_wide_first(u + c, d - c) * load_wide_first(du + c, d - c);
    if (!(norms[i] > 0)) {
      for (std::size_t zero = 0; zero < d; ++zero) y[zero] = 0;
      continue;
    }
    double along = sum(products), factor = 1 / norms[i];
    for (c = 0; c + wide_width <= d; c += wide_width)
      store_wide(y + c, (load_wide(du + c) - along * load_wide(u + c)) * factor);
    if (std::size_t rest = d - c; rest > 0)
      store_wide_first(
          y + c, (load_wide_first(du + c, rest) - along * load_wide_first(u + c, rest)) * factor,
          rest);
  }
}

ASOF_INLINE Lanes square_root(Lanes value) {
#if defined(__AVX512F__)
  return reinterpret_cast<Lanes>(_mm512_maskz_sqrt_ps(0xffff, reinterpret_cast<__m512>(value)));
#elif defined(__AVX__)
  return reinterpret_cast<Lanes>(_mm256_sqrt_ps(reinterpret_cast<__m256>(value)));
#elif defined(__x86_64__)
  return reinterpret_cast<Lanes>(_mm_sqrt_ps(reinterpret_cast<__m128>(value)));
#elif defined(__aarch64__)
  return reinterpret_cast<Lanes>(vsqrtq_f32(reinterpret_cast<float32x4_t>(value)));
#else
  Lanes roots = value;
  repeat<static_cast<int>(width)>(
      [&](auto lane) ASOF_INLINE_LAMBDA { roots[lane()] = __builtin_sqrtf(value[lane()]); });
  return roots;
#endif
}

void adamw(const AdamStep& step, const float* gradient, std::size_t n, AdamState state) {
  float *const parameters = state.parameters, *const first = state.first,
               *const second = state.second;
  auto moved = [&](std::size_t i, auto read, auto write) ASOF_INLINE_LAMBDA {
    Lanes g = read(gradient + i), p = read(parameters + i);
    Lanes m = step.beta1 * read(first + i) + (1 - step.beta1) * g;
    Lanes v = step.beta2 * read(second + i) + (1 - step.beta2) * (g * g);
    write(first + i, m);
    write(second + i, v);
    Lanes by = m * step.correction1 / (square_root(v * step.correction2) + step.epsilon);
    write(parameters + i, p - step.rate * (by + step.decay * p));
  };
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    moved(
        i, [](const float* from) ASOF_INLINE_LAMBDA { return load(from); },
        [](float* to, Lanes value) ASOF_INLINE_LAMBDA { store(to, value); });
  }
  if (std::size_t rest = n - i; rest > 0) {
    moved(
        i, [rest](const float* from) ASOF_INLINE_LAMBDA { return load_first(from, rest); },
        [rest](float* to, Lanes value) ASOF_INLINE_LAMBDA { store_first(to, value, rest); });
  }
}

}  // namespace

extern const ::asof::training::Kernels kernels;
const ::asof::training::Kernels kernels = {combine, unit_gradient, adamw};

}  // namespace asof::ASOF_LEVEL::training
