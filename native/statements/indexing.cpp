// Content times of rows and packed passages.
#include "statements/indexing.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/threads.hpp"
#include "statements/packed.hpp"

namespace asof::statements {
namespace {

/// Passages of a task, before each of which an abort takes effect.
constexpr std::size_t of_task = 16;

void for_tasks(
    std::size_t passages, const Cancel& cancel,
    const std::function<void(std::size_t task, std::size_t from, std::size_t to)>& body) {
  parallel_for((passages + of_task - 1) / of_task, 0, [&](std::size_t task, std::size_t) {
    cancel.throw_if_requested();
    body(task, task * of_task, std::min(passages, (task + 1) * of_task));
  });
}

/// Title and text as they are encoded: passageText of lib/store/writing/rows.ts.
std::u16string joined(std::u16string_view title, std::u16string_view text) {
  std::u16string all(title);
  all +=
      std::u16string_view(u".!?:").find(title.back()) == std::u16string_view::npos ? u". " : u" ";
  all += text;
  return all;
}

using Mentions = std::vector<const TimeMention*>;

/// The first mention of each interval; `mentions` ascend.
Mentions distinct(Mentions mentions) {
  const auto bounds = [](const TimeMention* each) { return std::pair(each->start, each->end); };
  if (mentions.size() < 2) return mentions;
  std::stable_sort(mentions.begin(), mentions.end(),
                   [&](auto* one, auto* other) { return bounds(one) < bounds(other); });
  const auto same = [&](auto* one, auto* other) { return bounds(one) == bounds(other); };
  mentions.erase(std::unique(mentions.begin(), mentions.end(), same), mentions.end());
  std::sort(mentions.begin(), mentions.end());
  return mentions;
}

void append_times(IndexedColumns& out, const Mentions& mentions) {
  for (const TimeMention* each : distinct(mentions)) {
    out.starts.push_back(each->start);
    out.ends.push_back(each->end);
    out.granularities.push_back(static_cast<std::uint8_t>(each->granularity));
  }
  out.time_ends.push_back(static_cast<std::uint32_t>(out.starts.size()));
}

void append_content(IndexedColumns& out, const IndexedPassage& passage, bool sentence_rows,
                    std::span<const double> instants) {
  const SourcePassage& source = passage.source;
  const bool has_title = !source.title.text.empty();
  const SourceText& text = has_title ? passage.joined : source.text;
  const auto prefix = static_cast<std::uint32_t>(text.text.size() - source.text.text.size());
  std::vector<Span> parts = {{0, prefix}};
  for (const Span& each : source.sentences)
    parts.push_back({each.start + prefix, each.end + prefix});
  const std::vector<TimeMention> mentions = text.mentions(instants);
  auto contents = content_of_sentences(text.text, parts, mentions, source.published_at);
  const Mentions title = std::move(contents[0]);
  contents.erase(contents.begin());
  const auto append_all = [](Mentions& to, const Mentions& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  Mentions whole = title;
  for (const Mentions& each : contents) append_all(whole, each);
  append_times(out, whole);
  if (!sentence_rows || contents.size() < 2) return;
  for (const Mentions& each : contents) {
    Mentions own = title;
    append_all(own, each);
    append_times(out, own);
  }
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void append_ends(std::vector<std::uint32_t>& ends, const std::vector<std::uint32_t>& more) {
  const std::uint32_t before = ends.empty() ? 0 : ends.back();
  for (const std::uint32_t each : more) ends.push_back(before + each);
}

}  // namespace

void tag(IndexedBatch& batch, const Cancel& cancel) {
  for_tasks(batch.passages.size(), cancel, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t each = from; each < to; ++each) {
      IndexedPassage& own = batch.passages[each];
      SourcePassage& source = own.source;
      const bool has_title = !source.title.text.empty();
      if (own.is_packed)
        scan(source);
      else if (!has_title)
        source.text.tag(source.reference);
      if (!has_title) continue;
      own.joined.text = joined(source.title.text, source.text.text);
      own.joined.tag(source.reference);
    }
  });
  for (IndexedPassage& each : batch.passages)
    for (SourceText* text : {&each.joined, &each.source.text, &each.source.title})
      batch.group.add(*text);
  batch.entries = batch.lexicon.read(batch.group.words());
}

IndexedColumns read(const IndexedBatch& batch, std::span<const double> instants,
                    const Cancel& cancel) {
  const Readings readings = {batch.lexicon, batch.entries, instants};
  const std::size_t count = batch.passages.size();
  std::vector<IndexedColumns> parts((count + of_task - 1) / of_task);
  for_tasks(count, cancel, [&](std::size_t task, std::size_t from, std::size_t to) {
    IndexedColumns& out = parts[task];
    for (std::size_t each = from; each < to; ++each)
      append_content(out, batch.passages[each], batch.sentence_rows, instants);
    for (std::size_t each = from; each < to; ++each) {
      const IndexedPassage& own = batch.passages[each];
      if (own.is_packed) pack(readings.lexicon, read_passage(readings, own.source), out.packed);
      out.packed_ends.push_back(static_cast<std::uint32_t>(out.packed.size()));
    }
  });
  IndexedColumns all;
  for (const IndexedColumns& each : parts) {
    append_ends(all.time_ends, each.time_ends);
    append(all.starts, each.starts);
    append(all.ends, each.ends);
    append(all.granularities, each.granularities);
    append_ends(all.packed_ends, each.packed_ends);
    append(all.packed, each.packed);
  }
  return all;
}

}  // namespace asof::statements
