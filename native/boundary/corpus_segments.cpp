// Exports that pack clocks and panels into sections and merge segments.
#include <napi.h>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/sections.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "index/segment/clock_sections.hpp"
#include "index/segment/merge.hpp"
#include "index/segment/passage_ids.hpp"

namespace asof::boundary {
namespace {

Napi::Array sections_of(Napi::Env env, const std::vector<PackedSection>& sections) {
  std::vector<SectionData> borrowed;
  borrowed.reserve(sections.size());
  for (const PackedSection& each : sections)
    borrowed.push_back({each.name, each.element, each.bytes.data(), each.count});
  const Napi::Array list = Napi::Array::New(env);
  append_sections(list, borrowed);
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
  owned.content_offset =
      copied(array<std::uint32_t>(given.Get("contentOffset"), "contentOffset", rows + 1));
  if (owned.content_offset.front() != 0 ||
      !std::is_sorted(owned.content_offset.begin(), owned.content_offset.end())) {
    refuse("contentOffset", "offsets that ascend from 0", "others");
  }
  const std::size_t mentions = owned.content_offset.back();
  owned.content_start = copied(array<double>(given.Get("contentStart"), "contentStart", mentions));
  owned.content_end = copied(array<double>(given.Get("contentEnd"), "contentEnd", mentions));
  owned.content_granularity =
      copied(array<std::uint8_t>(given.Get("contentGranularity"), "contentGranularity", mentions));
  return owned;
}

// packClocks(clocks): Promise<{ name, data }[]>
Napi::Value pack_clocks(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [owned = owned_clocks(info[0])] {
      return pack_clock_sections({owned.published, owned.valid_start, owned.valid_end,
                                  owned.content_offset, owned.content_start, owned.content_end,
                                  owned.content_granularity});
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, const std::vector<PackedSection>& sections) {
                        return sections_of(env, sections);
                      });
  });
}

Napi::Value arrays_of(Napi::Env env, const std::vector<std::vector<std::uint32_t>>& lists) {
  Napi::Array result = Napi::Array::New(env, lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i)
    result.Set(static_cast<std::uint32_t>(i), array_of(env, lists[i]));
  return result;
}

Napi::Array list_of_objects(const Napi::Value& value, const char* name) {
  if (!value.IsArray()) refuse(name, "an array of objects", kind_of(value));
  Napi::Array list = value.As<Napi::Array>();
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    if (!list.Get(i).IsObject())
      refuse(name, "an array of objects", "one that holds " + kind_of(list.Get(i)));
  }
  return list;
}

// planMerge(sources, cancellation?): Promise<MergePlan>
Napi::Value plan_merge_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    std::vector<MergeSource> sources;
    const Napi::Array given = list_of_objects(info[0], "sources");
    for (std::uint32_t i = 0; i < given.Length(); ++i) {
      const Napi::Object each = given.Get(i).As<Napi::Object>();
      const Napi::Value live_docs = each.Get("liveDocs");
      sources.push_back({segment_of(each.Get("segment")),
                         live_docs.IsNull() ? std::vector<std::uint8_t>()
                                            : copied(array<std::uint8_t>(live_docs, "liveDocs"))});
    }
    auto work = [sources = std::move(sources), cancel = Cancellation::flag(info[1])] {
      return plan_merge(sources, cancel);
    };
    return start_task(info.Env(), std::move(work), [](Napi::Env env, const MergePlan& plan) {
      Napi::Object result = Napi::Object::New(env);
      result.Set("passages", static_cast<double>(plan.passages));
      result.Set("multiSentence", static_cast<double>(plan.multi_sentence));
      result.Set("rows", static_cast<double>(plan.rows));
      result.Set("newRows", arrays_of(env, plan.new_rows));
      result.Set("newPassages", arrays_of(env, plan.new_passages));
      return result;
    });
  });
}

