// Forms of a text in Unicode: composed (NFC), and in lower case.
#pragma once

#include <string>
#include <string_view>

namespace asof::text {

/// Whether a text is in NFC for certain.
bool is_composed(std::u16string_view text);
/// The text in NFC. Lone surrogates stay.
std::u16string composed(std::u16string_view text);
/// As String.prototype.toLowerCase has it.
std::u16string lower_case(std::u16string_view text);

}  // namespace asof::text
