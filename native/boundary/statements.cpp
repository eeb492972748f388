// Exports that read passages where they are indexed, some at once: tags, then with the instants of
// times content times and packed passages.
#include "boundary/statements.hpp"

#include <cmath>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "boundary/task.hpp"
#include "statements/indexing.hpp"

namespace asof::boundary {
namespace {

using statements::IndexedBatch;
using statements::IndexedColumns;
using statements::SourcePassage;
using statements::Span;

/// Spans from pairs of offsets, ascending and within a text.
std::vector<Span> spans_of(std::span<const std::uint32_t> pairs, std::u16string_view text) {
  std::vector<Span> spans;
  spans.reserve(pairs.size() / 2);
  for (std::size_t at = 0; at + 1 < pairs.size(); at += 2) {
    const Span span = {pairs[at], pairs[at + 1]};
    if (span.start > span.end || span.end > text.size() ||
        (!spans.empty() && span.start < spans.back().start))
      refuse("sentences", "ascending spans within the text", "others");
    spans.push_back(span);
  }
  return spans;
}

using SharedBatch = std::shared_ptr<const IndexedBatch>;

constexpr napi_type_tag batch_tag = {0x2f81d6a4c07e4b39, 0x8e53b09f64d71ca2};

const SharedBatch& batch_of(const Napi::Value& value) {
  return contents<SharedBatch>(value, batch_tag, "batch", "what tagPassages gave");
}

// tagPassages(request: PassagesToIndex, cancellation?): Promise<TaggedPassages>
Napi::Value tag_passages(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Fields request(object(info[0], "request"));
    auto batch = std::make_shared<IndexedBatch>();
    batch->sentence_rows = boolean(request["sentenceRows"], "sentenceRows");
    std::vector<SourcePassage> sources = sources_of(request);
    const auto packed = request.column<std::uint8_t>("packed", sources.size());
    for (std::size_t each = 0; each < sources.size(); ++each)
      batch->passages.push_back({std::move(sources[each]), packed[each] != 0, {}});
    const Cancel cancel = Cancellation::flag(info[1]);
    return start_task(
        info.Env(),
        [batch, cancel] {
          statements::tag(*batch, cancel);
          return SharedBatch(batch);
        },
        [](Napi::Env env, const SharedBatch& tagged) {
          Napi::Object result = Napi::Object::New(env);
          result.Set("batch", handle_of(env, batch_tag, tagged));
          result.Set("stretches", array_of(env, tagged->group.bounds()));
          result.Set("hasOffset", array_of(env, tagged->group.has_offset()));
          return Napi::Value(result);
        });
  });
}

// readTagged(batch, instants | undefined, cancellation?): Promise<IndexedColumns>
Napi::Value read_tagged(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const SharedBatch& batch = batch_of(info[0]);
    std::vector<double> instants;
    if (!info[1].IsUndefined()) instants = instants_of(info[1], batch->group);
    const Cancel cancel = Cancellation::flag(info[2]);
    return start_task(
        info.Env(),
        [batch, instants = std::move(instants), cancel] {
          return statements::read(*batch, instants, cancel);
        },
        [](Napi::Env env, const IndexedColumns& columns) {
          Napi::Object result = Napi::Object::New(env);
          result.Set("timeEnds", array_of(env, columns.time_ends));
          result.Set("starts", array_of(env, columns.starts));
          result.Set("ends", array_of(env, columns.ends));
          result.Set("granularities", array_of(env, columns.granularities));
          result.Set("packedEnds", array_of(env, columns.packed_ends));
          result.Set("packed", array_of(env, columns.packed));
          return Napi::Value(result);
        });
  });
}

}  // namespace

std::vector<SourcePassage> sources_of(const Fields& request) {
  std::vector<std::u16string> texts = utf16_strings(request["texts"], "texts");
  std::vector<std::u16string> titles = utf16_strings(request["titles"], "titles");
  const std::size_t count = texts.size();
  if (titles.size() != count) refuse("titles", "as many as texts", std::to_string(titles.size()));
  const auto references = request.column<double>("references", count);
  const auto published_at = request.column<double>("publishedAt", count);
  const ListOf<std::uint32_t> sentences(request, "sentenceEnds", "sentences", count, 2);
  std::vector<SourcePassage> sources(count);
  for (std::size_t each = 0; each < count; ++each) {
    SourcePassage& own = sources[each];
    own.sentences = spans_of(sentences[each], texts[each]);
    own.text.text = std::move(texts[each]);
    own.title.text = std::move(titles[each]);
    own.reference = references[each];
    own.published_at = published_at[each];
  }
  return sources;
}

std::vector<double> instants_of(const Napi::Value& value, const statements::TextGroup& group) {
  const std::vector<double>& bounds = group.bounds();
  std::vector<double> instants = copied(array<double>(value, "instants", 2 * bounds.size()));
  for (std::size_t at = 0; at < instants.size(); ++at)
    if (!std::isnan(bounds[at / 4 * 2]) && !(std::fabs(instants[at]) <= 1e16))
      refuse("instants", "times", std::to_string(instants[at]));
  return instants;
}

void export_statements(Napi::Env env, Napi::Object exports) {
  exports.Set("tagPassages", Napi::Function::New(env, tag_passages, "tagPassages"));
  exports.Set("readTagged", Napi::Function::New(env, read_tagged, "readTagged"));
}

}  // namespace asof::boundary
