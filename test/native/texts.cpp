// Texts kept as terms under whatever bytes: what is read is what was written; some hundred random
// damages of the lexical sections are each answered with an Error or with a result, never with a
// read out of bounds (run it built with ASOF_SANITIZE=address).
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>

#include "check.hpp"
#include "core/output_file.hpp"
#include "index/lexical/build.hpp"

using namespace asof;

namespace {

std::mt19937 random_numbers(11);
std::uint32_t below(std::uint64_t bound) {
  return static_cast<std::uint32_t>(random_numbers() % bound);
}

using Text = std::vector<std::string>;
struct Passage {
  Text title;
  std::vector<Text> sentences;
};

Text words(std::uint32_t most) {
  Text text;
  for (std::uint32_t i = below(most + 1); i > 0; --i)
    text.push_back("w" + std::to_string(below(30)));
  return text;
}

/// Passages of several sentences first.
std::vector<Passage> sample(std::uint32_t multi_sentence, std::uint32_t single) {
  std::vector<Passage> passages(multi_sentence + single);
  for (std::uint32_t p = 0; p < passages.size(); ++p) {
    passages[p].title = words(3);
    for (std::uint32_t s = p < multi_sentence ? 2 + below(3) : 1; s > 0; --s)
      passages[p].sentences.push_back(words(9));
  }
  return passages;
}

struct Sample {
  std::vector<Passage> passages;
  lexical::Parts parts;
  std::vector<std::uint32_t> row_passage;
  lexical::LexicalSections built;
};

Sample build(std::uint32_t multi_sentence, std::uint32_t single) {
  Sample made{sample(multi_sentence, single), {}, {}, {}};
  lexical::RowTerms rows;
  rows.titled = true;
  rows.term_offsets = {0};
  rows.row_offsets = {0};
  for (int term = 0; term < 30; ++term) {
    for (const char letter : "w" + std::to_string(term))
      rows.term_bytes.push_back(static_cast<std::uint8_t>(letter));
    rows.term_offsets.push_back(static_cast<std::uint32_t>(rows.term_bytes.size()));
  }
  auto add = [&](std::uint32_t passage, std::span<const Text> sentences) {
    auto tokens = [&](const Text& text) {
      for (const std::string& word : text)
        rows.row_terms.push_back(static_cast<std::uint32_t>(std::stoul(word.substr(1))));
    };
    tokens(made.passages[passage].title);
    for (const Text& sentence : sentences) tokens(sentence);
    rows.row_offsets.push_back(static_cast<std::uint32_t>(rows.row_terms.size()));
    rows.row_passage.push_back(passage);
  };
  for (std::uint32_t p = 0; p < made.passages.size(); ++p) {
    add(p, made.passages[p].sentences);
    rows.title_length.push_back(static_cast<std::uint32_t>(made.passages[p].title.size()));
  }
  for (std::uint32_t p = 0; p < multi_sentence; ++p)
    for (const Text& sentence : made.passages[p].sentences) add(p, {&sentence, 1});
  made.parts = {multi_sentence, multi_sentence + single, rows.row_passage.size()};
  made.row_passage = rows.row_passage;
  made.built = lexical::build_postings(std::move(rows), made.parts, Cancel());
  return made;
}

std::shared_ptr<const Segment> write(const std::filesystem::path& path, const Sample& made) {
  const std::uint64_t counts[8] = {
      made.parts.passages, made.parts.multi_sentence, made.parts.rows, 0, 0, 256, 0, 0};
  std::vector<SectionData> sections = made.built.sections();
  sections.push_back({schema::counts, Element::u64, counts, 8});
  OutputFile file = OutputFile::create(path);
  write_segment(file, sections, Cancel());
  return Segment::open(path);
}

lexical::Texts read(const lexical::Forward& forward, const lexical::Parts& parts) {
  lexical::Texts texts;
  for (std::uint32_t p = 0; p < parts.passages; ++p) forward.title(p, texts);
  for (std::uint64_t row = parts.multi_sentence; row < parts.rows; ++row)
    forward.sentence(static_cast<std::uint32_t>(row), texts);
  return texts;
}

/// The texts in the order of the forward sections.
std::vector<Text> texts_of(const Sample& made) {
  std::vector<Text> texts;
  for (const Passage& passage : made.passages) texts.push_back(passage.title);
  for (std::uint64_t p = made.parts.multi_sentence; p < made.parts.passages; ++p)
    texts.push_back(made.passages[p].sentences[0]);
  for (std::uint64_t p = 0; p < made.parts.multi_sentence; ++p)
    for (const Text& sentence : made.passages[p].sentences) texts.push_back(sentence);
  return texts;
}

void check_sound(const Segment& segment, const Sample& made) {
  const std::vector<Text> expected = texts_of(made);
  const lexical::Reader reader(segment);
  const lexical::Texts texts = read(lexical::Forward(segment, reader), reader.parts());
  CHECK(texts.offsets.size() == expected.size() + 1);
  for (std::size_t t = 0; t < expected.size(); ++t) {
    CHECK(texts.of(t).size() == expected[t].size());
    for (std::size_t i = 0; i < expected[t].size(); ++i)
      CHECK(reader.term(texts.of(t)[i]) == expected[t][i]);
  }
}

/// Some bytes of one of the sections, the forward ones above all; or its end is cut off.
void damage(lexical::LexicalSections& built) {
  auto spoil = [](auto& values) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(values.data());
    const std::size_t size = values.size() * sizeof values[0];
    if (size > 0 && below(5) == 0)
      values.resize(below(values.size()));
    else
      for (std::uint32_t i = 0; size > 0 && i < 1 + below(4); ++i)
        bytes[below(size)] = static_cast<std::uint8_t>(below(256));
  };
  switch (below(8)) {
    case 0:
      return spoil(built.postings.term_offset);
    case 1:
      return spoil(built.postings.counts);
    case 2:
      return spoil(built.postings.term_bytes);
    case 3:
    case 4:
      return spoil(built.forward.terms);
    default:
      return spoil(built.forward.offset);
  }
}

