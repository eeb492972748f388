#include "statements/packed.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "statements/reading.hpp"
#include "timetag/civil.hpp"

namespace asof::statements {
namespace {

using timetag::day_ms;

// Of a word: with its distance, and with its lower-case form.
enum Place : std::uint8_t { joins = 1, opens = 2 };
enum Form : std::uint8_t { capital = 1, value = 2, own_term = 4, wide = 8 };
constexpr std::uint32_t long_word = 15;
// Of a time, above its source.
enum Shape : std::uint8_t {
  range = 8,
  has_until = 16,
  whole_days = 32,
  has_offset = 64,
  no_begin = 128
};

class Writer {
 public:
  explicit Writer(std::vector<std::uint8_t>& out) : out_(out) {}
  void byte(unsigned value) { out_.push_back(static_cast<std::uint8_t>(value)); }
  void number(std::uint64_t value) {
    for (; value >= 128; value >>= 7) byte(static_cast<unsigned>(value & 127) | 128);
    byte(static_cast<unsigned>(value));
  }
  void difference(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    number(static_cast<std::uint64_t>(whole) << 1 ^ static_cast<std::uint64_t>(whole >> 63));
  }
  void units(std::u16string_view text, bool is_wide) {
    for (const char16_t unit : text) {
      byte(unit & 255);
      if (is_wide) byte(unit >> 8);
    }
  }

 private:
  std::vector<std::uint8_t>& out_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool done() const { return at_ == bytes_.size(); }
  std::size_t at() const { return at_; }
  std::string_view since(std::size_t from) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + from, at_ - from};
  }
  std::uint8_t byte() {
    if (done()) fail();
    return bytes_[at_++];
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 127u} << shift;
      if (next < 128) return value;
    }
    fail();
  }
  /// At most `most`.
  std::uint32_t number(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value > most) fail();
    return static_cast<std::uint32_t>(value);
  }
  double difference() {
    const std::uint64_t value = number();
    return static_cast<double>(static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1)));
  }
  /// A number of items of at least a byte each.
  std::uint32_t count() { return number(bytes_.size() - at_); }
  void skip(std::size_t count) {
    if (count > bytes_.size() - at_) fail();
    at_ += count;
  }
  std::u16string units(std::size_t count, bool is_wide) {
    const std::size_t from = at_;
    skip(is_wide ? 2 * count : count);
    std::u16string text(count, u'\0');
    for (std::size_t i = 0; i < count; ++i)
      text[i] = static_cast<char16_t>(is_wide ? bytes_[from + 2 * i] | bytes_[from + 2 * i + 1] << 8
                                              : bytes_[from + i]);
    return text;
  }
  [[noreturn]] static void fail() {
    throw Error("ERR_CORPUS_CORRUPT",
                "Expected the statements of a passage, found other bytes. Restore the corpus from "
                "a backup, or run asof repair.");
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

bool is_wide(std::u16string_view text) {
  return std::any_of(text.begin(), text.end(), [](char16_t unit) { return unit > 255; });
}

// Words.

void write_word(Writer& writer, const Lexicon& lexicon, std::uint32_t word) {
  const std::u16string& low = lexicon.texts[lexicon.lows[word]];
  const std::u16string& term = lexicon.texts[lexicon.terms[word]];
  const bool wide_word = is_wide(low) || is_wide(term);
  const auto size = static_cast<std::uint32_t>(low.size());
  writer.byte((lexicon.capitals[word] ? capital : 0u) | (lexicon.values[word] ? value : 0u) |
              (term == low ? 0u : own_term) | (wide_word ? wide : 0u) |
              std::min(size, long_word) << 4);
  if (size >= long_word) writer.number(size);
  // Only letters beyond Latin-1 have a lower case of another length.
  if (wide_word) writer.number(lexicon.lengths[word]);
  writer.units(low, wide_word);
  if (term == low) return;
  const std::size_t same = static_cast<std::size_t>(
      std::mismatch(low.begin(), low.end(), term.begin(), term.end()).first - low.begin());
  writer.number(low.size() - same);
  writer.number(term.size() - same);
  writer.units(std::u16string_view(term).substr(same), wide_word);
}

/// Passes over a word, whose bytes are its key.
std::string_view word_key(Reader& reader) {
  const std::size_t from = reader.at();
  const std::uint8_t flags = reader.byte();
  const std::size_t unit = flags & wide ? 2 : 1;
  const std::uint64_t size = flags >> 4 == long_word ? reader.count() : flags >> 4;
  if (flags & wide) reader.number();
  reader.skip(unit * size);
  if (flags & own_term) {
    if (reader.number() > size) Reader::fail();
    reader.skip(unit * reader.count());
  }
  return reader.since(from);
}

ReadWord read_word(std::string_view key) {
  Reader reader({reinterpret_cast<const std::uint8_t*>(key.data()), key.size()});
  const std::uint8_t flags = reader.byte();
  const bool is_wide = (flags & wide) != 0;
  const std::uint64_t size = flags >> 4 == long_word ? reader.number() : flags >> 4;
  ReadWord word;
  word.capital = (flags & capital) != 0;
  word.value = (flags & value) != 0;
  word.length = is_wide ? reader.number(0xffffffff) : static_cast<std::uint32_t>(size);
  word.low = reader.units(size, is_wide);
  word.term = word.low;
  if (flags & own_term) {
    word.term.resize(size - reader.number());
    const std::uint32_t rest = reader.count();
    word.term += reader.units(rest, is_wide);
  }
  if (word.term.empty()) Reader::fail();
  return word;
}

void write_words(Writer& writer, const Lexicon& lexicon, const Words& words) {
  writer.number(words.words.size());
  writer.number(words.length);
  std::uint32_t before = 0;
  for (std::size_t nth = 0; nth < words.words.size(); ++nth) {
    writer.number(std::uint64_t{words.starts[nth] - before} << 2 | (words.joins[nth] ? joins : 0u) |
                  (words.opens[nth] ? opens : 0u));
    before = words.starts[nth];
    write_word(writer, lexicon, words.words[nth]);
  }
}

Words read_words(Reader& reader, Lexicon& lexicon, std::uint32_t units) {
  const std::uint32_t count = reader.count();
  Words words;
  words.length = reader.number(units);
  words.words.reserve(count);
  words.starts.reserve(count);
  words.opens.reserve(count);
  words.joins.reserve(count);
  std::uint32_t start = 0;
  for (std::uint32_t nth = 0; nth < count; ++nth) {
    const std::uint64_t place = reader.number();
    if (place >> 2 > units - start) Reader::fail();
    start += static_cast<std::uint32_t>(place >> 2);
    const std::string_view key = word_key(reader);
    const auto known = lexicon.find_packed(key);
    words.words.push_back(known ? *known : lexicon.add_packed(key, read_word(key)));
    words.starts.push_back(start);
    words.opens.push_back((place & opens) != 0);
    words.joins.push_back((place & joins) != 0);
  }
  return words;
}

// Times.

bool is_whole(double milliseconds, double unit) {
  return std::floor(milliseconds / unit) * unit == milliseconds;
}

void write_time(Writer& writer, const Time& time, std::uint32_t sentence) {
  const bool begins = std::isfinite(time.start);
  const bool days = (!begins || is_whole(time.start, day_ms)) && is_whole(time.end, day_ms);
  const bool ends = !std::isnan(time.until);
  writer.byte(static_cast<unsigned>(time.source) | (time.range ? range : 0u) |
              (ends ? has_until : 0u) | (days ? whole_days : 0u) |
              (time.at >= 0 ? has_offset : 0u) | (begins ? 0u : no_begin));
  const double unit = days ? day_ms : 1;
  if (begins) writer.difference(time.start / unit);
  writer.difference((begins ? time.end - time.start : time.end) / unit);
  if (ends) writer.difference(time.until - time.end);
  if (time.at >= 0) writer.number(static_cast<std::uint32_t>(time.at) - sentence);
}

Time read_time(Reader& reader, std::uint32_t sentence, std::uint32_t units) {
  const std::uint8_t flags = reader.byte();
  Time time;
  if ((flags & 7) > static_cast<std::uint8_t>(Source::valid)) Reader::fail();
  time.source = static_cast<Source>(flags & 7);
  time.range = (flags & range) != 0;
  const double unit = flags & whole_days ? day_ms : 1;
  time.start = flags & no_begin ? -infinity : reader.difference() * unit;
  time.end = (flags & no_begin ? 0 : time.start) + reader.difference() * unit;
  if (flags & has_until) time.until = time.end + reader.difference();
  if (flags & has_offset)
    time.at = static_cast<std::int32_t>(sentence + reader.number(units - sentence));
  return time;
}

}  // namespace

