// Exports of keyword scores: of passages of a segment, by their records, and of texts.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/request.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "core/threads.hpp"
#include "index/segment/passage_bytes.hpp"
#include "index/segment/segment.hpp"
#include "statements/folding.hpp"
#include "statements/keywords.hpp"
#include "statements/record.hpp"

namespace asof::boundary {
namespace {

using statements::Keywords;

Keywords keywords_of(const Napi::Value& value) {
  const Fields request(object(value, "keywords"));
  const std::vector<std::u16string> forms = utf16_strings(request["forms"], "forms");
  const auto ends = request.column<std::uint32_t>("ends");
  const auto weights = request.column<double>("weights", ends.size());
  const auto anywhere = request.column<std::uint8_t>("anywhere", ends.size());
  if (!std::is_sorted(ends.begin(), ends.end()) || (ends.empty() ? 0 : ends.back()) != forms.size())
    refuse("ends", "ascending up to " + std::to_string(forms.size()), "other numbers");
  std::vector<statements::Keyword> keywords(ends.size());
  for (std::size_t each = 0, form = 0; each < ends.size(); ++each) {
    keywords[each].weight = weights[each];
    keywords[each].anywhere = anywhere[each] != 0;
    for (; form < ends[each]; ++form) keywords[each].forms.push_back(forms[form]);
  }
  return Keywords(keywords);
}

/// Of title and text, with a blank between them.
double score_of(const Keywords& keywords, std::span<const std::uint8_t> record,
                std::string& folded) {
  const statements::RecordTexts texts =
      statements::record_texts({reinterpret_cast<const char*>(record.data()), record.size()});
  folded.clear();
  if (texts.has_title) {
    statements::fold_json(texts.title, folded);
    folded += ' ';
  }
  statements::fold_json(texts.text, folded);
  return keywords.score(folded);
}

struct PassagesOfCall {
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<std::uint32_t> segment, passage;  // of each passage
};

std::vector<double> scores_of(const Keywords& keywords, const PassagesOfCall& of,
                              const Cancel& cancel) {
  std::vector<PassageBytes> records;
  records.reserve(of.segments.size());
  for (const auto& segment : of.segments)
    records.emplace_back(*segment, schema::passage_record_offset, schema::passage_record);
  const std::size_t count = of.passage.size();
  for (std::size_t at = 0; at < count; ++at)
    if (of.segment[at] >= records.size() || of.passage[at] >= records[of.segment[at]].size())
      refuse("passages", "those of the segments", std::to_string(of.passage[at]));
  constexpr std::size_t at_once = 64;
  std::vector<double> scores(count);
  parallel_for((count + at_once - 1) / at_once, 0, [&](std::size_t task, std::size_t) {
    cancel.throw_if_requested();
    std::string folded;
    for (std::size_t at = task * at_once; at < std::min((task + 1) * at_once, count); ++at)
      scores[at] = score_of(keywords, records[of.segment[at]][of.passage[at]], folded);
  });
  for (const auto& segment : of.segments) segment->throw_if_faulted();
  return scores;
}

// passageKeywordScores(segments, places: { segment, passage }, keywords: KeywordForms,
// cancellation?): Promise<Float64Array>
Napi::Value passage_keyword_scores(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    PassagesOfCall of;
    if (!info[0].IsArray()) refuse("segments", "an array of segments", kind_of(info[0]));
    const Napi::Array segments = info[0].As<Napi::Array>();
    for (std::uint32_t each = 0; each < segments.Length(); ++each)
      of.segments.push_back(segment_of(segments.Get(each)));
    Keywords keywords = keywords_of(info[2]);
    const Fields places(object(info[1], "places"));
    const auto segment = places.column<std::uint32_t>("segment");
    const auto passage = places.column<std::uint32_t>("passage", segment.size());
    of.segment.assign(segment.begin(), segment.end());
    of.passage.assign(passage.begin(), passage.end());
    auto work = [of = std::move(of), keywords = std::move(keywords),
                 cancel = Cancellation::flag(info[3])] { return scores_of(keywords, of, cancel); };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<double>& scores) { return array_of(env, scores); });
  });
}

// keywordScores(texts: string[], keywords: KeywordForms): Float64Array
Napi::Value keyword_scores(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Keywords keywords = keywords_of(info[1]);
    std::vector<double> scores;
    std::string folded;
    for (const std::u16string& text : utf16_strings(info[0], "texts")) {
      folded.clear();
      statements::fold(text, folded);
      scores.push_back(keywords.score(folded));
    }
    return array_of(info.Env(), scores);
  });
}

}  // namespace

void export_keywords(Napi::Env env, Napi::Object exports) {
  exports.Set("passageKeywordScores",
              Napi::Function::New(env, passage_keyword_scores, "passageKeywordScores"));
  exports.Set("keywordScores", Napi::Function::New(env, keyword_scores, "keywordScores"));
}

}  // namespace asof::boundary
