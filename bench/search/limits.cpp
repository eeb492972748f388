// What the machine allows a search: how long it takes to read a number of bytes of a file that is
// in memory, doing nothing with them but a sum, and to multiply and add in registers, reading
// nothing. Asked between the rounds of bench/search/peers.ts, by a line each; compiled against the
// objects that the addon is linked of. It searches nothing. usage: limits FILE      takes lines
//   read THREADS BYTES CALLS
//   multiply THREADS INSTRUCTION      fma512, fma256, mul128, dpbusd512, dpbf16, maddubs512, ...
// and answers each with milliseconds, by wall clock and in processor time: of a call; of a thousand
// million products that are added. NaN of an instruction that it does not know.
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string_view>

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

/// Twelve chains of additions, more than any processor needs to keep its multipliers busy.
#define TWELVE(op)                                                                         \
  op("0") op("1") op("2") op("3") op("4") op("5") op("6") op("7") op("8") op("9") op("10") \
      op("1"                                                                               \
         "1")

struct Instruction {
  std::string_view name;
  double products;  // of one
  void (*run)(std::size_t times);
};

#if defined(__x86_64__)
#define REGISTERS                                                                          \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define FMA512(n) "vfmadd231ps %%zmm15, %%zmm15, %%zmm" n "\n"
#define FMA256(n) "vfmadd231ps %%ymm15, %%ymm15, %%ymm" n "\n"
#define MUL128(n) "movaps %%xmm15, %%xmm14\nmulps %%xmm15, %%xmm14\naddps %%xmm14, %%xmm" n "\n"
#define DPBUSD512(n) "vpdpbusd %%zmm15, %%zmm15, %%zmm" n "\n"
#define DPBF16(n) "vdpbf16ps %%zmm15, %%zmm15, %%zmm" n "\n"
#define MADDUBS(bits, n)                           \
  "vpmaddubsw %%" bits "15, %%" bits "15, %%" bits \
  "14\n"                                           \
  "vpmaddwd %%" bits "15, %%" bits "14, %%" bits   \
  "13\n"                                           \
  "vpaddd %%" bits "13, %%" bits n ", %%" bits n "\n"
#define MADDUBS512(n) MADDUBS("zmm", n)
#define MADDUBS256(n) MADDUBS("ymm", n)
#define RUN(op, end)                                                                   \
  [](std::size_t times) {                                                              \
    for (std::size_t i = 0; i < times; ++i) asm volatile(TWELVE(op) end::: REGISTERS); \
  }
constexpr Instruction instructions[] = {
    {"fma512", 16, RUN(FMA512, "")},        {"fma256", 8, RUN(FMA256, "")},
    {"mul128", 4, RUN(MUL128, "")},         {"dpbusd512", 64, RUN(DPBUSD512, "")},
    {"dpbf16", 32, RUN(DPBF16, "")},        {"maddubs512", 64, RUN(MADDUBS512, "")},
    {"maddubs256", 32, RUN(MADDUBS256, "")}};
#elif defined(__aarch64__)
#define FMLA(n) "fmla v" n ".4s, v15.4s, v15.4s\n"
#define RUN(op)                                                                                    \
  [](std::size_t times) {                                                                          \
    for (std::size_t i = 0; i < times; ++i)                                                        \
      asm volatile(TWELVE(op)::                                                                    \
                       : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", \
                         "v15");                                                                   \
  }
constexpr Instruction instructions[] = {{"fma128", 4, RUN(FMLA)}};
#else
constexpr Instruction instructions[] = {{"", 0, nullptr}};
#endif

/// Milliseconds of some work, by wall clock and of the processor.
struct Taken {
  double wall, processor;
};

template <typename Work>
Taken timed(Work work) {
  const double used = processor_ms();
  const auto started = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - started;
  return {wall.count(), processor_ms() - used};
}

Taken multiply(std::size_t threads, std::string_view name) {
  constexpr std::size_t pieces = 64, times = 20'000;
  for (const Instruction& each : instructions) {
    if (each.name != name || each.run == nullptr) continue;
    const Taken taken = timed([&] {
      asof::parallel_for(pieces, threads, [&](std::size_t, std::size_t) { each.run(times); });
    });
    const double share = 1e9 / (each.products * 12 * times * pieces);
    return {taken.wall * share, taken.processor * share};
  }
  return {NAN, NAN};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: limits FILE\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary | std::ios::ate);
  if (!file) return 1;
  asof::HugePageVector<std::uint8_t> bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  constexpr std::size_t piece = 512 * 1024;
  const auto read = [&](std::size_t threads, std::size_t wanted, std::size_t calls) {
    const std::size_t count = (wanted < bytes.size() ? wanted : bytes.size()) / sizeof(Wide),
                      pieces = (count * sizeof(Wide) + piece - 1) / piece;
    std::uint64_t sum = 0;
    const Taken taken = timed([&] {
      for (std::size_t call = 0; call < calls; ++call)
        asof::parallel_for(pieces, threads, [&](std::size_t p, std::size_t) {
          constexpr std::size_t width = piece / sizeof(Wide);
          const std::uint64_t own = sum_of(reinterpret_cast<const Wide*>(bytes.data()) + p * width,
                                           p + 1 < pieces ? width : count - p * width);
          __atomic_fetch_add(&sum, own, __ATOMIC_RELAXED);
        });
    });
    const volatile std::uint64_t used = sum;
    (void)used;
    const double each = static_cast<double>(calls);
    return Taken{taken.wall / each, taken.processor / each};
  };
  char what[16], instruction[16];
  std::size_t threads, wanted, calls;
  while (std::scanf("%15s %zu", what, &threads) == 2) {
    const bool reads = std::string_view(what) == "read";
    if (reads ? std::scanf("%zu %zu", &wanted, &calls) != 2 : std::scanf("%15s", instruction) != 1)
      return 2;
    const Taken taken = reads ? read(threads, wanted, calls) : multiply(threads, instruction);
    std::printf("%.6f %.6f\n", taken.wall, taken.processor);
    std::fflush(stdout);
  }
  return 0;
}
