// Requests of JavaScript: an object whose fields are read once.
#pragma once

#include <napi.h>

#include <functional>
#include <map>
#include <span>
#include <string>

#include "boundary/arguments.hpp"

namespace asof::boundary {

/// The fields of an object, all fetched before an array is borrowed: a getter could detach it.
class Fields {
 public:
  explicit Fields(const Napi::Object& object) : undefined_(object.Env().Undefined()) {
    const Napi::Array names = object.GetPropertyNames();
    for (std::uint32_t i = 0; i < names.Length(); ++i) {
      const Napi::Value name = names.Get(i);
      values_.insert_or_assign(name.ToString().Utf8Value(), object.Get(name));
    }
  }
  Napi::Value operator[](const char* name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? undefined_ : found->second;
  }
  template <typename T, typename... Length>
  std::span<const T> column(const char* name, Length... length) const {
    return array<T>((*this)[name], name, length...);
  }
  /// Empty where it is undefined.
  template <typename T>
  std::span<const T> optional(const char* name, std::size_t length) const {
    if ((*this)[name].IsUndefined()) return {};
    return column<T>(name, length);
  }

 private:
  Napi::Value undefined_;
  std::map<std::string, Napi::Value, std::less<>> values_;
};

}  // namespace asof::boundary
