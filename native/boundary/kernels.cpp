// The kernel families as tasks: each export copies its typed arrays, runs the family's function at the level in use off
// the JS thread, and resolves with new typed arrays. Shapes are checked here; what the numbers mean is not.
#include <napi.h>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/task.hpp"
#include "core/isa.hpp"
#include "core/threads.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::boundary {
namespace {

constexpr std::size_t tile_rows = 256;  // rows between two looks at the cancellation

// How many vectors of `dimensions` a matrix holds.
std::size_t rows_of(std::size_t length, std::size_t dimensions, const char* name) {
  if (length % dimensions != 0) {
    refuse(name, "a whole number of vectors of " + std::to_string(dimensions), "an array of " + std::to_string(length));
  }
  return length / dimensions;
}

// isa(): string
Napi::Value get_isa(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value { return Napi::String::New(info.Env(), std::string(isa_name(isa()))); });
}

// isaLevels(): string[]
Napi::Value get_isa_levels(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Napi::Array names = Napi::Array::New(info.Env());
    for (Isa level : isa_levels()) names.Set(names.Length(), Napi::String::New(info.Env(), std::string(isa_name(level))));
    return names;
  });
}

// setIsa(name: string): void
Napi::Value put_isa(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    set_isa(string(info[0], "name"));
    return info.Env().Undefined();
  });
}

// innerProduct(queries: Float32Array, rows: Float32Array, dimensions: number, cancellation?: Cancellation): Promise<Float32Array>
Napi::Value inner_product_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto queries = array<float>(info[0], "queries");
    auto rows = array<float>(info[1], "rows");
    std::size_t d = size(info[2], "dimensions", 1, 1 << 24);
    Cancel cancel = Cancellation::flag(info[3]);
    std::size_t nq = rows_of(queries.size(), d, "queries"), n = rows_of(rows.size(), d, "rows");
    auto work = [queries = copied(queries), rows = copied(rows), d, nq, n, cancel, &kernels = inner_product::kernels()] {
      std::vector<float> out(nq * n);
      parallel_for((n + tile_rows - 1) / tile_rows, 0, [&](std::size_t tile, std::size_t) {
        cancel.throw_if_requested();
        std::size_t first = tile * tile_rows, count = std::min(tile_rows, n - first);
        kernels.block(queries.data(), nq, d, rows.data() + first * d, count, d, d, out.data() + first, n);
      });
      return out;
    };
    return start_task(info.Env(), std::move(work), [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

}  // namespace

void export_kernels(Napi::Env env, Napi::Object exports) {
  exports.Set("isa", Napi::Function::New(env, get_isa, "isa"));
  exports.Set("isaLevels", Napi::Function::New(env, get_isa_levels, "isaLevels"));
  exports.Set("setIsa", Napi::Function::New(env, put_isa, "setIsa"));
  exports.Set("innerProduct", Napi::Function::New(env, inner_product_task, "innerProduct"));
}

}  // namespace asof::boundary
