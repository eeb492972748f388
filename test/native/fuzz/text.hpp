// Texts for the tagger's fuzzer, each made from a seed and its number alone, so that one that fails
// can be made again: random UTF-8 and UTF-16, soups of the lexicon's words and of date fragments,
// mutations of sentences of our own, repetitions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.hpp"

namespace fuzz {

inline constexpr std::u16string_view sentences[] = {
    u"The council met in the old hall until 1718, when the new house was ready.",
    u"She signed a contract on August 26, 2019, and moved the same week.",
    u"Between July 1842 and Nov. 1842 the regiment lost a third of its men to fever.",
    u"In the late 1970s the two clubs met every spring in front of large crowds.",
    u"From 5 May to 7 June 1821 the ferry did not run, and from 1914 to 1927 there was none.",
    u"The 2012-13 season opened three weeks late; the 1914\u201318 war had closed it for good.",
    u"It was founded c. 1434 (or around 1440), in the 2nd half of the 15th century.",
    u"Caesar died on 15 March 44 BC; A.D. 79 saw the mountain burn, in the 1st century C.E.",
    u"By the end of 2016 the line had reached the coast, no later than Q3 2016.",
    u"The office is open every Monday at 9 a.m. and on weekends from 10:30 to 18:00 UTC.",
    u"He will be back next Friday, two days later than he said last week.",
    u"Three years ago, in the winter of 1962\u201363, the lake froze for ten weeks.",
    u"Since 2022-01-07T13:50:07.250Z the server has answered within 2.5 hours.",
    u"The early-to-mid 1930s, the turn of the century and the twenties were hard years.",
    u"In fiscal year 2019 (FY19) the first quarter ended on 31 March '19.",
    u"On Christmas Day 1999 and the following day the bridge stayed shut until dawn.",
    u"Currently, nowadays, now, today, tonight, tomorrow morning and yesterday at noon.",
    u"More than 1900 people, 1,500 sheep and 2000 soldiers lived at 1600 Main Street in room 1234.",
    u"She won 6-4 7-5 on 3/17/2021, 17.3.2021 and 2021/05/06; call 555-1998 or (212) 555-2004.",
    u"Version 2.0.1998 of ISO 8601:2004 costs $1999 or \u20ac 1998,50; see pp. 1234\u20131250.",
    u"On or before 1 May 1990, as of 6 May 2021, prior to 1990, up until the 1850s and 1860s.",
    u"In the 5th century BC, the 2nd millennium BCE and the late 18th and early 19th centuries.",
    u"The ninth of March, the 21st of June, and on 29 February in a year that had none.",
    u"In the past, at that time, in recent years, soon, once and in the near future.",
    u"Twice a week, daily, every two years, on Sundays, and for the whole of May 2005.",
};

inline constexpr std::u16string_view fragments[] = {
    u"1",
    u"6",
    u"12",
    u"31",
    u"44",
    u"79",
    u"99",
    u"100",
    u"476",
    u"1000",
    u"1850",
    u"1914",
    u"18",
    u"1998",
    u"2021",
    u"2199",
    u"2200",
    u"9999",
    u"00",
    u"0000",
    u"1990s",
    u"90s",
    u"19th",
    u"1st",
    u"22nd",
    u"2021-05-06",
    u"2021-02-29",
    u"2004-05",
    u"12/31/99",
    u"3/4",
    u"17.3.2021",
    u"12:30",
    u"23:59:59",
    u"T13:50Z",
    u"+02:00",
    u"May",
    u"may",
    u"Sept.",
    u"Sun",
    u"BC",
    u"B.C.",
    u"A.D.",
    u"C.E.",
    u"Q3",
    u"H1",
    u"FY",
    u"'99",
    u"c.",
    u"ca.",
    u"a.m.",
    u"pm",
    u"GMT",
    u"EST",
    u"-",
    u"\u2013",
    u"\u2014",
    u"\u2212",
    u"/",
    u",",
    u".",
    u":",
    u";",
    u"'",
    u"\u2019",
    u"(",
    u")",
    u"[",
    u"]",
    u"$",
    u"%",
    u"~",
    u"+",
    u"\"",
    u"last two",
    u"of the",
    u"the first of the",
    u"no later than",
    u"as of",
    u"up to",
    u"ago",
    u"in",
    u"on",
    u"at",
    u"every",
    u"a",
    u"the",
    u"end of",
    u"half past",
    u"quarter to",
    u"noon",
    u"midnight",
    u"from",
    u"to",
    u"between",
    u"and",
    u"until",
    u"\u00e9",
    u"\u4e2d",
    u"\u0661\u0669",
    u"\xd83d\xde00",
    u"\xd800",
    u"\xdc00",
    u"\ufeff",
    u"\u00a0",
    u"\u2009",
    u"\n",
    u"\t",
    u"\x01",
};

inline std::u16string widened(std::string_view ascii) {
  return {ascii.begin(), ascii.end()};
}

/// Bytes read as UTF-8; what is none becomes U+FFFD, but encoded surrogates stay, as lenient
/// decoders leave them.
inline std::u16string decoded(const std::vector<std::uint8_t>& bytes) {
  std::u16string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::uint8_t lead = bytes[i++];
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xF0 && lead < 0xF5 ? 3
                     : lead >= 0xE0 && lead < 0xF0 ? 2
                     : lead >= 0xC2 && lead < 0xE0 ? 1
                                                   : -1;
    if (more < 0) {
      text += u'\ufffd';
      continue;
    }
    std::uint32_t point = more == 0 ? lead : lead & (0x3Fu >> more);
    int left = more;
    for (; left > 0 && i < bytes.size() && (bytes[i] & 0xC0) == 0x80; --left)
      point = point << 6 | (bytes[i++] & 0x3Fu);
    if (left > 0 || point > 0x10FFFF) {
      text += u'\ufffd';
    } else if (point >= 0x10000) {
      text += static_cast<char16_t>(0xD7C0 + (point >> 10));
      text += static_cast<char16_t>(0xDC00 + (point & 0x3FF));
    } else {
      text += static_cast<char16_t>(point);
    }
  }
  return text;
}