void pack(const Lexicon& lexicon, const Passage& passage, std::vector<std::uint8_t>& out) {
  Writer writer(out);
  writer.byte(packed_version);
  writer.number(passage.text_units);
  writer.number(passage.title_units);
  write_words(writer, lexicon, passage.title);
  writer.number(passage.title_times.size());
  for (const Time& time : passage.title_times) write_time(writer, time, 0);
  std::vector<const Statement*> sentences;
  for (const Statement& each : passage.statements)
    if (!each.whole && !each.title) sentences.push_back(&each);
  writer.number(sentences.size());
  std::uint32_t before = 0;
  for (const Statement* each : sentences) {
    writer.number(each->start - before);
    writer.number(each->end - each->start);
    before = each->start;
    // Those of the sentence before follow from it.
    std::vector<Time> own;
    for (const Time& time : passage.times_of(*each))
      if (time.source != Source::previous) own.push_back(time);
    writer.number(own.size());
    for (const Time& time : own) write_time(writer, time, each->start);
  }
  write_words(writer, lexicon, passage.text);
}

Passage unpack(Lexicon& lexicon, std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  if (reader.byte() != packed_version) Reader::fail();
  PassageParts parts;
  parts.text_units = reader.number(0x7fffffff);
  parts.title_units = reader.number(0x7fffffff);
  parts.title = read_words(reader, lexicon, parts.title_units);
  for (std::uint32_t left = reader.count(); left > 0; --left)
    parts.title_times.push_back(read_time(reader, 0, parts.title_units));
  std::uint32_t start = 0;
  for (std::uint32_t left = reader.count(); left > 0; --left) {
    start += reader.number(parts.text_units - start);
    parts.sentences.push_back({start, start + reader.number(parts.text_units - start)});
    for (std::uint32_t times = reader.count(); times > 0; --times)
      parts.times.times.push_back(read_time(reader, start, parts.text_units));
    parts.times.ends.push_back(static_cast<std::uint32_t>(parts.times.times.size()));
  }
  parts.text = read_words(reader, lexicon, parts.text_units);
  if (!reader.done()) Reader::fail();
  return assemble(lexicon, std::move(parts));
}

}  // namespace asof::statements
