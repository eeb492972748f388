// Numbers of strings against those of a map, while strings come and the last ones go.
#include "statements/string_numbers.hpp"

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"

using asof::statements::StringNumbers;

int main() {
  std::mt19937 random(20261130);
  for (int round = 0; round < 200; ++round) {
    StringNumbers<char16_t> numbers;
    std::vector<std::u16string> strings;
    std::map<std::u16string, std::uint32_t> expected;
    const auto check = [&](const std::u16string& string) {
      const auto place = expected.find(string);
      const auto number =
          place == expected.end() ? std::nullopt : std::optional<std::uint32_t>(place->second);
      CHECK(numbers.find(string, strings) == number);
    };
    const unsigned kinds = 1 + random() % 400;
    for (int step = 0; step < 500; ++step) {
      std::u16string string(random() % 9, u'a');
      for (char16_t& unit : string) unit = static_cast<char16_t>(u'a' + random() % kinds);
      check(string);
      // More come than go, but now and then all go.
      if (!strings.empty() && (random() % 3 == 0 || random() % 100 == 0)) {
        for (std::size_t gone = random() % 100 == 0 ? strings.size() : 1; gone > 0; --gone) {
          numbers.remove_last(strings.back());
          expected.erase(strings.back());
          strings.pop_back();
        }
      } else if (!expected.contains(string)) {
        numbers.reserve();
        expected.emplace(string, static_cast<std::uint32_t>(strings.size()));
        strings.push_back(string);
        numbers.add(string);
      }
      check(string);
    }
    for (const std::u16string& string : strings) check(string);
  }
}
