// The tagger without JavaScript: what the trigger scan rejects a second, what the whole tagger
// reads a second, and time per megabyte of adversarial text of growing length. One thread,
// processor time. It checks no result. usage: bench_timetag [FILE], without FILE within npm run
// bench:native; FILE has one sentence of UTF-8 a line, as timetag.bench.ts writes it
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "timetag/tagger.hpp"

using namespace asof::timetag;

namespace {

// Nothing to find: no digit, no word that may begin a time expression.
constexpr std::string_view timeless[] = {
    "The bridge carries four lanes of traffic over the river and two railway tracks.",
    "He is known for his work on soils, and for a dictionary that nobody finished.",
    "Its name means \"stone by the water\" in the language of the first settlers.",
    "The flow over a slender body at small incidence is treated by the method of matched "
    "expansions.",
    "Leaves are narrow, with a waxy coat that keeps the plant from drying out in the wind.",
    "She studied law before she turned to painting, and sold her first work to a baker.",
};
constexpr std::string_view timed[] = {
    "The council met in the old hall until 1718, when the new house was ready.",
    "She signed a contract on August 26, 2019, and moved the same week.",
    "Between July 1842 and Nov. 1842 the regiment lost a third of its men to fever.",
    "In the late 1970s the two clubs met every spring in front of large crowds.",
    "The population fell from 1,500 people to fewer than 900 after the mine closed.",
};
constexpr std::string_view adversarial[] = {
    "1",
    "1-",
    "1 ",
    "-",
    "May ",
    "of the ",
    "first of the ",
    "the last ",
    "from 1 to 2 to 3 ",
    ",",
    "'",
    "x",
    "every ",
    "two and ",
    "January 1, ",
    "1998-",
    "the ",
    "in or around ",
    "a ",
    "B.C.",
    "half past ",
    "May 6, ",
    "the late ",
    "between 1990 and ",
    "two hours and ",
    "last two ",
    "1:1",
    "1/1/",
    "\xF0\x9F\x98\x80",
};

// ASCII and the few others that our sentences hold; surrogates are made of four bytes.
std::u16string widened(std::string_view bytes) {
  std::u16string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < bytes.size(); ++k)
      point = point << 6 | (static_cast<unsigned char>(bytes[i + k]) & 0x3Fu);
    if (point >= 0x10000)
      text += {static_cast<char16_t>(0xD7C0 + (point >> 10)),
               static_cast<char16_t>(0xDC00 + (point & 0x3FF))};
    else
      text += static_cast<char16_t>(point);
    i += length;
  }
  return text;
}

// Of processor time, which other work on the machine disturbs less than the clock on the wall.
double seconds_of(auto run) {
  const std::clock_t started = std::clock();
  run();
  return static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
}

double median_seconds(int rounds, auto run) {
  run();
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) seconds.push_back(seconds_of(run));
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

std::vector<std::u16string> repeated(const auto& texts, std::size_t count) {
  std::vector<std::u16string> many;
  for (std::size_t i = 0; i < count; ++i) many.push_back(widened(texts[i % std::size(texts)]));
  return many;
}

void rates(const char* name, const std::vector<std::u16string>& texts) {
  std::size_t units = 0, passed = 0, mentions_found = 0;
  for (const std::u16string& text : texts) units += text.size();
  const double scan = median_seconds(7, [&] {
    passed = 0;
    for (const std::u16string& text : texts) passed += may_contain_time(text);
  });
  const double whole = median_seconds(7, [&] {
    mentions_found = 0;
    for (const std::u16string& text : texts) {
      Tags tags;
      tag(text, 0, Mode::automatic, tags);
      mentions_found += tags.mentions.size();
    }
  });
  const double count = static_cast<double>(texts.size());
  std::printf(
      "%-18s %8zu sentences of %3zu units: scan %11.0f a second (%4.1f GB/s), passes %5.1f %%; tag "
      "%10.0f a second, %.0f mentions in 1000\n",
      name, texts.size(), units / texts.size(), count / scan,
      2e-9 * static_cast<double>(units) / scan, 100 * static_cast<double>(passed) / count,
      count / whole, 1000 * static_cast<double>(mentions_found) / count);
}

void growth() {
  constexpr std::size_t sizes[] = {1, 2, 4, 8, 10};
  std::printf(
      "\nMilliseconds a megabyte (10^6 UTF-16 units) of repetitions, by length; ratio: 10 MB "
      "against 1 MB, 1 is linear\n%-20s",
      "");
  for (std::size_t size : sizes) std::printf("%7zu MB", size);
  std::printf("  ratio\n");
  for (std::string_view piece : adversarial) {
    const std::u16string unit = widened(piece);
    double first = 0, last = 0;
    std::printf("%-20s", (std::string("\"") + std::string(piece) + "\"").c_str());
    for (std::size_t size : sizes) {
      std::u16string text;
      while (text.size() < size * 1'000'000) text += unit;
      text += u" in 1990";  // so that no length is passed over by the trigger scan
      last = 1e3 *
             median_seconds(size < 8 ? 3 : 1,
                            [&] {
                              Tags tags;
                              tag(text, 0, Mode::automatic, tags);
                            }) /
             static_cast<double>(size);
      if (size == 1) first = last;
      std::printf("%10.1f", last);
    }
    std::printf("%7.2f\n", last / first);
  }
}

}  // namespace

int main(int count, char** values) {
  if (count > 1) {
    std::ifstream file(values[1]);
    std::vector<std::u16string> texts;
    for (std::string line; std::getline(file, line);) texts.push_back(widened(line));
    if (texts.empty())
      return std::fprintf(stderr, "Expected a file of sentences, one a line; %s has none.\n",
                          values[1]),
             1;
    rates("given", texts);
    return 0;
  }
  rates("nothing to find", repeated(timeless, 40'000));
  rates("dated", repeated(timed, 40'000));
  std::fflush(stdout);
  growth();
}
