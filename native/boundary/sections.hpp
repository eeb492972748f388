// Sections of segments as JavaScript objects { name, data }.
#pragma once

#include <napi.h>

#include <vector>

#include "boundary/arguments.hpp"
#include "index/segment/segment.hpp"

namespace asof::boundary {

/// A copy of a section's elements.
inline Napi::Value section_array(Napi::Env env, const SectionData& section) {
  auto copy = [&]<typename T>(T) {
    return array_of<T>(env, std::span<const T>(static_cast<const T*>(section.data), section.count));
  };
  switch (section.element) {
    case Element::u8:
      return copy(std::uint8_t());
    case Element::i32:
      return copy(std::int32_t());
    case Element::u32:
      return copy(std::uint32_t());
    case Element::i64:
      return copy(std::int64_t());
    case Element::u64:
      return copy(std::uint64_t());
    case Element::f64:
      return copy(double());
    default:
      throw Error("ERR_INTERNAL", "A fault of asof's own: a section that is not packed.");
  }
}

/// Adds copies of the sections to a list.
inline void append_sections(Napi::Array list, const std::vector<SectionData>& sections) {
  for (const SectionData& section : sections) {
    Napi::Object entry = Napi::Object::New(list.Env());
    entry.Set("name", section.name);
    entry.Set("data", section_array(list.Env(), section));
    list.Set(list.Length(), entry);
  }
}

}  // namespace asof::boundary
