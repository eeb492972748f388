// Kernel families over f32 rows and scores as tasks, at the level in use.
#include <napi.h>

#include <algorithm>

#include "addon/exports.hpp"
#include "addon/offsets.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/row_tiles.hpp"
#include "boundary/task.hpp"
#include "kernels/film/contract.hpp"
#include "kernels/normalize/contract.hpp"
#include "kernels/row_sum/contract.hpp"
#include "kernels/threshold_products/contract.hpp"
#include "kernels/top_k/contract.hpp"

namespace asof::boundary {
namespace {

constexpr double most_rows = 4294967294;  // row numbers are 32 bits; the last one means none
constexpr double most_pairs = 1 << 28;

using Candidates = std::vector<threshold_products::Candidate>;

Napi::Value candidates_value(Napi::Env env, const Candidates& found) {
  Napi::Object result = Napi::Object::New(env);
  auto column = [&](const char* name, auto field) {
    std::vector<std::remove_cvref_t<decltype(field(found[0]))>> values(found.size());
    std::transform(found.begin(), found.end(), values.begin(), field);
    result.Set(name, array_of(env, values));
  };
  column("query", [](const threshold_products::Candidate& each) { return each.query; });
  column("row", [](const threshold_products::Candidate& each) { return each.row; });
  column("product", [](const threshold_products::Candidate& each) { return each.product; });
  return result;
}

// thresholdProducts(queries: Float32Array, rows: Float32Array, dimensions: number, thresholds:
// Float32Array, cancellation?: Cancellation):
//   Promise<{ query: Uint32Array; row: Uint32Array; product: Float32Array }>
Napi::Value threshold_products_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto queries = array<float>(info[0], "queries");
    auto rows = array<float>(info[1], "rows");
    std::size_t d = size(info[2], "dimensions", 1, most_dimensions);
    std::size_t nq = rows_of(queries.size(), d, "queries"), n = rows_of(rows.size(), d, "rows");
    auto thresholds = array<float>(info[3], "thresholds", nq);
    Cancel cancel = Cancellation::flag(info[4]);
    check_pairs(nq, n, most_pairs, 28);
    auto work = [queries = copied(queries), rows = copied(rows), thresholds = copied(thresholds), d,
                 nq, n, cancel, &kernels = threshold_products::kernels()] {
      std::vector<float> packed(threshold_products::packed_floats(nq, d));
      threshold_products::pack(queries.data(), nq, d, d, packed.data());
      Candidates found;
      for (std::size_t first = 0; first < n; first += tile_rows) {
        cancel.throw_if_requested();
        const std::size_t before = found.size();
        auto take = [](void* context, const threshold_products::Candidate* candidates,
                       std::size_t count) {
          Candidates& all = *static_cast<Candidates*>(context);
          all.insert(all.end(), candidates, candidates + count);
        };
        kernels.scan({rows.data() + first * d, std::min(tile_rows, n - first), d, packed.data(), nq,
                      thresholds.data(), take, &found});
        for (std::size_t i = before; i < found.size(); ++i)
          found[i].row += static_cast<std::uint32_t>(first);
      }
      return found;
    };
    return start_task(info.Env(), std::move(work), candidates_value);
  });
}

// topK(scores: Float32Array, k: number, cancellation?: Cancellation): Promise<{ indices:
// Uint32Array; scores: Float32Array }>
Napi::Value top_k_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto scores = array<float>(info[0], "scores");
    std::size_t k = size(info[1], "k", 0, most_rows);
    Cancel cancel = Cancellation::flag(info[2]);
    if (scores.size() > most_rows)
      refuse("scores", "an array below 2^32 - 1", "one of " + std::to_string(scores.size()));
    auto work = [scores = copied(scores), k, cancel, &kernels = top_k::kernels()] {
      cancel.throw_if_requested();
      return top_k::select(scores.data(), scores.size(), k, kernels);
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const std::vector<top_k::Entry>& best) -> Napi::Value {
                        std::vector<std::uint32_t> indices;
                        std::vector<float> scores;
                        for (const top_k::Entry& entry : best) {
                          indices.push_back(entry.payload);
                          scores.push_back(entry.score);
                        }
                        Napi::Object result = Napi::Object::New(env);
                        result.Set("indices", array_of(env, indices));
                        result.Set("scores", array_of(env, scores));
                        return result;
                      });
  });
}

struct Normalized {
  std::vector<float> rows;
  std::vector<double> norms;
};