class Texts {
 public:
  explicit Texts(std::vector<std::string_view> words) : words_(std::move(words)) {}

  std::u16string make(std::uint64_t seed, std::uint64_t number) const {
    Random random(seed * 0x2545f4914f6cdd1dull + number);
    random.next();
    switch (random.below(8)) {
      case 0:
        return random_bytes(random);
      case 1:
        return random_units(random);
      case 2:
        return soup(random, 1 + random.below(40), false);
      case 3:
        return soup(random, 1 + random.below(40), true);
      case 4:
        return repeated(random);
      default:
        return mutated(random);
    }
  }

  /// Changes something at one place.
  void mutate(std::u16string& text, Random& random) const {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = random.below(std::min<std::size_t>(text.size() - at, 24) + 1);
    switch (random.below(9)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(at, length));
        break;
      case 2: {
        const std::u16string_view other = random.of(sentences);
        text = text.substr(0, at) + std::u16string(other.substr(random.below(other.size())));
        break;
      }
      case 3:
        text.insert(at, std::u16string(1 + random.below(random.one_in(20) ? 70'000 : 14),
                                       static_cast<char16_t>('0' + random.below(10))));
        break;
      case 4:
        text.insert(at, 1, any_unit(random));
        break;
      case 5:
        if (at < text.size()) text[at] = any_unit(random);
        break;
      case 6:
        for (std::size_t i = at; i < at + length; ++i)
          text[i] = static_cast<char16_t>(
              text[i] ^ ((text[i] | 32) >= u'a' && (text[i] | 32) <= u'z' ? 32 : 0));
        break;
      case 7:
        text.insert(at, u' ' + piece(random, random.one_in(2)) + u' ');
        break;
      default:
        text.insert(at, piece(random, true));
        break;
    }
  }

 private:
  static std::u16string random_bytes(Random& random) {
    std::vector<std::uint8_t> bytes(random.below(200));
    for (std::uint8_t& each : bytes)
      each = static_cast<std::uint8_t>(random.one_in(3) ? random.next() : 32 + random.below(96));
    return decoded(bytes);
  }

  static char16_t any_unit(Random& random) {
    switch (random.below(6)) {
      case 0:
        return static_cast<char16_t>(random.next());
      case 1:
        return static_cast<char16_t>(0xD800 + random.below(0x800));
      case 2:
        return static_cast<char16_t>(0x2000 + random.below(0x70));
      case 3:
        return static_cast<char16_t>('0' + random.below(10));
      default:
        return static_cast<char16_t>(32 + random.below(96));
    }
  }

  static std::u16string random_units(Random& random) {
    std::u16string text(random.below(200), u' ');
    for (char16_t& each : text) each = any_unit(random);
    return text;
  }

  std::u16string piece(Random& random, bool dates) const {
    std::u16string text = dates || random.one_in(3) ? std::u16string(random.of(fragments))
                                                    : widened(random.of(words_));
    if (random.one_in(4) && !text.empty() && text[0] >= u'a' && text[0] <= u'z')
      text[0] = static_cast<char16_t>(text[0] - 32);
    if (random.one_in(40)) {
      for (char16_t& each : text)
        each = each >= u'a' && each <= u'z' ? static_cast<char16_t>(each - 32) : each;
    }
    return text;
  }

  std::u16string soup(Random& random, std::size_t pieces, bool dates) const {
    std::u16string text;
    const bool glued = random.one_in(6);
    for (std::size_t i = 0; i < pieces; ++i) {
      text += piece(random, dates);
      if (!glued && !random.one_in(5)) text += u' ';
    }
    return text;
  }

  std::u16string repeated(Random& random) const {
    const std::u16string unit = soup(random, 1 + random.below(6), random.one_in(2));
    const std::size_t length = std::size_t{1} << random.below(13);
    std::u16string text = random.one_in(2) ? soup(random, 5, true) : std::u16string();
    while (text.size() < length && !unit.empty()) text += unit;
    return text + soup(random, 3, true);
  }

  std::u16string mutated(Random& random) const {
    std::u16string text(random.of(sentences));
    for (std::size_t left = random.below(7); left > 0; --left) mutate(text, random);
    return text;
  }

  std::vector<std::string_view> words_;
};

}  // namespace fuzz
