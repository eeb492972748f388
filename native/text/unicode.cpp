// Unicode tables: pages of 128 code points, of which many are equal, and the entries that pages
// name.
#include "text/unicode.hpp"

namespace asof::unicode {

#include "text/unicode_table.inc"

}  // namespace asof::unicode
