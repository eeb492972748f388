// Instruction-set levels and run-time dispatch: a kernel family has one table of functions per
// level (ASOF_DISPATCH).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// The level in use is the best of the machine, or the one that the environment variable ASOF_ISA or
// a test names. Levels may differ in the last bits of a float within each contract's tolerance;
// results that must be comparable bit for bit are computed at one level.

namespace asof {

/// `reference` is the plain scalar code of every family; `portable` is SIMD at the compiler's
/// baseline (NEON on aarch64). Levels named after an extension (dot products of bytes, matrix
/// tiles) are a level and that: families without code for it use the level's own.
enum class Isa : unsigned char {
  reference,
  portable,
  portable_dotprod,
  x86_64_v2,
  x86_64_v3,
  x86_64_v4,
  x86_64_v4_vnni,
  x86_64_v4_bf16,
  x86_64_v4_amx
};

/// "reference", "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4+vnni", "x86-64-v4+bf16" (with
/// VNNI), "x86-64-v4+amx"; the portable level is "neon" on aarch64 and "portable" elsewhere, with
/// its extension "neon+dotprod".
std::string_view isa_name(Isa isa);

/// The levels this machine runs, worst first; `reference` is always the first.
std::span<const Isa> isa_levels();

/// The level in use. Throws ERR_INVALID_ARGUMENT if ASOF_ISA names an unknown level or one that
/// this machine lacks.
Isa isa();

/// Sets the level in use; throws ERR_INVALID_ARGUMENT for an unknown one or one that this machine
/// lacks. An empty name restores the default. Running work keeps its level.
void set_isa(std::string_view name);

}  // namespace asof

// Defines `const Kernels& kernels(Isa)` and `const Kernels& kernels()` of a family whose contract
// declares them, from the tables `kernels` that reference.cpp and each compilation of simd.cpp
// define.
#define ASOF_LEVEL_TABLE(level, family)         \
  namespace asof::level::family {               \
  extern const ::asof::family::Kernels kernels; \
  }
#if defined(__x86_64__)
#define ASOF_DISPATCH(family)                    \
  ASOF_LEVEL_TABLE(level_x86_64_v2, family)      \
  ASOF_LEVEL_TABLE(level_x86_64_v3, family)      \
  ASOF_LEVEL_TABLE(level_x86_64_v4, family)      \
  namespace asof::family {                       \
  const Kernels& kernels(Isa level) {            \
    switch (level) {                             \
      case Isa::x86_64_v4_amx:                   \
      case Isa::x86_64_v4_bf16:                  \
      case Isa::x86_64_v4_vnni:                  \
      case Isa::x86_64_v4:                       \
        return level_x86_64_v4::family::kernels; \
      case Isa::x86_64_v3:                       \
        return level_x86_64_v3::family::kernels; \
      case Isa::reference:                       \
        return reference::kernels;               \
      default:                                   \
        return level_x86_64_v2::family::kernels; \
    }                                            \
  }                                              \
  const Kernels& kernels() {                     \
    return kernels(isa());                       \
  }                                              \
  }
// The same for a family with code for every extension.
#define ASOF_DISPATCH_EXTENDED(family)                \
  ASOF_LEVEL_TABLE(level_x86_64_v2, family)           \
  ASOF_LEVEL_TABLE(level_x86_64_v3, family)           \
  ASOF_LEVEL_TABLE(level_x86_64_v4, family)           \
  ASOF_LEVEL_TABLE(level_x86_64_v4_vnni, family)      \
  ASOF_LEVEL_TABLE(level_x86_64_v4_bf16, family)      \
  ASOF_LEVEL_TABLE(level_x86_64_v4_amx, family)       \
  namespace asof::family {                            \
  const Kernels& kernels(Isa level) {                 \
    switch (level) {                                  \
      case Isa::x86_64_v4_amx:                        \
        return level_x86_64_v4_amx::family::kernels;  \
      case Isa::x86_64_v4_bf16:                       \
        return level_x86_64_v4_bf16::family::kernels; \
      case Isa::x86_64_v4_vnni:                       \
        return level_x86_64_v4_vnni::family::kernels; \
      case Isa::x86_64_v4:                            \
        return level_x86_64_v4::family::kernels;      \
      case Isa::x86_64_v3:                            \
        return level_x86_64_v3::family::kernels;      \
      case Isa::reference:                            \
        return reference::kernels;                    \
      default:                                        \
        return level_x86_64_v2::family::kernels;      \
    }                                                 \
  }                                                   \
  const Kernels& kernels() {                          \
    return kernels(isa());                            \
  }                                                   \
  }
#else
#define ASOF_DISPATCH(family)                                                              \
  ASOF_LEVEL_TABLE(level_portable, family)                                                 \
  namespace asof::family {                                                                 \
  const Kernels& kernels(Isa level) {                                                      \
    return level == Isa::reference ? reference::kernels : level_portable::family::kernels; \
  }                                                                                        \
  const Kernels& kernels() {                                                               \
    return kernels(isa());                                                                 \
  }                                                                                        \
  }
#if defined(__aarch64__)
#define ASOF_DISPATCH_EXTENDED(family)                  \
  ASOF_LEVEL_TABLE(level_portable, family)              \
  ASOF_LEVEL_TABLE(level_portable_dotprod, family)      \
  namespace asof::family {                              \
  const Kernels& kernels(Isa level) {                   \
    switch (level) {                                    \
      case Isa::portable_dotprod:                       \
        return level_portable_dotprod::family::kernels; \
      case Isa::reference:                              \
        return reference::kernels;                      \
      default:                                          \
        return level_portable::family::kernels;         \
    }                                                   \
  }                                                     \
  const Kernels& kernels() {                            \
    return kernels(isa());                              \
  }                                                     \
  }
#else
#define ASOF_DISPATCH_EXTENDED(family) ASOF_DISPATCH(family)
#endif
#endif
