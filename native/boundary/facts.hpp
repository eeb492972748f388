// Passages that were read, as JavaScript holds them.
#pragma once

#include <napi.h>

#include <memory>

#include "statements/lexicon.hpp"
#include "statements/passage.hpp"

namespace asof::boundary {

using SharedLexicon = std::shared_ptr<statements::Lexicon>;
struct ReadPassage {
  SharedLexicon lexicon;
  std::shared_ptr<const statements::Passage> passage;
};

const ReadPassage& passage_of(const Napi::Value& value);
Napi::Value passage_handle(Napi::Env env, const SharedLexicon& lexicon,
                           statements::Passage passage);

}  // namespace asof::boundary
