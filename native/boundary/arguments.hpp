// Checked JavaScript arguments: kind, length, offset and detachment, on the JS thread. A view is
// borrowed for the duration of the call only; tasks copy it.
#pragma once

#include <napi.h>

#include <cmath>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "boundary/environment.hpp"
#include "core/error.hpp"

namespace asof::boundary {

[[noreturn]] inline void refuse(const char* name, const std::string& expected,
                                const std::string& received) {
  throw Error("ERR_INVALID_ARGUMENT", std::string("Expected ") + name + " to be " + expected +
                                          ", received " + received + ".");
}

inline std::string kind_of(const Napi::Value& value) {
  if (value.IsUndefined()) return "undefined";
  if (value.IsNull()) return "null";
  if (value.IsString()) return "a string";
  if (value.IsNumber()) return "a number";
  if (value.IsBoolean()) return "a boolean";
  if (value.IsTypedArray()) return "a typed array of another element type";
  if (value.IsArray()) return "an array";
  if (value.IsFunction()) return "a function";
  return "an object";
}

template <typename T>
constexpr napi_typedarray_type array_type() {
  if constexpr (std::is_same_v<T, float>)
    return napi_float32_array;
  else if constexpr (std::is_same_v<T, double>)
    return napi_float64_array;
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return napi_int8_array;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return napi_uint8_array;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return napi_uint16_array;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return napi_int32_array;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return napi_uint32_array;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return napi_bigint64_array;
  else {
    static_assert(std::is_same_v<T, std::uint64_t>);
    return napi_biguint64_array;
  }
}

template <typename T>
constexpr const char* array_name() {
  constexpr const char* names[] = {"Int8Array",     "Uint8Array",    "Uint8ClampedArray",
                                   "Int16Array",    "Uint16Array",   "Int32Array",
                                   "Uint32Array",   "Float32Array",  "Float64Array",
                                   "BigInt64Array", "BigUint64Array"};
  return names[array_type<T>()];
}

/// A typed array's elements, borrowed until the call returns. Throws for a detached buffer (an
/// empty view is not detached).
template <typename T>
std::span<T> array(const Napi::Value& value, const char* name) {
  if (!value.IsTypedArray()) refuse(name, std::string("a ") + array_name<T>(), kind_of(value));
  napi_typedarray_type type;
  std::size_t length = 0, offset = 0;
  void* data = nullptr;
  napi_value buffer;
  if (napi_get_typedarray_info(value.Env(), value, &type, &length, &data, &buffer, &offset) !=
      napi_ok)
    refuse(name, "a readable typed array", "one that is not");
  if (type != array_type<T>())
    refuse(name, std::string("a ") + array_name<T>(), "a typed array of another element type");
  bool detached = false;
  napi_is_detached_arraybuffer(value.Env(), buffer, &detached);
  if (detached)
    refuse(name, std::string("a ") + array_name<T>() + " whose buffer is attached",
           "one whose buffer was transferred or detached");
  return {static_cast<T*>(data), length};
}

template <typename T>
std::span<T> array(const Napi::Value& value, const char* name, std::size_t length) {
  std::span<T> view = array<T>(value, name);
  if (view.size() != length)
    refuse(name, std::string("a ") + array_name<T>() + " of " + std::to_string(length),
           "one of " + std::to_string(view.size()));
  return view;
}

/// A copy that a task may own.
template <typename T>
std::vector<T> copied(std::span<T> view) {
  return {view.begin(), view.end()};
}

inline double number(const Napi::Value& value, const char* name) {
  if (!value.IsNumber()) refuse(name, "a number", kind_of(value));
  return value.As<Napi::Number>().DoubleValue();
}

/// An integer in [low, high].
inline std::size_t size(const Napi::Value& value, const char* name, double low = 0,
                        double high = 9007199254740991.0) {
  double given = number(value, name);
  if (!(given >= low && given <= high) || std::floor(given) != given) {
    refuse(name,
           "a whole number from " + std::to_string(static_cast<long long>(low)) + " to " +
               std::to_string(static_cast<long long>(high)),
           std::to_string(given));
  }
  return static_cast<std::size_t>(given);
}

inline bool boolean(const Napi::Value& value, const char* name) {
  if (!value.IsBoolean()) refuse(name, "a boolean", kind_of(value));
  return value.As<Napi::Boolean>().Value();
}

inline std::string string(const Napi::Value& value, const char* name) {
  if (!value.IsString()) refuse(name, "a string", kind_of(value));
  return value.As<Napi::String>().Utf8Value();
}

inline std::u16string utf16(const Napi::Value& value, const char* name) {
  if (!value.IsString()) refuse(name, "a string", kind_of(value));
  return value.As<Napi::String>().Utf16Value();
}

inline Napi::Object object(const Napi::Value& value, const char* name) {
  if (!value.IsObject() || value.IsFunction() || value.IsTypedArray() || value.IsExternal())
    refuse(name, "an object", kind_of(value));
  return value.As<Napi::Object>();
}

/// An array of strings as UTF-8.
inline std::vector<std::string> strings(const Napi::Value& value, const char* name) {
  if (!value.IsArray()) refuse(name, "an array of strings", kind_of(value));
  Napi::Array list = value.As<Napi::Array>();
  std::vector<std::string> texts(list.Length());
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    Napi::HandleScope scope(value.Env());
    texts[i] = string(list.Get(i), name);
  }
  return texts;
}

