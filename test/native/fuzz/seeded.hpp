// The main loop of fuzzers whose cases come from a seed: cases for as long as asked, or the one
// that failed, made again.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace asof::fuzz {

inline char running[80];

/// Says which case it was; only then ends the program.
inline void report(int) {
  std::fputs(running, stderr);
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

/// Takes [SECONDS [SEED [NUMBER]]], and returns what main does. `done` says of what there were so
/// many, and what held of them.
inline int seeded(int count, char** arguments, const char* name, const char* done,
                  void (*run)(std::uint64_t seed)) {
  const double seconds = count > 1 ? std::stod(arguments[1]) : 2;
  const std::uint64_t seed = count > 2 ? std::stoull(arguments[2]) : 1;
  if (count > 3) {
    run(seed + std::stoull(arguments[3]));
    return 0;
  }
  const auto started = std::chrono::steady_clock::now();
  std::uint64_t number = 0;
  std::signal(SIGABRT, report);
  for (;
       std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() < seconds;
       ++number) {
    std::snprintf(running, sizeof(running), "%s 0 %llu %llu\n", name,
                  static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number));
    run(seed + number);
  }
  std::printf("%llu %s\n", static_cast<unsigned long long>(number), done);
  return 0;
}

}  // namespace asof::fuzz
