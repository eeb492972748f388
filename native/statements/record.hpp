// Title and text of a passage's record, which is JSON in UTF-8.
#pragma once

#include <string_view>

namespace asof::statements {

/// As they stand between quotes, escaped. Borrowed.
struct RecordTexts {
  std::string_view title, text;
  bool has_title = false;
};

/// Throws ERR_CORPUS_CORRUPT where the record is no object with a text.
RecordTexts record_texts(std::string_view record);

}  // namespace asof::statements
