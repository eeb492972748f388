// Single-pass WordPiece tokenizer, with a path for ASCII that needs no table look-ups.
#include "encoder/wordpiece.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/unicode.hpp"

namespace asof {
namespace {

constexpr std::size_t longest_word = 100;  // code points; longer ones are unknown, as in BERT
constexpr char32_t sigma = 0x3a3, final_sigma = 0x3c2;

constexpr std::uint32_t hash_start = 2166136261u;
constexpr std::uint32_t hash_next(std::uint32_t hash, char32_t code_point) {
  return (hash ^ code_point) * 16777619u;
}
constexpr std::uint32_t mixed(std::uint32_t hash) {
  return (hash ^ (hash >> 15)) * 2246822519u;
}

// Letters and digits of ASCII in lower case; 1 for spaces, 2 for punctuation, 0 for what is
// removed.
struct AsciiClasses {
  char of[128] = {};
  constexpr AsciiClasses() {
    for (int c = 33; c < 127; ++c) of[c] = 2;
    for (int c = '0'; c <= '9'; ++c) of[c] = static_cast<char>(c);
    for (int c = 'a'; c <= 'z'; ++c) of[c] = of[c - 32] = static_cast<char>(c);
    of[' '] = of['\t'] = of['\n'] = of['\r'] = 1;
  }
};
constexpr AsciiClasses ascii;

// Appends the code points of UTF-8; false where it is malformed.
bool decode(std::string_view bytes, std::u32string& out) {
  for (std::size_t i = 0; i < bytes.size();) {
    unsigned char lead = static_cast<unsigned char>(bytes[i]);
    std::size_t length = lead < 0x80   ? 1
                         : lead < 0xc2 ? 0
                         : lead < 0xe0 ? 2
                         : lead < 0xf0 ? 3
                         : lead < 0xf5 ? 4
                                       : 0;
    if (length == 0 || i + length > bytes.size()) return false;
    char32_t value = length == 1 ? lead : lead & (0x7f >> length);
    for (std::size_t j = 1; j < length; ++j) {
      unsigned char next = static_cast<unsigned char>(bytes[i + j]);
      if ((next & 0xc0) != 0x80) return false;
      value = (value << 6) | (next & 0x3f);
    }
    if (value > 0x10ffff || (length == 3 && value < 0x800) || (length == 4 && value < 0x10000))
      return false;
    out.push_back(value);
    i += length;
  }
  return true;
}

}  // namespace

Vocabulary::Vocabulary(std::string_view lines) {
  offsets_.push_back(0);
  std::vector<bool> continues;
  while (!lines.empty()) {
    std::size_t end = lines.find('\n');
    if (end == std::string_view::npos)
      throw std::invalid_argument("its last token has no line feed");
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    if (line == "[UNK]") unknown_ = static_cast<std::uint32_t>(size());
    continues.push_back(line.size() > 2 && line.starts_with("##"));
    if (continues.back()) line.remove_prefix(2);
    if (line.empty() || !decode(line, letters_))
      throw std::invalid_argument("token " + std::to_string(size()) + " is empty or no UTF-8");
    longest_ = std::max(longest_, letters_.size() - offsets_.back());
    offsets_.push_back(static_cast<std::uint32_t>(letters_.size()));
  }
  if (unknown_ == none) throw std::invalid_argument("it holds no [UNK]");
  std::size_t slots = 64;
  while (slots < size() * 2) slots *= 2;
  initial_.resize(slots);
  continuing_.resize(slots);
  for (std::uint32_t id = 0; id < size(); ++id) insert(continues[id] ? continuing_ : initial_, id);
}

void Vocabulary::insert(std::vector<Slot>& slots, std::uint32_t id) {
  std::uint32_t hash = hash_start;
  for (char32_t each : token(id)) hash = hash_next(hash, each);
  if (find(slots, hash, token(id)) != none)
    throw std::invalid_argument("token " + std::to_string(id) + " stands there twice");
  std::size_t at = mixed(hash) & (slots.size() - 1);
  while (slots[at].id != none) at = (at + 1) & (slots.size() - 1);
  slots[at] = {hash, id};
}

std::uint32_t Vocabulary::find(const std::vector<Slot>& slots, std::uint32_t hash,
                               std::u32string_view piece) const {
  for (std::size_t at = mixed(hash) & (slots.size() - 1); slots[at].id != none;
       at = (at + 1) & (slots.size() - 1)) {
    if (slots[at].hash == hash && token(slots[at].id) == piece) return slots[at].id;
  }
  return none;
}

std::optional<std::uint32_t> Vocabulary::id_of(std::u16string_view line) const {
  const bool continues = line.size() > 2 && line.starts_with(u"##");
  std::u32string piece;
  std::uint32_t hash = hash_start;
  for (std::size_t at = continues ? 2 : 0; at < line.size();) {
    piece.push_back(unicode::next(line, at));
    hash = hash_next(hash, piece.back());
  }
  const std::uint32_t id = find(continues ? continuing_ : initial_, hash, piece);
  return id == none ? std::nullopt : std::optional(id);
}

void Vocabulary::split(std::u32string_view word, std::vector<std::uint32_t>& ids) const {
  const std::size_t before = ids.size();
  std::uint32_t hashes[longest_word + 1];
  std::size_t start = word.size() > longest_word ? word.size() + 1 : 0;
  while (start < word.size()) {
    const std::vector<Slot>& slots = start == 0 ? initial_ : continuing_;
    std::size_t most = std::min(word.size() - start, longest_);
    hashes[0] = hash_start;
    for (std::size_t i = 0; i < most; ++i) hashes[i + 1] = hash_next(hashes[i], word[start + i]);
    std::uint32_t id = none;
    std::size_t length = most;
    for (; length > 0 && id == none; --length)
      id = find(slots, hashes[length], word.substr(start, length));
    if (id == none) break;
    ids.push_back(id);
    start += length + 1;
  }
  if (start == word.size()) return;
  ids.resize(before);
  ids.push_back(unknown_);
}

void Wordpiece::tokenize(std::u16string_view text, std::vector<std::uint32_t>& ids) {
  ids.clear();
  ids_ = &ids;
  word_.clear();
  starter_end_ = 0;
  after_cased_ = false;
  for (std::size_t at = 0; at < text.size();) {
    char16_t unit = text[at];
    if (unit >= 128) {
      char32_t code_point = unicode::next(text, at);
      take(code_point, text, at);
      continue;
    }
    ++at;
    char kind = ascii.of[unit];
    if (kind > 2) {
      word_.push_back(static_cast<char32_t>(kind));
      starter_end_ = word_.size();
      after_cased_ = kind >= 'a';
    } else if (kind == 1) {
      end_word();
      after_cased_ = false;
    } else if (kind == 2) {
      end_word();
      const char32_t sign = unit;
      vocabulary_.split({&sign, 1}, ids);
      // ' . : ^ ` are case-ignorable: they do not end the context of a final sigma
      if (unit != '\'' && unit != '.' && unit != ':' && unit != '^' && unit != '`')
        after_cased_ = false;
    }
  }
  end_word();
}

// Appends a code point beyond ASCII; `after` is the offset of the next one.
void Wordpiece::take(char32_t code_point, std::u16string_view text, std::size_t after) {
  const unicode::Properties& properties = unicode::properties_of(code_point);
  if (properties.flags & unicode::removed) return;
  if (properties.flags & unicode::space) {
    end_word();
    after_cased_ = false;
    return;
  }
  if (properties.flags & unicode::ideograph) end_word();
  char32_t parts[3];
  if (code_point == sigma && after_cased_) {
    // Final sigma: no cased letter follows, case-ignorable ones skipped.
    bool cased_follows = false;
    while (after < text.size()) {
      const unicode::Properties& next = unicode::properties_of(unicode::next(text, after));
      if (next.flags & (unicode::removed | unicode::case_ignorable)) continue;
      cased_follows = next.flags & unicode::cased;
      break;
    }
    append(cased_follows ? sigma + 32 : final_sigma);
  } else if (unicode::is_hangul_syllable(code_point)) {
    std::size_t count = unicode::hangul_parts(code_point, parts);
    for (std::size_t i = 0; i < count; ++i) append(parts[i]);
  } else if (properties.length > 0) {
    for (char32_t each : unicode::mapping(properties)) append(each);
  } else {
    append(code_point);
  }
  if (properties.flags & unicode::ideograph) {
    end_word();
    after_cased_ = false;
  } else if (!(properties.flags & unicode::case_ignorable)) {
    after_cased_ = properties.flags & unicode::cased;
  }
}

// Appends a code point in lower case and NFD: accents are stripped, other marks kept in canonical
// order, punctuation is a word of its own.
void Wordpiece::append(char32_t code_point) {
  const unicode::Properties& properties = unicode::properties_of(code_point);
  if (properties.flags & unicode::nonspacing) {
    if (properties.rank == 0) starter_end_ = word_.size();
    return;
  }
  if (properties.flags & unicode::punctuation) {
    end_word();
    vocabulary_.split({&code_point, 1}, *ids_);
    return;
  }
  if (properties.rank == 0) {
    word_.push_back(code_point);
    starter_end_ = word_.size();
    return;
  }
  if (word_.size() > longest_word)
    return;  // already an unknown token; insertion of a long run of marks would be quadratic
  std::size_t at = word_.size();
  while (at > starter_end_ && unicode::properties_of(word_[at - 1]).rank > properties.rank) --at;
  word_.insert(word_.begin() + static_cast<std::ptrdiff_t>(at), code_point);
}

void Wordpiece::end_word() {
  if (!word_.empty()) vocabulary_.split(word_, *ids_);
  word_.clear();
  starter_end_ = 0;
}

}  // namespace asof
