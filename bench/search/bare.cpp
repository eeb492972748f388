// The scan without JavaScript: one query at a time over rows in memory (int8 and f32, as
// VectorIndex keeps them), wall-clock microseconds of a call. What bench/search/overhead.ts
// compares a search through Node with; that compiles it against the very objects that the addon is
// linked of. It checks no result. usage: bare ROWS.f32 QUERIES.f32 DIMENSIONS K THREADS CALLS
// prints a line with every call's time
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <vector>

#include "core/threads.hpp"
#include "index/vector/memory_rows.hpp"
#include "index/vector/search.hpp"

using namespace asof;

namespace {

std::vector<float> floats_of(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<float> values(static_cast<std::size_t>(file.tellg()) / sizeof(float));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: bare ROWS.f32 QUERIES.f32 DIMENSIONS K THREADS CALLS\n");
    return 2;
  }
  const std::size_t dimensions = std::strtoul(argv[3], nullptr, 10),
                    calls = std::strtoul(argv[6], nullptr, 10);
  set_thread_count(std::strtoul(argv[5], nullptr, 10));
  std::vector<float> vectors = floats_of(argv[1]);
  const std::vector<float> queries = floats_of(argv[2]);
  const std::size_t rows = vectors.size() / dimensions, given = queries.size() / dimensions;
  std::vector<std::uint32_t> passages(rows);
  std::iota(passages.begin(), passages.end(), 0u);
  const vector::MemoryRows kept({rows, 0, dimensions}, vectors, std::move(passages), {},
                                {false, quantized::Storage::int8});
  vector::Request request;
  request.segments.push_back({kept.rows(), {}});
  request.queries.resize(1);
  request.dimensions = dimensions;
  request.k = std::strtoul(argv[4], nullptr, 10);
  std::vector<double> taken;
  for (std::size_t call = 0; call < calls + calls / 10; ++call) {
    request.vectors = std::span(queries).subspan(call % given * dimensions, dimensions);
    const auto started = std::chrono::steady_clock::now();
    const vector::Result found = vector::search(request, Cancel());
    const std::chrono::duration<double, std::micro> each =
        std::chrono::steady_clock::now() - started;
    if (found.row.empty()) return 1;
    if (call >= calls / 10) taken.push_back(each.count());  // the first tenth warms up
  }
  for (double each : taken) std::printf("%.2f ", each);
  std::printf("\n");
  return 0;
}
