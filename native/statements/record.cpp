// The members of a record that are strings, without parsing the others.
#include "statements/record.hpp"

#include <cstddef>

#include "core/error.hpp"

namespace asof::statements {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view json) : json_(json) {}
  /// Takes blanks and, if it is next, a sign.
  bool take(char sign) {
    const bool is_next = peek() == sign;
    if (is_next) ++at_;
    return is_next;
  }
  void expect(char sign) {
    if (!take(sign)) fail();
  }
  /// Takes a string; what is between its quotes.
  std::string_view string() {
    expect('"');
    const std::size_t from = at_;
    bool is_escaped = true;
    while (is_escaped) {
      at_ = json_.find('"', at_);
      if (at_ == std::string_view::npos) fail();
      std::size_t backslash = at_++;
      while (backslash > from && json_[backslash - 1] == '\\') --backslash;
      is_escaped = (at_ - 1 - backslash) % 2 != 0;
    }
    return json_.substr(from, at_ - 1 - from);
  }
  bool is_string() { return peek() == '"'; }
  /// Takes a value of any kind.
  void skip() {
    std::size_t depth = 0;
    do {
      const char next = peek();
      if (next == '"') {
        string();
      } else if (next == '{' || next == '[') {
        ++depth;
        ++at_;
      } else if (next == '}' || next == ']') {
        if (depth == 0) fail();
        --depth;
        ++at_;
      } else {
        const std::size_t from = at_;
        at_ = std::min(json_.find_first_of("\"{}[], \t\n\r", at_), json_.size());
        // Between values of a list.
        if (at_ == from && (depth == 0 || !take(','))) fail();
      }
    } while (depth > 0);
  }
  [[noreturn]] static void fail() {
    throw Error("ERR_CORPUS_CORRUPT",
                "Expected the record of a passage to be one, found other text. Run verify, and "
                "restore the corpus from a backup, or add the passage again.");
  }

 private:
  /// What follows blanks; NUL at the end.
  char peek() {
    at_ = std::min(json_.find_first_not_of(" \t\n\r", at_), json_.size());
    return at_ < json_.size() ? json_[at_] : '\0';
  }

  std::string_view json_;
  std::size_t at_ = 0;
};

}  // namespace

RecordTexts record_texts(std::string_view record) {
  Reader reader(record);
  RecordTexts texts;
  bool has_text = false;
  reader.expect('{');
  do {
    const std::string_view name = reader.string();
    reader.expect(':');
    if (reader.is_string() && name == "text") {
      texts.text = reader.string();
      has_text = true;
    } else if (reader.is_string() && name == "title") {
      texts.title = reader.string();
      texts.has_title = true;
    } else {
      reader.skip();
    }
  } while (reader.take(','));
  reader.expect('}');
  if (!has_text) Reader::fail();
  return texts;
}

}  // namespace asof::statements
