// Asks the processor (cpuid, and through it whether the system saves the wide registers) which levels it runs.
#include "core/isa.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>

#include "core/error.hpp"

namespace asof {
namespace {

struct Levels {
  std::array<Isa, 4> list{Isa::reference};
  std::size_t count = 1;
  void add(Isa level) { list[count++] = level; }
};

Levels detect() {
  Levels levels;
#if defined(__x86_64__)
  __builtin_cpu_init();
  levels.add(Isa::x86_64_v2);  // what the rest of this binary is compiled for
  bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (v3) levels.add(Isa::x86_64_v3);
  bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (v4) levels.add(Isa::x86_64_v4);
#else
  levels.add(Isa::portable);
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
  throw Error("ERR_INVALID_ARGUMENT", std::string("Expected ") + source + " to be a level that this machine runs (" + known + "), received \"" +
                                          std::string(name) + "\". Leave it out to use the best one.");
}

Isa default_isa() {
  const char* wanted = std::getenv("ASOF_ISA");
  if (wanted != nullptr && *wanted != '\0') return named(wanted, "the environment variable ASOF_ISA");
  return isa_levels().back();
}

constexpr int undecided = -1;
std::atomic<int> chosen{undecided};

}  // namespace

std::string_view isa_name(Isa level) {
  switch (level) {
    case Isa::reference: return "reference";
    case Isa::x86_64_v2: return "x86-64-v2";
    case Isa::x86_64_v3: return "x86-64-v3";
    case Isa::x86_64_v4: return "x86-64-v4";
    default: break;
  }
#if defined(__aarch64__)
  return "neon";
#else
  return "portable";
#endif
}

std::span<const Isa> isa_levels() { return {levels().list.data(), levels().count}; }

Isa isa() {
  int level = chosen.load(std::memory_order_relaxed);
  if (level == undecided) {
    level = static_cast<int>(default_isa());
    chosen.store(level, std::memory_order_relaxed);
  }
  return static_cast<Isa>(level);
}

void set_isa(std::string_view name) {
  chosen.store(name.empty() ? undecided : static_cast<int>(named(name, "the level")), std::memory_order_relaxed);
}

}  // namespace asof
