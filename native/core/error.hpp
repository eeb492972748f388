// The one exception of the native core: a stable code of lib/errors.ts and a sentence that says
// what was expected, what was received and what to do. boundary/ turns it into an AsOfError;
// nothing else catches it.
#pragma once

#include <stdexcept>
#include <string>

namespace asof {

class Error : public std::runtime_error {
 public:
  Error(const char* code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// A code of lib/errors.ts, such as "ERR_CORPUS_CORRUPT"; a string literal.
  const char* code() const noexcept { return code_; }

 private:
  const char* code_;
};

}  // namespace asof
