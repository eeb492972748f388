#include "boundary/memory_rows.hpp"

#include <span>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/fields.hpp"

namespace asof::boundary {
namespace {

constexpr napi_type_tag memory_rows_tag = {0x71b90f3ad2c84e15, 0x8e4c7a61f0235bd9};

}  // namespace

Napi::Function MemoryRowsHandle::define(Napi::Env env) {
  return DefineClass(env, "MemoryRows",
                     {InstanceMethod("close", &MemoryRowsHandle::close),
                      InstanceAccessor<&MemoryRowsHandle::is_open>("isOpen")});
}

MemoryRowsHandle::MemoryRowsHandle(const Napi::CallbackInfo& info)
    : Wrapped<MemoryRowsHandle>(info) {
  guarded(info.Env(), [&] {
    if (!info[0].IsObject()) refuse("rows", "an object", kind_of(info[0]));
    Napi::Object given = info[0].As<Napi::Object>();
    auto optional = [&]<typename T>(const char* name, T) {
      return given.Get(name).IsUndefined() ? std::vector<T>()
                                           : copied(array<T>(given.Get(name), name));
    };
    vector::MemoryTimes times;
    times.published = optional("published", double());
    times.valid_start = optional("validStart", double());
    times.valid_end = optional("validEnd", double());
    times.content_offset = optional("contentOffset", std::uint32_t());
    times.content_start = optional("contentStart", double());
    times.content_end = optional("contentEnd", double());
    bool wide = !given.Get("wide").IsUndefined() && boolean(given.Get("wide"), "wide");
    const Storage storage = given.Get("storage").IsUndefined()
                                ? Storage()
                                : storage_named(string(given.Get("storage"), "storage"));
    const auto row_passage = array<std::uint32_t>(given.Get("rowPassage"), "rowPassage");
    std::size_t dimensions = size(given.Get("dimensions"), "dimensions", 1, 65536);
    std::size_t passages = size(given.Get("passages"), "passages", 0, 4294967295.0);
    std::size_t multi_sentence = size(given.Get("multiSentence"), "multiSentence", 0, 4294967295.0);
    auto columns = given.Get("fields").IsUndefined() ? std::vector<fields::OwnedColumn>()
                                                     : field_columns(given.Get("fields"), passages);
    std::span<float> vectors =
        array<float>(given.Get("vectors"), "vectors", row_passage.size() * dimensions);
    const auto rows = std::make_shared<vector::MemoryRows>(
        vector::RowCounts{passages, multi_sentence, dimensions}, vectors, copied(row_passage),
        std::move(times), vector::RowPacking{wide, storage});
    rows->set_columns(std::move(columns));
    rows_ = rows;
    napi_type_tag_object(info.Env(), info.This(), &memory_rows_tag);
  });
}

bool MemoryRowsHandle::is(const Napi::Value& value) {
  bool matches = false;
  if (value.IsObject()) napi_check_object_type_tag(value.Env(), value, &memory_rows_tag, &matches);
  return matches;
}

std::shared_ptr<const vector::MemoryRows> MemoryRowsHandle::get(const Napi::Value& value) {
  std::shared_ptr<const vector::MemoryRows> rows = Unwrap(value.As<Napi::Object>())->rows_;
  if (!rows)
    throw Error("ERR_CLOSED",
                "Expected open rows, received ones that were closed. Make them again.");
  return rows;
}

}  // namespace asof::boundary
