// Searches of a device against the CPU's: bench_cuda LIBRARY [ROWS [DIMENSIONS [STORAGES]]], by
// default 10,000,000 rows of 384, stored as int8,bf16,f32 one at a time, all certified:
// batches of 1, 8, 64, 256 and 1000 for k = 10, 256 for k = 100, and 256 that see a third of the
// rows and weigh them by a spline. Rows are random, made in place by all threads, and as many as
// the host's memory holds. Prints a line of JSON for the rows and for each load, and one a shape:
// median seconds of either, and whether both found the same. It knows no limits of devices:
// scripts/bench-cuda.cjs does.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/threads.hpp"
#include "device/library.hpp"
#include "index/vector/on_device.hpp"
#include "index/vector/search.hpp"

using namespace asof;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Uniform within (-1, 1), by a number's own hash.
float value_of(std::uint64_t at) {
  at += 0x9e3779b97f4a7c15u;
  at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9u;
  at = (at ^ at >> 27) * 0x94d049bb133111ebu;
  return static_cast<float>(static_cast<std::int32_t>((at ^ at >> 31) >> 32)) * 0x1p-31f;
}

constexpr double day = 86'400'000;
constexpr std::int32_t days = 6000;

struct Made {
  std::vector<float> vectors;
  std::vector<std::uint32_t> passages;
  std::vector<std::int32_t> published;  // days, in no order
  std::vector<std::uint8_t> panels;
  std::vector<quantized::PanelRecord> records;
  FlatRows rows;
};

constexpr std::size_t piece = 65536;

void make(Made& made, std::size_t n, std::size_t d) {
  made.vectors.resize(n * d);
  made.published.resize(n);
  made.passages.resize(n);
  std::iota(made.passages.begin(), made.passages.end(), 0u);
  parallel_for((n + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    const std::size_t first = p * piece, count = std::min(piece, n - first);
    for (std::size_t i = first * d; i < (first + count) * d; ++i) made.vectors[i] = value_of(i);
    for (std::size_t row = first; row < first + count; ++row)
      made.published[row] = static_cast<std::int32_t>((row * 0x9e3779b97f4a7c15u >> 32) % days);
  });
  made.rows.passages = made.rows.rows = n;
  made.rows.dimensions = d;
  made.rows.vectors = CheckedSpan<float>(made.vectors);
  made.rows.row_passage = made.passages;
  made.rows.published = temporal::ClockView<std::int32_t>{{day, 0}, made.published, {}, {}, {}};
}

/// Bytes a search reads of the rows, once.
std::size_t store(Made& made, Storage storage) {
  const std::size_t n = made.rows.rows, d = made.rows.dimensions;
  made.rows.panels.reset();
  if (!storage) return n * (d + 1) * sizeof(float);
  const std::size_t bytes = quantized::panel_bytes(*storage, d);
  made.panels.resize(quantized::panels(n) * bytes);
  made.records.resize(quantized::panels(n));
  parallel_for((n + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    const std::size_t first = p * piece, panel = first / quantized::panel_rows;
    quantized::pack_rows(*storage, {made.vectors.data() + first * d, std::min(piece, n - first), d},
                         d, made.panels.data() + panel * bytes, made.records.data() + panel);
  });
  made.rows.panels = Panels{*storage, made.panels, made.records};
  return quantized::panels(n) * (bytes + sizeof(quantized::PanelRecord));
}

