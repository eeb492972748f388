// Detection of instruction-set levels: cpuid and xgetbv, and what the system says.
#include "core/isa.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "core/isa_system.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace asof {
namespace {

struct Levels {
  std::array<Isa, 7> list{Isa::reference};
  std::size_t count = 1;
  void add(Isa level) { list[count++] = level; }
};

#if defined(__x86_64__)
/// Registers of one leaf of cpuid, zeros where the processor has none. Not by the compiler's
/// __builtin_cpu_supports, whose run-time library is not there for every target.
struct Leaf {
  unsigned a = 0, b = 0, c = 0, d = 0;
  explicit Leaf(unsigned number, unsigned part = 0) {
    __get_cpuid_count(number, part, &a, &b, &c, &d);
  }
};

constexpr bool has(unsigned bits, unsigned wanted) {
  return (bits & wanted) == wanted;
}

constexpr unsigned bit(unsigned number) {
  return 1u << number;
}

/// XCR0: the register state that the system saves, and without which an extension is unusable.
unsigned saved_state(const Leaf& one) {
  if (!has(one.c, bit(27))) return 0;  // OSXSAVE
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}
#endif

Levels detect() {
  Levels levels;
#if defined(__x86_64__)
  levels.add(Isa::x86_64_v2);  // the level of the rest of this binary
  const Leaf one(1), seven(7), more_of_seven(7, 1), extended(0x80000001);
  const unsigned saved = saved_state(one);
  constexpr unsigned avx_state = 3u << 1, avx512_state = 7u << 5, tile_state = 3u << 17;
  // FMA, MOVBE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT
  const bool v3 = has(saved, avx_state) && has(one.c, bit(12) | bit(22) | bit(28) | bit(29)) &&
                  has(seven.b, bit(3) | bit(5) | bit(8)) && has(extended.c, bit(5));
  if (v3) levels.add(Isa::x86_64_v3);
  // AVX-512 F, DQ, CD, BW, VL
  const bool v4 = v3 && (has(saved, avx512_state) || system_saves_avx512_on_use()) &&
                  has(seven.b, bit(16) | bit(17) | bit(28) | bit(30) | bit(31));
  if (v4) levels.add(Isa::x86_64_v4);
  const bool vnni = v4 && has(seven.c, bit(11));
  if (vnni) levels.add(Isa::x86_64_v4_vnni);
  if (vnni && has(more_of_seven.a, bit(5))) levels.add(Isa::x86_64_v4_bf16);
  // Tiles of bf16, tiles, tiles of bytes
  const bool tiles = vnni && has(saved, tile_state) && has(seven.d, bit(22) | bit(24) | bit(25));
  if (tiles && system_grants_tiles()) levels.add(Isa::x86_64_v4_amx);
#else
  levels.add(Isa::portable);
#if defined(__aarch64__)
  if (system_has_dot_products()) levels.add(Isa::portable_dotprod);
#endif
#endif
  return levels;
}

const Levels& levels() {
  static const Levels detected = detect();
  return detected;
}

Isa named(std::string_view name, const char* source) {
  std::string known;
  for (Isa level : isa_levels()) {
    if (isa_name(level) == name) return level;
    known += (known.empty() ? "" : ", ") + std::string(isa_name(level));
  }
  throw Error("ERR_INVALID_ARGUMENT", std::string("Expected ") + source +
                                          " to be a level that this machine runs (" + known +
                                          "), received \"" + std::string(name) +
                                          "\". Leave it out to use the best one.");
}

Isa default_isa() {
  const char* level = std::getenv("ASOF_ISA");
  if (level != nullptr && *level != '\0') return named(level, "the environment variable ASOF_ISA");
  return isa_levels().back();
}

constexpr int undecided = -1;
std::atomic<int> chosen{undecided};

}  // namespace

std::string_view isa_name(Isa isa) {
  switch (isa) {
    case Isa::reference:
      return "reference";
    case Isa::x86_64_v2:
      return "x86-64-v2";
    case Isa::x86_64_v3:
      return "x86-64-v3";
    case Isa::x86_64_v4:
      return "x86-64-v4";
    case Isa::x86_64_v4_vnni:
      return "x86-64-v4+vnni";
    case Isa::x86_64_v4_bf16:
      return "x86-64-v4+bf16";
    case Isa::x86_64_v4_amx:
      return "x86-64-v4+amx";
    case Isa::portable_dotprod:
      return "neon+dotprod";
    default:
      break;
  }
#if defined(__aarch64__)
  return "neon";
#else
  return "portable";
#endif
}

std::span<const Isa> isa_levels() {
  return {levels().list.data(), levels().count};
}

Isa isa() {
  int level = chosen.load(std::memory_order_relaxed);
  if (level == undecided) {
    level = static_cast<int>(default_isa());
    chosen.store(level, std::memory_order_relaxed);
  }
  return static_cast<Isa>(level);
}

void set_isa(std::string_view name) {
  chosen.store(name.empty() ? undecided : static_cast<int>(named(name, "the level")),
               std::memory_order_relaxed);
}

}  // namespace asof
