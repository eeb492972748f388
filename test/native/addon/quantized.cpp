// Quantized rows: a handle owns packed panels; products and candidates above a threshold are tasks.
#include <napi.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/handles.hpp"
#include "boundary/row_tiles.hpp"
#include "boundary/task.hpp"
#include "kernels/int4/contract.hpp"
#include "kernels/quantized/queries.hpp"

namespace asof::boundary {
namespace {

using quantized::PanelSurvivor;
using quantized::QueryBlock;
using quantized::Storage;

constexpr napi_type_tag rows_tag = {0x6f3a91d4c27b48e5, 0xa80d5e1f9b364c72};
constexpr std::size_t pack_panels = int4::block_panels,
                      scan_panels = 2048;  // panels between two checks of the cancellation

struct Packed {
  struct alignas(quantized::line_bytes) Line {
    std::uint8_t bytes[quantized::line_bytes];
  };
  Storage storage = Storage::bf16;
  std::size_t n = 0, d = 0;
  std::vector<Line> lines;
  std::vector<quantized::PanelRecord> records;
  std::vector<float> centre;  // of int4

  std::uint8_t* panel(std::size_t at) {
    return reinterpret_cast<std::uint8_t*>(lines.data()) + at * quantized::panel_bytes(storage, d);
  }
  quantized::Rows view() const {
    return {storage, n, d, reinterpret_cast<const std::uint8_t*>(lines.data()), records.data()};
  }
  int4::Rows planes() const {
    return {n,
            d,
            reinterpret_cast<const std::uint8_t*>(lines.data()),
            records.data(),
            0,
            records.size()};
  }
};

/// Queries for either family, and its kernels on a range of panels.
struct PackedQueries {
  PackedQueries(const Packed& packed, const float* queries, std::size_t nq)
      : packed(packed),
        planes(packed.storage == Storage::int4),
        block(planes ? Storage::int8 : packed.storage, queries, planes ? 0 : nq, packed.d,
              packed.d),
        plane_block(queries, planes ? nq : 0, packed.d, packed.d),
        shifts(plane_block.shifts(queries, packed.d, packed.centre)) {}

  void products(std::size_t first, std::size_t last, float* out) const {
    if (planes)
      int4_kernels.products(packed.planes(), plane_block.view(shifts, 0, nq()), {first, last}, out,
                            packed.n);
    else
      kernels.products(packed.view(), block.view(), {first, last}, out, packed.n);
  }
  void survivors(const quantized::Scan& scan) const {
    if (planes)
      int4_kernels.survivors(packed.planes(), plane_block.view(shifts, 0, nq()), scan);
    else
      kernels.survivors(packed.view(), block.view(), scan);
  }
  std::size_t nq() const { return plane_block.size(); }

  const Packed& packed;
  bool planes;
  QueryBlock block;
  int4::QueryBlock plane_block;
  int4::Shifts shifts;
  const quantized::Kernels& kernels = quantized::kernels();
  const int4::Kernels& int4_kernels = int4::kernels();
};

using Handle = std::shared_ptr<Packed>;

const Handle& packed_of(const Napi::Value& value) {
  return contents<Handle>(value, rows_tag, "rows", "a handle from packQuantized");
}

/// Calls body(first, last) for ranges of panels on the pool's threads.
template <typename Body>
void each_panel_range(std::size_t panels, std::size_t length, const Cancel& cancel, Body body) {
  parallel_for((panels + length - 1) / length, 0, [&](std::size_t range, std::size_t) {
    cancel.throw_if_requested();
    body(range * length, std::min(panels, (range + 1) * length));
  });
}

// packQuantized(rows: Float32Array, dimensions: number, storage: string, cancellation?:
// Cancellation): Promise<QuantizedRows>
Napi::Value pack_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto given = array<float>(info[0], "rows");
    std::size_t d = size(info[1], "dimensions", 1, quantized::most_dimensions),
                n = rows_of(given.size(), d, "rows");
    std::string name = string(info[2], "storage");
    if (name != "bf16" && name != "int8" && name != "int4")
      refuse("storage", "\"bf16\", \"int8\" or \"int4\"", "\"" + name + "\"");
    Cancel cancel = Cancellation::flag(info[3]);
    if (n > quantized::most_rows) refuse("rows", "fewer than 2^32 - 1", std::to_string(n));
    const Storage storage = name == "int8"   ? Storage::int8
                            : name == "int4" ? Storage::int4
                                             : Storage::bf16;
    auto work = [rows = copied(given), n, d, storage, cancel] {
      auto packed = std::make_shared<Packed>();
      packed->storage = storage;
      packed->n = n;
      packed->d = d;
      packed->lines.resize(quantized::panels(n) * quantized::panel_bytes(storage, d) /
                           quantized::line_bytes);
      packed->records.resize(quantized::panels(n));
      if (storage == Storage::int4) packed->centre = int4::centre_of(rows.data(), n, d);
      each_panel_range(
          packed->records.size(), pack_panels, cancel, [&](std::size_t first, std::size_t last) {
            const std::size_t row = first * quantized::panel_rows,
                              count = std::min(n, last * quantized::panel_rows) - row;
            const float* from = rows.data() + row * d;
            quantized::PanelRecord* records = packed->records.data() + first;
            if (storage == Storage::int4)
              int4::pack_rows({from, count, d}, d, packed->centre.data(), packed->panel(first),
                              records);
            else
              quantized::pack_rows(storage, {from, count, d}, d, packed->panel(first), records);
          });
      return packed;
    };
    return start_task(info.Env(), std::move(work), [](Napi::Env env, const Handle& packed) {
      return handle_of(env, rows_tag, packed);
    });
  });
}

