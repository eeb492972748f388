// Detection of instruction-set levels: cpuid and xgetbv, and the system call that enables AMX
// tiles.
#include "core/isa.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>

#include "core/error.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace asof {
namespace {

struct Levels {
  std::array<Isa, 6> list{Isa::reference};
  std::size_t count = 1;
  void add(Isa level) { list[count++] = level; }
};

#if defined(__x86_64__)
/// Tiles of bytes and of bf16: supported by the processor, saved by the system (bits 17 and 18 of
/// XCR0), and granted to this process.
bool tiles_granted() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned bf16 = 1u << 22, tile = 1u << 24, int8 = 1u << 25, saves_state = 1u << 27;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) ||
      (d & (bf16 | tile | int8)) != (bf16 | tile | int8))
    return false;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & saves_state) == 0) return false;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  constexpr unsigned tile_state = 3u << 17;
  if ((low & tile_state) != tile_state) return false;
#if defined(__linux__)
  constexpr long request_permission = 0x1023,
                 tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}
#elif defined(__aarch64__)
bool has_dotprod() {
#if defined(__APPLE__)
  return true;  // every processor of this platform
#elif defined(__linux__)
  constexpr unsigned long dotprod = 1ul << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & dotprod) != 0;
#else
  return false;
#endif
}
#endif

Levels detect() {
  Levels levels;
#if defined(__x86_64__)
  __builtin_cpu_init();
  levels.add(Isa::x86_64_v2);  // the level of the rest of this binary
  bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
            __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (v3) levels.add(Isa::x86_64_v3);
  bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl");
  if (v4) levels.add(Isa::x86_64_v4);
  bool vnni = v4 && __builtin_cpu_supports("avx512vnni");
  if (vnni) levels.add(Isa::x86_64_v4_vnni);
  if (vnni && tiles_granted()) levels.add(Isa::x86_64_v4_amx);
#else
  levels.add(Isa::portable);
#if defined(__aarch64__)
  if (has_dotprod()) levels.add(Isa::portable_dotprod);
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