/// Of three searches after one that is not counted; of one alone where that takes over a
/// second, and of nine where it is short.
template <typename Work>
double median_of(Work work) {
  std::vector<double> seconds;
  for (std::size_t round = 0, rounds = 1; round <= rounds; ++round) {
    const double began = now();
    work();
    const double took = now() - began;
    if (round == 0) rounds = took > 1 ? 0 : took > 0.1 ? 3 : 9;
    if (round > 0 || rounds == 0) seconds.push_back(took);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

struct Shape {
  std::size_t queries, k;
  bool timed;
};
constexpr Shape shapes[] = {{1, 10, false},    {8, 10, false},    {64, 10, false}, {256, 10, false},
                            {1000, 10, false}, {256, 100, false}, {256, 10, true}};

void weigh_times(vector::Query& query) {
  query.mask.published_until = day * days / 3;
  query.form.kind = temporal::Kind::spline;
  query.form.combine = temporal::Combine::product;
  query.form.clock = temporal::Clock::published;
  query.form.spline.lines[0] = {{0, day * days / 3}, 0.5, 1};
  query.form.spline.line_count = 1;
}

bool same(const vector::Result& host, const vector::Result& device) {
  return host.row == device.row && host.score == device.score && host.offsets == device.offsets &&
         !device.device.empty() && device.device[0] == 1;
}

struct Stored {
  const char* name;
  Storage storage;
};
constexpr Stored stored[] = {
    {"int8", quantized::Storage::int8}, {"bf16", quantized::Storage::bf16}, {"f32", std::nullopt}};

}  // namespace

int main(int count, char** arguments) {
  auto number = [&](int at, std::size_t otherwise) {
    return count > at ? std::strtoull(arguments[at], nullptr, 10) : otherwise;
  };
  std::size_t n = number(2, 10'000'000);
  const std::size_t d = number(3, 384);
  const std::string storages = count > 4 ? arguments[4] : "int8,bf16,f32";
  const double memory =
      static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  n = std::min(
      n, static_cast<std::size_t>(0.8 * memory / (6.2 * static_cast<double>(d) + 32)) / 16 * 16);
  void* library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr)
    return std::fprintf(
               stderr, "%s\n",
               count > 1 ? dlerror() : "usage: bench_cuda LIBRARY [ROWS [DIMENSIONS [STORAGES]]]"),
           1;
  const cuda::Interface* table =
      reinterpret_cast<const cuda::Interface* (*)()>(dlsym(library, "asof_cuda_interface"))();
  if (table->version != cuda::interface_version || table->bytes != sizeof(cuda::Interface))
    return std::fprintf(stderr, "a library of another version\n"), 1;
  Made made;
  make(made, n, d);
  std::printf("{\"rows\":%zu,\"dimensions\":%zu,\"threads\":%zu}\n", n, d, thread_count());
  cuda::Failure failure;
  DeviceHandle handle{table, nullptr};
  auto expect = [&](bool good) {
    if (!good) std::exit((std::fprintf(stderr, "%s\n", failure.text), 1));
  };
  expect(table->open(0, 0, &handle.device, &failure));
  constexpr std::size_t most_queries = 1000;
  std::vector<float> vectors(most_queries * d);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = value_of(~i);
  bool all_same = true;
  for (const Stored& each : stored) {
    if (storages.find(each.name) == std::string::npos) continue;
    const std::size_t bytes = store(made, each.storage);
    const cuda::SegmentData data = vector::segment_data(made.rows);
    cuda::DeviceSegment* resident = nullptr;
    const double began = now();
    expect(table->load(handle.device, &data, &resident, &failure));
    std::printf("{\"storage\":\"%s\",\"bytes\":%zu,\"loading\":%.3f}\n", each.name, bytes,
                now() - began);
    for (const Shape& shape : shapes) {
      vector::Request request;
      request.segments.push_back({made.rows, {}, {}, {}, resident});
      request.vectors = std::span(vectors).first(shape.queries * d);
      request.dimensions = d;
      request.k = shape.k;
      request.queries.resize(shape.queries);
      if (shape.timed) std::for_each(request.queries.begin(), request.queries.end(), weigh_times);
      vector::Result host, device;
      const double on_cpu = median_of([&] { host = vector::search(request, Cancel()); });
      request.device = &handle;
      const double on_device = median_of([&] { device = vector::search(request, Cancel()); });
      all_same = all_same && same(host, device);
      std::printf(
          "{\"storage\":\"%s\",\"queries\":%zu,\"k\":%zu,\"timed\":%s,\"cpu\":%.6f,\"device\":%.6f,"
          "\"same\":%s}\n",
          each.name, shape.queries, shape.k, shape.timed ? "true" : "false", on_cpu, on_device,
          same(host, device) ? "true" : "false");
      std::fflush(stdout);
    }
    table->unload(resident);
  }
  table->close(handle.device);
  return all_same ? 0 : 1;
}