// quantizedPanels(rows: QuantizedRows): { panels: Uint8Array; records: Float32Array; centre?:
// Float32Array }
Napi::Value panels_of(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Packed& packed = *packed_of(info[0]);
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("panels", array_of<std::uint8_t>(
                             info.Env(), std::span(packed.view().panels,
                                                   packed.lines.size() * quantized::line_bytes)));
    constexpr std::size_t floats = sizeof(quantized::PanelRecord) / sizeof(float);
    result.Set(
        "records",
        array_of<float>(info.Env(), std::span(reinterpret_cast<const float*>(packed.records.data()),
                                              packed.records.size() * floats)));
    if (packed.storage == Storage::int4)
      result.Set("centre", array_of<float>(info.Env(), packed.centre));
    return result;
  });
}

// quantizedProducts(rows: QuantizedRows, queries: Float32Array, cancellation?: Cancellation):
// Promise<Float32Array>
Napi::Value products_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Handle packed = packed_of(info[0]);
    auto queries = array<float>(info[1], "queries");
    std::size_t nq = rows_of(queries.size(), packed->d, "queries");
    Cancel cancel = Cancellation::flag(info[2]);
    check_pairs(nq, packed->n, most_products, 30);
    auto work = [packed, queries = copied(queries), nq, cancel] {
      std::vector<float> out(nq * packed->n);
      const PackedQueries packed_queries(*packed, queries.data(), nq);
      each_panel_range(
          packed->records.size(), pack_panels, cancel, [&](std::size_t first, std::size_t last) {
            packed_queries.products(first, last, out.data() + first * quantized::panel_rows);
          });
      return out;
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

struct Survivors {
  std::mutex mutex;
  std::vector<PanelSurvivor> found;
  static void take(void* context, const PanelSurvivor* candidates, std::size_t count) {
    auto& self = *static_cast<Survivors*>(context);
    std::lock_guard lock(self.mutex);
    if (self.found.size() + count > most_products) throw std::bad_alloc();
    self.found.insert(self.found.end(), candidates, candidates + count);
  }
};

Napi::Value survivors_value(Napi::Env env, const std::vector<PanelSurvivor>& found) {
  Napi::Object result = Napi::Object::New(env);
  auto column = [&](const char* name, auto field) {
    std::vector<std::remove_cvref_t<decltype(field(found[0]))>> values(found.size());
    std::transform(found.begin(), found.end(), values.begin(), field);
    result.Set(name, array_of(env, values));
  };
  column("query", [](const PanelSurvivor& each) { return each.query; });
  column("row", [](const PanelSurvivor& each) { return each.row; });
  column("product", [](const PanelSurvivor& each) { return each.product; });
  column("most", [](const PanelSurvivor& each) { return each.upper; });
  return result;
}

// quantizedSurvivors(rows: QuantizedRows, request: SurvivorsRequest, cancellation?: Cancellation):
// Promise<QuantizedSurvivors>
Napi::Value survivors_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Handle packed = packed_of(info[0]);
    const Napi::Object request = object(info[1], "request");
    auto queries = array<float>(request.Get("queries"), "queries");
    std::size_t nq = rows_of(queries.size(), packed->d, "queries");
    auto thresholds = array<float>(request.Get("thresholds"), "thresholds", nq);
    const Napi::Value filter = request.Get("considered");
    bool all = filter.IsUndefined();
    std::vector<std::uint64_t> considered;
    if (!all)
      considered = copied(array<std::uint64_t>(filter, "considered", (packed->n + 63) / 64));
    Cancel cancel = Cancellation::flag(info[2]);
    auto work = [packed, queries = copied(queries), thresholds = copied(thresholds),
                 considered = std::move(considered), all, nq, cancel] {
      Survivors survivors;
      const PackedQueries packed_queries(*packed, queries.data(), nq);
      each_panel_range(packed->records.size(), scan_panels, cancel,
                       [&](std::size_t first, std::size_t last) {
                         packed_queries.survivors({first, last, thresholds.data(),
                                                   all ? nullptr : considered.data(),
                                                   Survivors::take, &survivors});
                       });
      return std::move(survivors.found);
    };
    return start_task(info.Env(), std::move(work), survivors_value);
  });
}

}  // namespace

void export_test_quantized(Napi::Env env, Napi::Object exports) {
  exports.Set("packQuantized", Napi::Function::New(env, pack_task, "packQuantized"));
  exports.Set("quantizedPanels", Napi::Function::New(env, panels_of, "quantizedPanels"));
  exports.Set("quantizedProducts", Napi::Function::New(env, products_task, "quantizedProducts"));
  exports.Set("quantizedSurvivors", Napi::Function::New(env, survivors_task, "quantizedSurvivors"));
}

}  // namespace asof::boundary
