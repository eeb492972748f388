// Searches of a device beside the CPU's: bench_cuda LIBRARY [ROWS [DIMENSIONS [QUERIES [K]]]], by default 10,000,000 rows of 384, int8 and certified, 256
// queries, k = 10. Rows are random, made in place by all threads, and as many as the host's memory holds. Prints JSON: seconds of loading and of the median
// search of each, and whether both found the same. It knows no limits of devices: scripts/bench-cuda.cjs does.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "core/threads.hpp"
#include "index/flat/on_device.hpp"
#include "index/flat/search.hpp"

using namespace asof;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Uniform within (-1, 1), by a number's own hash.
float value_of(std::uint64_t at) {
  at += 0x9e3779b97f4a7c15u;
  at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9u;
  at = (at ^ at >> 27) * 0x94d049bb133111ebu;
  return static_cast<float>(static_cast<std::int32_t>((at ^ at >> 31) >> 32)) * 0x1p-31f;
}

struct Made {
  std::vector<float> vectors;
  std::vector<std::uint32_t> passages;
  std::vector<std::uint8_t> panels;
  std::vector<quantized::PanelRecord> records;
  flat::FlatRows rows;
};

void make(Made& made, std::size_t n, std::size_t d) {
  constexpr quantized::Storage storage = quantized::Storage::int8;
  constexpr std::size_t piece = 65536;
  made.vectors.resize(n * d);
  made.passages.resize(n);
  std::iota(made.passages.begin(), made.passages.end(), 0u);
  made.panels.resize(quantized::panels(n) * quantized::panel_bytes(storage, d));
  made.records.resize(quantized::panels(n));
  parallel_for((n + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    const std::size_t first = p * piece, count = std::min(piece, n - first), panel = first / quantized::panel_rows;
    for (std::size_t i = first * d; i < (first + count) * d; ++i) made.vectors[i] = value_of(i);
    quantized::pack_rows(storage, made.vectors.data() + first * d, d, d, count, made.panels.data() + panel * quantized::panel_bytes(storage, d), made.records.data() + panel);
  });
  made.rows.passages = made.rows.rows = n;
  made.rows.dimensions = d;
  made.rows.vectors = made.vectors;
  made.rows.row_passage = made.passages;
  made.rows.panels = Panels{storage, made.panels, made.records};
}

template <typename Work>
double median_of(int rounds, Work work) {
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    const double began = now();
    work();
    seconds.push_back(now() - began);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  auto number = [&](int at, std::size_t otherwise) { return count > at ? std::strtoull(arguments[at], nullptr, 10) : otherwise; };
  std::size_t n = number(2, 10'000'000);
  const std::size_t d = number(3, 384), queries = number(4, 256), k = number(5, 10);
  const double memory = static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  n = std::min(n, static_cast<std::size_t>(0.8 * memory / (5.0 * static_cast<double>(d) + 24)) / 16 * 16);
  void* library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return std::fprintf(stderr, "%s\n", count > 1 ? dlerror() : "usage: bench_cuda LIBRARY [ROWS [DIMENSIONS [QUERIES [K]]]]"), 1;
  const cuda::Interface* table = reinterpret_cast<const cuda::Interface* (*)()>(dlsym(library, "asof_cuda_interface"))();
  if (table->version != cuda::interface_version || table->bytes != sizeof(cuda::Interface)) return std::fprintf(stderr, "a library of another version\n"), 1;
  Made made;
  make(made, n, d);
  cuda::Failure failure;
  flat::DeviceAccess access{table, nullptr};
  auto expect = [&](bool good) {
    if (!good) std::exit((std::fprintf(stderr, "%s\n", failure.text), 1));
  };
  expect(table->open(0, 0, &access.device, &failure));
  const cuda::SegmentData data = flat::segment_data(made.rows);
  cuda::Resident* resident = nullptr;
  const double began = now();
  expect(table->load(access.device, &data, &resident, &failure));
  const double loading = now() - began;
  std::vector<float> vectors(queries * d);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = value_of(~i);
  flat::Request request;
  request.segments.push_back({made.rows, {}, {}, resident});
  request.vectors = vectors;
  request.dimensions = d;
  request.k = k;
  request.queries.resize(queries);
  flat::Result host, device;
  const double on_cpu = median_of(3, [&] { host = flat::search(request, Cancel()); });
  request.device = &access;
  const double on_device = median_of(9, [&] { device = flat::search(request, Cancel()); });
  const bool same = host.row == device.row && host.score == device.score && host.offsets == device.offsets;
  std::printf("{\"rows\":%zu,\"dimensions\":%zu,\"queries\":%zu,\"k\":%zu,\"loading\":%.6f,\"cpu\":%.6f,\"device\":%.6f,\"same\":%s}\n", n, d, queries, k, loading, on_cpu,
              on_device, same ? "true" : "false");
  table->unload(resident);
  table->close(access.device);
  return same ? 0 : 1;
}
