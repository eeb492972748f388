// Inner products of queries and rows as a task.
#include "kernels/inner_product/contract.hpp"

#include <napi.h>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/row_tiles.hpp"
#include "boundary/task.hpp"

namespace asof::boundary {
namespace {

// innerProduct(queries: Float32Array, rows: Float32Array, dimensions: number, cancellation?:
// Cancellation): Promise<Float32Array>
Napi::Value inner_product_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto queries = array<float>(info[0], "queries");
    auto rows = array<float>(info[1], "rows");
    std::size_t d = size(info[2], "dimensions", 1, most_dimensions);
    Cancel cancel = Cancellation::flag(info[3]);
    std::size_t nq = rows_of(queries.size(), d, "queries"), n = rows_of(rows.size(), d, "rows");
    check_pairs(nq, n, most_products, 30);
    auto work = [queries = copied(queries), rows = copied(rows), d, nq, n, cancel,
                 &kernels = inner_product::kernels()] {
      std::vector<float> out(nq * n);
      each_tile(n, cancel, [&](std::size_t first, std::size_t count) {
        kernels.block({queries.data(), nq, d}, {rows.data() + first * d, count, d}, d,
                      out.data() + first, n);
      });
      return out;
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

}  // namespace

void export_inner_product(Napi::Env env, Napi::Object exports) {
  exports.Set("innerProduct", Napi::Function::New(env, inner_product_task, "innerProduct"));
}

}  // namespace asof::boundary