// packPanels(vectors, dimensions, storage, cancellation?): Promise<{ name, data }[]>
Napi::Value pack_panels_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::span<float> vectors = array<float>(info[0], "vectors");
    const std::size_t dimensions = size(info[1], "dimensions", 1, 65536);
    const Storage storage = storage_named(string(info[2], "storage"));
    if (vectors.size() % dimensions != 0)
      refuse("vectors", "a multiple of " + std::to_string(dimensions) + " components",
             std::to_string(vectors.size()));
    auto work = [vectors = storage ? copied(vectors) : std::vector<float>(), dimensions, storage,
                 cancel = Cancellation::flag(info[3])] {
      return storage ? pack_panels(vectors, dimensions, *storage, cancel) : PackedPanels();
    };
    return start_task(
        info.Env(), std::move(work), [storage](Napi::Env env, const PackedPanels& packed) {
          Napi::Array list = Napi::Array::New(env);
          auto add = [&](const char* name, const Napi::Value& data) {
            Napi::Object entry = Napi::Object::New(env);
            entry.Set("name", name);
            entry.Set("data", data);
            list.Set(list.Length(), entry);
          };
          if (!storage) return list;
          add(panels_section(*storage), array_of<std::uint8_t>(env, packed.bytes));
          add(schema::panel_rows, array_of<float>(env, record_floats(packed.records)));
          if (*storage == quantized::Storage::int4)
            add(schema::panel_centre, array_of<float>(env, packed.centre));
          return list;
        });
  });
}

// writeMerge(file, merge: { segments, plan, sections, storage }, cancellation?): Promise<void>
Napi::Value write_merge_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto file = output_file_of(info[0]);
    const Napi::Object merge = object(info[1], "merge");
    const Napi::Array given = list_of_objects(merge.Get("segments"), "segments");
    const Napi::Object planned = object(merge.Get("plan"), "plan");
    const Napi::Array new_rows = list_of_objects(planned.Get("newRows"), "newRows");
    const Napi::Array new_passages = list_of_objects(planned.Get("newPassages"), "newPassages");
    if (new_rows.Length() != given.Length() || new_passages.Length() != given.Length())
      refuse("plan", "a plan for each segment", "one for others");
    std::vector<std::shared_ptr<const Segment>> segments;
    MergePlan plan;
    plan.passages = size(planned.Get("passages"), "passages", 0, 4294967294.0);
    plan.multi_sentence =
        size(planned.Get("multiSentence"), "multiSentence", 0, static_cast<double>(plan.passages));
    plan.rows = size(planned.Get("rows"), "rows", 0, 4294967294.0);
    for (std::uint32_t i = 0; i < given.Length(); ++i) {
      segments.push_back(segment_of(given.Get(i)));
      plan.new_rows.push_back(copied(array<std::uint32_t>(new_rows.Get(i), "newRows")));
      plan.new_passages.push_back(copied(array<std::uint32_t>(new_passages.Get(i), "newPassages")));
    }
    auto extra = std::make_shared<BorrowedSections>(borrowed_sections(merge.Get("sections")));
    const Storage storage = storage_named(string(merge.Get("storage"), "storage"));
    auto work = [file, segments = std::move(segments), plan = std::move(plan), extra, storage,
                 cancel = Cancellation::flag(info[2])] {
      write_merge(*file, segments, plan, {extra->sections, storage}, cancel);
      return true;
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, bool) { return env.Undefined(); });
  });
}

// findPassages(segment, ids, liveDocs): Uint32Array
Napi::Value find_passages_sync(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::shared_ptr<const Segment> segment = segment_of(info[0]);
    const auto counts = segment->section<std::uint64_t>(schema::counts);
    const std::size_t passages = counts.empty() ? 0 : counts[0];
    const auto visible = info[2].IsUndefined()
                             ? std::span<const std::uint8_t>()
                             : array<std::uint8_t>(info[2], "liveDocs", (passages + 7) / 8);
    return array_of(info.Env(), find_passages(*segment, strings(info[1], "ids"), visible));
  });
}

}  // namespace

void export_corpus_segments(Napi::Env env, Napi::Object exports) {
  exports.Set("packClocks", Napi::Function::New(env, pack_clocks, "packClocks"));
  exports.Set("packPanels", Napi::Function::New(env, pack_panels_task, "packPanels"));
  exports.Set("findPassages", Napi::Function::New(env, find_passages_sync, "findPassages"));
  exports.Set("planMerge", Napi::Function::New(env, plan_merge_task, "planMerge"));
  exports.Set("writeMerge", Napi::Function::New(env, write_merge_task, "writeMerge"));
}

}  // namespace asof::boundary
