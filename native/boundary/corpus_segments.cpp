// What the store asks of native code beyond the container: packing clocks into sections, and merging segments.
#include <napi.h>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "index/clock_sections.hpp"

namespace asof::boundary {
namespace {

template <typename T>
Napi::Value array_from(Napi::Env env, const PackedSection& section) {
  return array_of<T>(env, std::span<const T>(reinterpret_cast<const T*>(section.bytes.data()), section.count));
}

Napi::Value data_of(Napi::Env env, const PackedSection& section) {
  switch (section.element) {
    case Element::u8: return array_from<std::uint8_t>(env, section);
    case Element::i32: return array_from<std::int32_t>(env, section);
    case Element::u32: return array_from<std::uint32_t>(env, section);
    case Element::i64: return array_from<std::int64_t>(env, section);
    case Element::u64: return array_from<std::uint64_t>(env, section);
    case Element::f64: return array_from<double>(env, section);
    default: throw Error("ERR_INTERNAL", "A fault of asof's own: a clock section of an element type that no clock has.");
  }
}

Napi::Array sections_of(Napi::Env env, const std::vector<PackedSection>& sections) {
  Napi::Array list = Napi::Array::New(env, sections.size());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", sections[i].name);
    entry.Set("data", data_of(env, sections[i]));
    list.Set(static_cast<std::uint32_t>(i), entry);
  }
  return list;
}

struct OwnedClocks {
  std::vector<double> published, valid_start, valid_end, content_start, content_end;
  std::vector<std::uint32_t> content_offset;
  std::vector<std::uint8_t> content_granularity;
};

OwnedClocks owned_clocks(const Napi::Value& value) {
  if (!value.IsObject()) refuse("clocks", "an object of columns", kind_of(value));
  const Napi::Object given = value.As<Napi::Object>();
  OwnedClocks owned;
  owned.published = copied(array<double>(given.Get("published"), "published"));
  const std::size_t rows = owned.published.size();
  owned.valid_start = copied(array<double>(given.Get("validStart"), "validStart", rows));
  owned.valid_end = copied(array<double>(given.Get("validEnd"), "validEnd", rows));
  owned.content_offset = copied(array<std::uint32_t>(given.Get("contentOffset"), "contentOffset", rows + 1));
  if (owned.content_offset.front() != 0 || !std::is_sorted(owned.content_offset.begin(), owned.content_offset.end())) {
    refuse("contentOffset", "offsets that ascend from 0", "others");
  }
  const std::size_t mentions = owned.content_offset.back();
  owned.content_start = copied(array<double>(given.Get("contentStart"), "contentStart", mentions));
  owned.content_end = copied(array<double>(given.Get("contentEnd"), "contentEnd", mentions));
  owned.content_granularity = copied(array<std::uint8_t>(given.Get("contentGranularity"), "contentGranularity", mentions));
  return owned;
}

// packClocks(clocks): Promise<{ name, data }[]>
Napi::Value pack_clocks(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [owned = owned_clocks(info[0])] {
      return pack_clock_sections({owned.published, owned.valid_start, owned.valid_end, owned.content_offset, owned.content_start, owned.content_end, owned.content_granularity});
    };
    return start_task(info.Env(), std::move(work), [](Napi::Env env, const std::vector<PackedSection>& sections) { return sections_of(env, sections); });
  });
}

}  // namespace

void export_corpus_segments(Napi::Env env, Napi::Object exports) {
  exports.Set("packClocks", Napi::Function::New(env, pack_clocks, "packClocks"));
}

}  // namespace asof::boundary
