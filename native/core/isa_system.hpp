// What instruction sets ask of the operating system, beyond what the processor says of itself.
#pragma once

namespace asof {

#if defined(__x86_64__)
/// Whether the system saves AVX-512 registers from their first use on, though XCR0 lacks them.
bool system_saves_avx512_on_use();
/// Asks for matrix tiles for this process.
bool system_grants_tiles();
#elif defined(__aarch64__)
/// Whether the processor has dot products of bytes: no program may ask it directly.
bool system_has_dot_products();
#endif

}  // namespace asof