/// An array of strings as UTF-16, so that offsets are JavaScript's.
inline std::vector<std::u16string> utf16_strings(const Napi::Value& value, const char* name) {
  if (!value.IsArray()) refuse(name, "an array of strings", kind_of(value));
  Napi::Array list = value.As<Napi::Array>();
  std::vector<std::u16string> texts(list.Length());
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    Napi::HandleScope scope(value.Env());
    Napi::Value each = list.Get(i);
    if (!each.IsString()) refuse(name, "an array of strings", "one that holds " + kind_of(each));
    texts[i] = each.As<Napi::String>().Utf16Value();
  }
  return texts;
}

/// A new ArrayBuffer. Where there is no memory for it, Node-API ends the process; the constructor,
/// which takes longer, throws.
inline Napi::ArrayBuffer new_array_buffer(Napi::Env env, std::size_t bytes) {
  constexpr std::size_t large = std::size_t{1} << 20;
  if (bytes < large) return Napi::ArrayBuffer::New(env, bytes);
  try {
    const Napi::Value length = Napi::Number::New(env, static_cast<double>(bytes));
    return environment(env).array_buffer_class.New({length}).As<Napi::ArrayBuffer>();
  } catch (const Napi::Error&) {
    throw std::bad_alloc();
  }
}

/// A new typed array that holds a copy of `values`.
template <typename T>
Napi::Value array_of(Napi::Env env, std::span<const T> values) {
  Napi::ArrayBuffer buffer = new_array_buffer(env, values.size_bytes());
  if (!values.empty()) std::copy(values.begin(), values.end(), static_cast<T*>(buffer.Data()));
  napi_value result;
  napi_status status =
      napi_create_typedarray(env, array_type<T>(), values.size(), buffer, 0, &result);
  if (status != napi_ok) throw Napi::Error::New(env);
  return Napi::Value(env, result);
}

template <typename T>
Napi::Value array_of(Napi::Env env, const std::vector<T>& values) {
  return array_of<T>(env, std::span<const T>(values));
}

/// The same for several short lists in one buffer, since creating a buffer costs more than filling
/// it. For results that are not transferred: transferring the buffer of one detaches all.
class ArraysTogether {
 public:
  ArraysTogether(Napi::Env env, std::size_t bytes) : buffer_(new_array_buffer(env, bytes)) {}
  /// Bytes of the buffer that `add` uses.
  template <typename T>
  static std::size_t bytes_of(const std::vector<T>& values) {
    return (values.size() * sizeof(T) + 7) / 8 * 8;
  }
  template <typename T>
  Napi::Value add(const std::vector<T>& values) {
    if (!values.empty())
      std::memcpy(static_cast<std::uint8_t*>(buffer_.Data()) + used_, values.data(),
                  values.size() * sizeof(T));
    napi_value result;
    const napi_status status = napi_create_typedarray(buffer_.Env(), array_type<T>(), values.size(),
                                                      buffer_, used_, &result);
    if (status != napi_ok) throw Napi::Error::New(buffer_.Env());
    used_ += bytes_of(values);
    return Napi::Value(buffer_.Env(), result);
  }

 private:
  Napi::ArrayBuffer buffer_;
  std::size_t used_ = 0;
};

}  // namespace asof::boundary
