// The main loop of fuzzers: cases of a seed for as long as asked, and changed copies of those that
// reached new code, which a folder keeps between runs.
//
//   NAME [SECONDS [SEED [FOLDER]]]: a case that fails is written to FOLDER/found
//   NAME FILE...: runs written cases again
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/coverage.hpp"
#include "fuzz/random.hpp"

namespace fuzz {

inline constexpr unsigned longest_seconds = 20;  // for one case, under sanitizers
inline constexpr std::size_t most_kept = 500;

// The case that runs, written, and where it goes if it fails.
inline std::string running, found;

/// Says which case it was; only then ends the program.
inline void report(int signal) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %.4000s", signal == SIGALRM ? "Hangs" : "Fails", running.c_str());
  if (!found.empty()) {
    const int file = ::open(found.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0 && ::write(file, running.data(), running.size()) >= 0)
      std::fprintf(stderr, "node scripts/fuzz.cjs %s\n", found.c_str());
  }
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "Expected a case in %s, found no such file.\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::filesystem::path named_by(const std::filesystem::path& folder,
                                      const std::string& text) {
  char name[17];
  std::snprintf(name, sizeof name, "%016zx", std::hash<std::string>()(text));
  return folder / name;
}

/// `Fuzzer` has a name, what holds of its cases (`holds`), and cases of a type `Input`: made of a
/// seed and a number (`fresh`), like another one (`changed`), as text (`written`, `read`), and
/// checked (`check`).
template <typename Fuzzer>
class Driver {
 public:
  using Input = typename Fuzzer::Input;
  explicit Driver(const Fuzzer& fuzzer) : fuzzer_(fuzzer) {}

  int run(int count, char** arguments) {
    std::signal(SIGABRT, report);
    std::signal(SIGALRM, report);
    if (count > 1 && std::filesystem::is_regular_file(arguments[1])) {
      for (int i = 1; i < count; ++i) check(fuzzer_.read(content_of(arguments[i])), true);
      std::printf("%s: %d cases again, nothing found\n", fuzzer_.name, count - 1);
      return 0;
    }
    const double seconds = count > 1 ? std::atof(arguments[1]) : 2;
    const std::uint64_t seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
    if (count > 3) open(arguments[3], seconds / 2, seed);
    const std::size_t before = kept_.size();
    Random random(seed);
    std::uint64_t number = 0;
    for (; elapsed() < seconds; ++number) {
      const bool change = !kept_.empty() && !random.one_in(3);
      Input input = change ? fuzzer_.changed(random.of(kept_), random.of(kept_), random)
                           : fuzzer_.fresh(seed, number);
      if (check(input, false) && !folder_.empty()) keep(std::move(input));
    }
    std::printf("%s: %llu cases of seed %llu in %.0f s, %zu kept, %zu before: %s\n", fuzzer_.name,
                static_cast<unsigned long long>(number), static_cast<unsigned long long>(seed),
                elapsed(), kept_.size(), before, fuzzer_.holds);
    return 0;
  }

 private:
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  /// Whether the case reached new code.
  bool check(const Input& input, bool prints) {
    running = fuzzer_.written(input);
    if (!folder_.empty()) found = named_by(folder_ / "found", running).string();
    begin_coverage();
    ::alarm(longest_seconds);
    fuzzer_.check(input, prints);
    ::alarm(0);
    return is_new_coverage();
  }

  /// Runs what the folder has, as far as the seconds suffice; what reaches nothing new, by now,
  /// leaves.
  void open(const std::filesystem::path& folder, double seconds, std::uint64_t seed) {
    folder_ = folder;
    std::filesystem::create_directories(folder / "found");
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::directory_iterator(folder))
      if (each.is_regular_file()) files.push_back(each.path());
    std::sort(files.begin(), files.end());
    const auto first = static_cast<std::ptrdiff_t>(files.empty() ? 0 : seed % files.size());
    std::rotate(files.begin(), files.begin() + first, files.end());  // others next time
    for (const auto& file : files) {
      if (elapsed() > seconds) break;
      Input input = fuzzer_.read(content_of(file));
      if (check(input, false))
        kept_.push_back(std::move(input));
      else
        std::filesystem::remove(file);
    }
  }

  void keep(Input input) {
    if (kept_.size() >= most_kept) return;
    std::ofstream(named_by(folder_, running), std::ios::binary) << running;
    kept_.push_back(std::move(input));
  }

  const Fuzzer& fuzzer_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::filesystem::path folder_;
  std::vector<Input> kept_;
};

}  // namespace fuzz
