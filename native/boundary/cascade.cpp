// Exports of the probability that a passage answers.
#include "facts/cascade.hpp"

#include <napi.h>

#include <array>
#include <span>
#include <string>
#include <utility>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/request.hpp"
#include "facts/features.hpp"

namespace asof::boundary {
namespace {

using facts::CascadeInput;
using facts::CascadeOutput;
using facts::CascadeWeights;

/// Refuses numbers that are not below a count.
template <typename T>
void check_below(std::span<const T> values, std::size_t count, const char* name) {
  for (const T value : values) {
    if (std::cmp_greater_equal(value, 0) && std::cmp_less(value, count)) continue;
    refuse(name, "numbers below " + std::to_string(count), std::to_string(value));
  }
}

void read_restatements(const Fields& fields, CascadeInput& input) {
  const std::size_t members = input.candidate.size();
  input.restatements = fields.column<std::uint32_t>("restatements");
  const std::size_t count = input.restatements.size();
  input.restatement_ends = fields.column<std::uint32_t>("restatementEnds", members);
  input.same_series = fields.column<std::uint8_t>("restatementsSameSeries", count);
  check_below(input.restatements, members, "restatements");
  std::uint32_t last = 0;
  for (const std::uint32_t end : input.restatement_ends) {
    if (end < last || end > count)
      refuse("restatementEnds", "ascending up to " + std::to_string(count), std::to_string(end));
    last = end;
  }
}

CascadeInput input_of(const Fields& fields, const std::array<Napi::Value, 2>& ranked) {
  CascadeInput input;
  input.candidate = fields.column<std::int32_t>("candidate");
  input.similarity = fields.column<double>("similarity");
  const std::size_t members = input.candidate.size();
  input.candidates = input.similarity.size();
  input.coverage = fields.column<double>("coverage", input.candidates);
  input.place = static_cast<std::uint32_t>(size(fields["place"], "place", 1, 4294967295.0));
  input.features = fields.column<float>("features", members * facts::width);
  input.interpretation = fields.column<std::uint8_t>("interpretation", members);
  input.rank = fields.column<std::int32_t>("rank", members);
  check_below(input.candidate, input.candidates, "candidate");
  check_below(input.interpretation, 2, "interpretation");
  for (std::size_t each = 0; each < ranked.size(); ++each) {
    input.ranked[each] = array<std::int32_t>(ranked[each], "ranked");
    check_below(input.ranked[each], members, "ranked");
  }
  read_restatements(fields, input);
  input.has_operator = boolean(fields["hasOperator"], "hasOperator");
  input.is_latest = boolean(fields["isLatest"], "isLatest");
  input.starts = fields.column<double>("starts", members);
  input.ends = fields.column<double>("ends", members);
  input.clock_inputs = fields.column<double>("clockInputs");
  input.series_inputs = fields.column<double>("seriesInputs");
  input.credibility = fields.optional<double>("credibility", members);
  input.judged = fields.optional<double>("judged", input.candidates);
  return input;
}

CascadeWeights weights_of(const Fields& fields, const CascadeInput& input) {
  CascadeWeights weights;
  weights.features = fields.column<double>("featureWeights", facts::width);
  weights.clock = fields.column<double>("clockWeights", input.clock_inputs.size());
  weights.series = fields.column<double>("seriesWeights", input.series_inputs.size());
  weights.relevance_log_odds = number(fields["relevanceLogOdds"], "relevanceLogOdds");
  weights.relevance_similarity = number(fields["relevanceSimilarity"], "relevanceSimilarity");
  weights.relevance_coverage = number(fields["relevanceCoverage"], "relevanceCoverage");
  weights.relative_share = number(fields["relativeShare"], "relativeShare");
  weights.relative_shift = number(fields["relativeShift"], "relativeShift");
  return weights;
}

/// Calls with the name and the values of each column of one value a member or a candidate.
template <typename Visit>
void each_column(const CascadeOutput& output, Visit visit) {
  visit("logOdds", output.log_odds);
  visit("relative", output.relative);
  visit("evidence", output.evidence);
  visit("preferred", output.preferred);
  visit("source", output.source);
  visit("ordered", output.ordered);
  visit("relevance", output.relevance);
  visit("outdated", output.outdated);
  visit("scores", output.scores);
  visit("relevant", output.relevant);
  visit("members", output.members);
  visit("isOrdered", output.is_ordered);
}

Napi::Object value_of(Napi::Env env, const CascadeOutput& output) {
  std::size_t bytes = 0;
  const auto count = [&](const char*, const auto& values) {
    bytes += ArraysTogether::bytes_of(values);
  };
  each_column(output, count);
  for (const auto& own : output.winners) count("winners", own);
  for (const auto& part : output.parts) count("parts", part);
  ArraysTogether arrays(env, bytes);
  Napi::Object result = Napi::Object::New(env);
  each_column(output,
              [&](const char* name, const auto& values) { result.Set(name, arrays.add(values)); });
  const auto both = [&](const auto& columns) {
    Napi::Array list = Napi::Array::New(env, columns.size());
    for (std::uint32_t i = 0; i < columns.size(); ++i) list.Set(i, arrays.add(columns[i]));
    return list;
  };
  result.Set("winners", both(output.winners));
  result.Set("parts", both(output.parts));
  result.Set("best", output.best);
  result.Set("nothing", output.nothing);
  result.Set("clock", output.clock);
  result.Set("series", output.series);
  return result;
}

// cascade(request: CascadeRequest): CascadeResult
Napi::Value cascade_value(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Fields fields(object(info[0], "request"));
    if (!fields["ranked"].IsArray())
      refuse("ranked", "an array of two Int32Array", kind_of(fields["ranked"]));
    const Napi::Array ranked = fields["ranked"].As<Napi::Array>();
    if (ranked.Length() != 2)
      refuse("ranked", "an array of two Int32Array", "one of " + std::to_string(ranked.Length()));
    const CascadeInput input = input_of(fields, {ranked.Get(0u), ranked.Get(1u)});
    return value_of(info.Env(), facts::cascade(input, weights_of(fields, input)));
  });
}

// mixCascade(shares: CascadeShares, series: number): Float64Array
Napi::Value mix_cascade_value(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Fields fields(object(info[0], "shares"));
    const auto ordered = fields.column<double>("ordered");
    const facts::CascadeShares shares{ordered, fields.column<double>("relevance", ordered.size()),
                                      fields.column<double>("outdated", ordered.size())};
    return array_of(info.Env(), facts::mix_cascade(shares, number(info[1], "series")));
  });
}

}  // namespace

void export_cascade(Napi::Env env, Napi::Object exports) {
  exports.Set("cascade", Napi::Function::New(env, cascade_value, "cascade"));
  exports.Set("mixCascade", Napi::Function::New(env, mix_cascade_value, "mixCascade"));
}

}  // namespace asof::boundary
