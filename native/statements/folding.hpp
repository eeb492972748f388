// Case folding: texts in lower case and canonical decomposition, as UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace asof::statements {

/// Appends the folded text; every lower-case sigma is one letter.
void fold(std::u16string_view text, std::string& out);
/// The same of what stands between the quotes of a JSON string in UTF-8.
void fold_json(std::string_view escaped, std::string& out);

/// Takes the code point at text[at] and moves `at` past it; U+FFFD of a byte that begins none.
char32_t next_code_point(std::string_view text, std::size_t& at);

}  // namespace asof::statements