void check_too_many() {
  const lexical::Parts parts{.multi_sentence = 0, .passages = 2, .rows = 2};
  const std::vector<std::uint32_t> text{2, 0, 1};
  for (const std::uint32_t most : {11u, 12u}) {
    lexical::ForwardWriter writer(parts, 3, most);
    for (int number = 0; number < 4; ++number) writer.text(text);
    const lexical::ForwardSections made = writer.finish();
    CHECK(made.offset.empty() == (most < 12));
    CHECK(made.terms.empty() == (most < 12));
  }
}

}  // namespace

int main() {
  check_too_many();
  const auto folder = std::filesystem::temp_directory_path() /
                      ("asof-native-texts-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  int refused = 0, rounds = 600;
  for (int round = 0; round < 20; ++round) {
    const Sample made = build(below(9), below(9));
    check_sound(*write(folder / "sound.seg", made), made);
  }
  const Sample whole = build(8, 5);
  std::vector<std::uint32_t> rows(whole.parts.rows), passages(whole.parts.passages);
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
  for (std::uint32_t i = 0; i < passages.size(); ++i) passages[i] = i;
  for (int round = 0; round < rounds; ++round) {
    Sample damaged = whole;
    damage(damaged.built);
    try {
      const auto segment = write(folder / "damaged.seg", damaged);
      const lexical::Reader reader(*segment);
      read(lexical::Forward(*segment, reader), reader.parts());
      const lexical::MergeSource source{&reader, rows, segment.get(), passages};
      lexical::merge_postings({&source, 1}, whole.parts, Cancel());
    } catch (const Error&) {
      refused += 1;
    }
  }
  std::filesystem::remove_all(folder);
  CHECK(refused > rounds / 4);
  std::printf("%d of %d damaged files refused\n", refused, rounds);
}
