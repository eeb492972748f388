// Export MemoryRows: vectors and times that a caller owns, searched without a corpus.
#pragma once
#include <napi.h>

#include <memory>

#include "boundary/environment.hpp"
#include "index/vector/memory_rows.hpp"

namespace asof::boundary {

class MemoryRowsHandle : public Wrapped<MemoryRowsHandle> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit MemoryRowsHandle(const Napi::CallbackInfo& info);

  static bool is(const Napi::Value& value);
  /// Throws ERR_CLOSED where they were closed.
  static std::shared_ptr<const vector::MemoryRows> get(const Napi::Value& value);

 private:
  void close(const Napi::CallbackInfo&) { rows_.reset(); }
  Napi::Value is_open(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), rows_ != nullptr);
  }
  std::shared_ptr<const vector::MemoryRows> rows_;
};

}  // namespace asof::boundary