// normalize(rows: Float32Array, dimensions: number, cancellation?: Cancellation): Promise<{ rows:
// Float32Array; norms: Float64Array }>
Napi::Value normalize_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto rows = array<float>(info[0], "rows");
    std::size_t d = size(info[1], "dimensions", 1, most_dimensions);
    Cancel cancel = Cancellation::flag(info[2]);
    std::size_t n = rows_of(rows.size(), d, "rows");
    auto work = [rows = copied(rows), d, n, cancel, &kernels = normalize::kernels()]() mutable {
      std::vector<double> norms(n);
      each_tile(n, cancel, [&](std::size_t first, std::size_t count) {
        kernels.rows(rows.data() + first * d, count, d, d, norms.data() + first);
      });
      return Normalized{std::move(rows), std::move(norms)};
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const Normalized& made) -> Napi::Value {
                        Napi::Object result = Napi::Object::New(env);
                        result.Set("rows", array_of(env, made.rows));
                        result.Set("norms", array_of(env, made.norms));
                        return result;
                      });
  });
}

// rowSum(rows: Int8Array, weights: Float32Array): Float32Array
Napi::Value row_sum_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto bytes = array<std::int8_t>(info[0], "rows");
    const auto weights = array<float>(info[1], "weights");
    if (weights.empty() || bytes.size() % weights.size() != 0)
      refuse("weights", "as many as rows", std::to_string(weights.size()));
    const std::size_t d = bytes.size() / weights.size();
    std::vector<const std::int8_t*> rows;
    for (std::size_t i = 0; i < weights.size(); ++i) rows.push_back(bytes.data() + i * d);
    std::vector<float> out(d);
    row_sum::kernels().sum(rows.data(), weights.data(), rows.size(), d, out.data());
    return array_of(info.Env(), out);
  });
}

struct Fused {
  std::vector<float> rows;
  std::vector<std::uint8_t> refused;
};

// film(request: FilmRequest, cancellation?: Cancellation): Promise<{ rows: Float32Array; refused:
// Uint8Array }>
Napi::Value film_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Object request = object(info[0], "request");
    auto x = array<float>(request.Get("x"), "x");
    auto gamma = array<float>(request.Get("gamma"), "gamma", x.size());
    auto beta = array<float>(request.Get("beta"), "beta", x.size());
    double alpha = number(request.Get("alpha"), "alpha");
    std::size_t d = size(request.Get("dimensions"), "dimensions", 1, most_dimensions),
                n = rows_of(x.size(), d, "x");
    auto timed = array<std::uint8_t>(request.Get("timed"), "timed", n);
    Cancel cancel = Cancellation::flag(info[1]);
    auto work = [x = copied(x), gamma = copied(gamma), beta = copied(beta), timed = copied(timed),
                 alpha, d, n, cancel, &kernels = film::kernels()]() mutable {
      std::vector<std::uint8_t> refused(n);
      each_tile(n, cancel, [&](std::size_t first, std::size_t count) {
        std::size_t at = first * d;
        kernels.rows(
            {x.data() + at, gamma.data() + at, beta.data() + at, timed.data() + first, count, d},
            alpha, x.data() + at, refused.data() + first);
      });
      return Fused{std::move(x), std::move(refused)};
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const Fused& made) -> Napi::Value {
                        Napi::Object result = Napi::Object::New(env);
                        result.Set("rows", array_of(env, made.rows));
                        result.Set("refused", array_of(env, made.refused));
                        return result;
                      });
  });
}

}  // namespace

void check_offsets(std::span<const std::uint32_t> offsets, std::size_t rows, const char* of) {
  if (offsets.empty()) refuse("offsets", "an array of one number or more", "an empty one");
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1])
      refuse("offsets", "ascending",
             std::to_string(offsets[i - 1]) + " before " + std::to_string(offsets[i]));
  }
  if (offsets.back() > rows)
    refuse("offsets", "at most the length of " + std::string(of) + ", " + std::to_string(rows),
           std::to_string(offsets.back()));
}

void export_test_kernels(Napi::Env env, Napi::Object exports) {
  exports.Set("thresholdProducts",
              Napi::Function::New(env, threshold_products_task, "thresholdProducts"));
  exports.Set("film", Napi::Function::New(env, film_task, "film"));
  exports.Set("normalize", Napi::Function::New(env, normalize_task, "normalize"));
  exports.Set("rowSum", Napi::Function::New(env, row_sum_of, "rowSum"));
  exports.Set("topK", Napi::Function::New(env, top_k_task, "topK"));
}

}  // namespace asof::boundary
