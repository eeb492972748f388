// Porter's stemmer of English (1980), with two later changes of his: "bli" becomes "ble" and "logi"
// becomes "log".
#pragma once

#include <string>

namespace asof::text {

/// The stem of a word in lower case. Units other than a, e, i, o, u and y are consonants.
void stem(std::u16string& word);

}  // namespace asof::text
