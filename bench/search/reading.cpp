// How long the machine takes to read a number of bytes of a file that is in memory, doing nothing
// with them but a sum: below it no search of those bytes can be. Asked between the rounds of
// bench/search/peers.ts, by a line each; compiled against the objects that the addon is linked of.
// It searches nothing. usage: reading FILE      reads lines THREADS BYTES CALLS, answers each with
// the milliseconds of a call: by wall clock, and in processor time
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>

#include "core/huge_pages.hpp"
#include "core/threads.hpp"

namespace {

using Wide = std::uint64_t __attribute__((vector_size(16)));

/// Eight sums that wait for no other, of as many stretches side by side, a little of each asked for
/// ahead: what memory answers fastest.
std::uint64_t sum_of(const Wide* from, std::size_t count) {
  constexpr std::size_t streams = 8, line = 64 / sizeof(Wide), ahead = 16 * line;
  Wide sums[streams] = {};
  const std::size_t each = count / streams / line * line;
  for (std::size_t i = 0; i < each; i += line) {
#pragma GCC unroll 8
    for (std::size_t s = 0; s < streams; ++s) {
      const Wide* own = from + s * each + i;
      __builtin_prefetch(own + ahead, 0, 2);
      sums[s] += (own[0] + own[1]) + (own[2] + own[3]);
    }
  }
  Wide all = {};
  for (const Wide& sum : sums) all += sum;
  for (std::size_t i = streams * each; i < count; ++i) all += from[i];
  return all[0] + all[1];
}

double processor_ms() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: reading FILE\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary | std::ios::ate);
  if (!file) return 1;
  asof::HugePageVector<std::uint8_t> bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  constexpr std::size_t piece = 512 * 1024;
  std::size_t threads, wanted, calls;
  while (std::scanf("%zu %zu %zu", &threads, &wanted, &calls) == 3) {
    const std::size_t count = (wanted < bytes.size() ? wanted : bytes.size()) / sizeof(Wide),
                      pieces = (count * sizeof(Wide) + piece - 1) / piece;
    std::uint64_t sum = 0;
    const double used = processor_ms();
    const auto started = std::chrono::steady_clock::now();
    for (std::size_t call = 0; call < calls; ++call) {
      asof::parallel_for(pieces, threads, [&](std::size_t p, std::size_t) {
        constexpr std::size_t width = piece / sizeof(Wide);
        const std::uint64_t own = sum_of(reinterpret_cast<const Wide*>(bytes.data()) + p * width,
                                         p + 1 < pieces ? width : count - p * width);
        __atomic_fetch_add(&sum, own, __ATOMIC_RELAXED);
      });
    }
    const std::chrono::duration<double, std::milli> wall =
        std::chrono::steady_clock::now() - started;
    const double each = static_cast<double>(calls);
    std::printf("%.6f %.6f %llu\n", wall.count() / each, (processor_ms() - used) / each,
                static_cast<unsigned long long>(sum));
    std::fflush(stdout);
  }
  return 0;
}
