// Exception of the native core: a stable code of lib/errors.ts and a message with what was
// expected, what was received and the remedy. boundary/ turns it into an AsOfError.
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
