// Scans of rows stored as bf16 and int8 next to the f32 kernel: every level, batches of 1, 8, 64
// and 256 queries, in turns within one process and on one thread, by processor time. Printed with
// them are the limits of the machine: its tile instructions on registers, and reading memory (the
// most seen, the f32 kernel's included). Rows are random and of length 1; thresholds let none
// survive, then one in ten thousand and what the bound adds. Tiles are also fed in the kernel's
// order with no filter behind them: what the filter costs. usage: bench_quantized [ROWS [DIMENSIONS
// [ROUNDS]]]
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernels/inner_product/contract.hpp"
#include "kernels/quantized/queries.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace asof;
using namespace asof::quantized;

namespace {

double seconds_of(const std::function<void()>& work) {
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double started = now();
  work();
  return now() - started;
}

volatile int sink;

// Operations a second on registers, from a loop of independent chains. Operands are random: zeros
// draw less power and run faster.
#if defined(__x86_64__)
alignas(64) unsigned char operands[4][1024];
constexpr int turns = 20000;

// Clang wants it on a lambda too.
#define ASOF_TILES __attribute__((target("amx-tile,amx-int8,amx-bf16")))

ASOF_TILES double tile_peak(bool whole) {
  alignas(64) static unsigned char shapes[64] = {1};
  for (int tile = 0; tile < 8; ++tile) shapes[16 + 2 * tile] = 64, shapes[48 + tile] = 16;
  __asm__ volatile("" : : : "memory");
  _tile_loadconfig(shapes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_loadd(4, operands[0], 64);
  _tile_loadd(5, operands[1], 64);
  _tile_loadd(6, operands[2], 64);
  _tile_loadd(7, operands[3], 64);
  auto int8 = []() ASOF_TILES {
    for (int i = 0; i < turns; ++i) {
      _tile_dpbssd(0, 4, 6);
      _tile_dpbssd(1, 4, 7);
      _tile_dpbssd(2, 5, 6);
      _tile_dpbssd(3, 5, 7);
    }
  };
  auto bf16 = []() ASOF_TILES {
    for (int i = 0; i < turns; ++i) {
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  };
  const double took = whole ? seconds_of(int8) : seconds_of(bf16);
  _tile_release();
  return turns * 4.0 * (whole ? 32768 : 16384) / took;
}

/// What survivors() multiplies at a level with tiles, in its order, and nothing else: no sum is
/// stored or tested.
ASOF_TILES void multiply_alone(const Rows& rows, const Queries& queries) {
  alignas(64) static unsigned char shapes[64] = {1};
  for (int tile = 0; tile < 8; ++tile) shapes[16 + 2 * tile] = 64, shapes[48 + tile] = 16;
  __asm__ volatile("" : : : "memory");
  _tile_loadconfig(shapes);
  const std::size_t bytes = panel_bytes(rows.storage, rows.d), all = panels(rows.n),
                    groups = (queries.nq + 15) / 16, pairs = (groups + 1) / 2;
  const std::size_t stretch = std::min<std::size_t>(256, 384 * 1024 / bytes / 2 * 2 + 2),
                    near = std::max<std::size_t>(1, 24 * 1024 / (2 * bytes));
  for (std::size_t begin = 0; begin < all; begin += stretch) {
    const std::size_t end = std::min(all, begin + stretch);
    for (std::size_t first = 0; first < pairs; first += near) {
      for (std::size_t panel = begin; panel < end; panel += 2) {
        for (std::size_t pair = first; pair < std::min(pairs, first + near); ++pair) {
          const std::uint8_t *query = queries.tiles + 2 * pair * bytes,
                             *row = rows.panels + panel * bytes;
          const std::uint8_t *more_queries = query + (2 * pair + 1 < groups ? bytes : 0),
                             *more_rows = row + (panel + 1 < end ? bytes : 0);
          for (std::size_t at = 0; at < bytes; at += tile_bytes) {
            _tile_stream_loadd(6, row + at, 64);
            _tile_loadd(4, query + at, 64);
            _tile_stream_loadd(7, more_rows + at, 64);
            _tile_loadd(5, more_queries + at, 64);
            if (rows.storage == Storage::int8) {
              _tile_dpbssd(0, 4, 6);
              _tile_dpbssd(1, 4, 7);
              _tile_dpbssd(2, 5, 6);
              _tile_dpbssd(3, 5, 7);
            } else {
              _tile_dpbf16ps(0, 4, 6);
              _tile_dpbf16ps(1, 4, 7);
              _tile_dpbf16ps(2, 5, 6);
              _tile_dpbf16ps(3, 5, 7);
            }
          }
        }
      }
    }
  }
  _tile_release();
}
#endif

constexpr const char* no_filter = "tiles alone, no filter";

struct Peaks {
  double int8 = 0, bf16 = 0, read = 0;
  void measure(const std::vector<std::uint8_t>& memory) {
#if defined(__x86_64__)
    const auto levels = isa_levels();
    auto has = [&](Isa level) {
      return std::find(levels.begin(), levels.end(), level) != levels.end();
    };
    if (has(Isa::x86_64_v4_amx))
      int8 = std::max(int8, tile_peak(true)), bf16 = std::max(bf16, tile_peak(false));
#endif
    std::uint64_t total = 0;
    const double took = seconds_of([&] {
      std::uint64_t lanes[8] = {};
      for (std::size_t at = 0; at + 64 <= memory.size(); at += 64) {
        __builtin_prefetch(memory.data() + at + 2048);
        for (int lane = 0; lane < 8; ++lane) {
          std::uint64_t word;
          std::memcpy(&word, memory.data() + at + lane * 8, 8);
          lanes[lane] ^= word;
        }
      }
      for (std::uint64_t lane : lanes) total ^= lane;
    });
    sink = static_cast<int>(total);
    read = std::max(read, static_cast<double>(memory.size()) / took);
  }
};

struct Data {
  std::size_t n, d;
  std::vector<float> rows, queries;
  Data(std::size_t n, std::size_t d) : n(n), d(d), rows(n * d), queries(256 * d) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    auto fill = [&](std::vector<float>& vectors) {
      for (std::size_t at = 0; at < vectors.size(); at += d) {
        double squares = 0;
        for (std::size_t c = 0; c < d; ++c) {
          vectors[at + c] = normal(random);
          squares += static_cast<double>(vectors[at + c]) * static_cast<double>(vectors[at + c]);
        }
        for (std::size_t c = 0; c < d; ++c)
          vectors[at + c] /= static_cast<float>(std::sqrt(squares));
      }
    };
    fill(rows), fill(queries);
  }
};

struct Contender {
  std::string name;
  std::function<void()> run;
  std::vector<double> times;
  double best() const { return *std::min_element(times.begin(), times.end()); }
  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
};

void race(std::vector<Contender>& contenders, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (Contender& each : contenders) each.times.push_back(seconds_of(each.run));
  }
}

std::size_t survived = 0;
void take(void*, const PanelSurvivor*, std::size_t count) {
  survived += count;
}

void show(Contender& each, const char* kind, std::size_t nq, double pairs, double operations,
          double bytes, double peak, double f32, double read) {
  const double best = each.best();
  std::printf("%s batch %3zu  %-31s %9.3f ms, best %9.3f  %7.0f M products/s  %5.0f GOP/s", kind,
              nq, each.name.c_str(), each.median() * 1e3, best * 1e3, pairs / best / 1e6,
              operations / best / 1e9);
  if (peak > 0 && each.name != "f32")
    std::printf(" (%4.1f %% of tiles)", 100 * operations / best / peak);
  std::printf("  %5.1f GB/s (%3.0f %% of reading)  x %5.2f\n", bytes / best / 1e9,
              100 * bytes / best / read, f32 / best);
}

/// The share of the tiles' peak with the filter and without; `least` is the time at the peak.
void show_filter(const std::vector<Contender>& contenders, double least) {
  auto share = [&](const std::string& name) {
    const auto found = std::find_if(contenders.begin(), contenders.end(),
                                    [&](const Contender& each) { return each.name == name; });
    return found == contenders.end() ? 0 : 100 * least / found->best();
  };
  const std::string level = std::string(isa_name(Isa::x86_64_v4_amx));
  const double alone = share(no_filter), with = share(level),
               some = share(level + ", some survive");
  if (alone > 0)
    std::printf(
        "  of the tiles' peak: %.1f %% with no filter, %.1f %% with it where none survives, %.1f "
        "%% where some do\n",
        alone, with, some);
}

void compare(const Data& data, Storage storage, int rounds, Peaks& peaks) {
  const std::size_t n = data.n, d = data.d;
  std::vector<std::uint8_t> memory(panels(n) * panel_bytes(storage, d) + line_bytes);
  std::uint8_t* lines =
      memory.data() +
      (line_bytes - reinterpret_cast<std::uintptr_t>(memory.data()) % line_bytes) % line_bytes;
  std::vector<PanelRecord> records(panels(n));
  pack_rows(storage, {data.rows.data(), n, d}, d, lines, records.data());
  const Rows rows = {storage, n, d, lines, records.data()};
  for (std::size_t nq : {1, 8, 64, 256}) {
    const QueryBlock block(storage, data.queries.data(), nq, d, d);
    const std::vector<float> never(nq, 10.0f),
        some(nq, static_cast<float>(3.72 / std::sqrt(static_cast<double>(d))));
    std::vector<float> out(nq * 256);
    std::vector<Contender> contenders;
    contenders.push_back({"f32",
                          [&] {
                            const auto& f32 = inner_product::kernels();
                            for (std::size_t r = 0; r < n; r += 256) {
                              f32.block(
                                  {data.queries.data(), nq, d},
                                  {data.rows.data() + r * d, std::min<std::size_t>(256, n - r), d},
                                  d, out.data(), 256);
                            }
                          },
                          {}});
    for (Isa level : isa_levels()) {
      if (level == Isa::reference) continue;
      for (const auto* thresholds : {&never, &some}) {
        auto run = [&, level, thresholds] {
          kernels(level).survivors(rows, block.view(),
                                   {0, panels(n), thresholds->data(), nullptr, take, nullptr});
        };
        contenders.push_back(
            {std::string(isa_name(level)) + (thresholds == &some ? ", some survive" : ""),
             run,
             {}});
      }
#if defined(__x86_64__)
      if (level == Isa::x86_64_v4_amx && nq > 4)
        contenders.push_back({no_filter, [&] { multiply_alone(rows, block.view()); }, {}});
#endif
    }
    peaks.measure(memory);
    race(contenders, rounds);
    peaks.measure(memory);
    if (nq == 1)
      peaks.read =
          std::max(peaks.read, static_cast<double>(n * d * sizeof(float)) / contenders[0].best());
    const double pairs = static_cast<double>(n) * static_cast<double>(nq),
                 width = static_cast<double>(component_bytes(storage));
    for (Contender& each : contenders) {
      show(each, storage == Storage::int8 ? "int8" : "bf16", nq, pairs,
           2 * pairs * static_cast<double>(d),
           static_cast<double>(n * d) * (each.name == "f32" ? 4 : width),
           storage == Storage::int8 ? peaks.int8 : peaks.bf16, contenders[0].best(), peaks.read);
    }
    show_filter(contenders, 2 * pairs * static_cast<double>(d) /
                                (storage == Storage::int8 ? peaks.int8 : peaks.bf16));
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t n = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 100000,
                    d = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 384;
  const int rounds = count > 3 ? std::atoi(arguments[3]) : 9;
  if (n == 0 || d == 0 || d > most_dimensions || rounds < 1) {
    std::fprintf(stderr, "Expected rows, dimensions up to %zu and rounds, all at least 1.\n",
                 most_dimensions);
    return 2;
  }
#if defined(__x86_64__)
  std::mt19937 random(2);
  for (auto& tile : operands) {
    for (std::size_t i = 0; i < 1024; ++i)
      tile[i] = static_cast<unsigned char>(i % 2 == 1 ? 0x3b + random() % 4
                                                      : random());  // bf16 near 1e-2
  }
#endif
  const Data data(n, d);
  Peaks peaks;
  std::printf(
      "%zu rows of %zu, one thread, %d rounds in turns; x: times faster than the f32 kernel at "
      "%s\n",
      n, d, rounds, std::string(isa_name(isa())).c_str());
  for (Storage storage : {Storage::int8, Storage::bf16}) compare(data, storage, rounds, peaks);
  std::printf(
      "At most: int8 tiles %.0f GOP/s and bf16 tiles %.0f on registers; reading memory %.1f GB/s\n",
      peaks.int8 / 1e9, peaks.bf16 / 1e9, peaks.read / 1e9);
}
