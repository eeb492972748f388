// What is read of JavaScript to find an answer in passages.
#pragma once

#include <memory>
#include <vector>

#include "boundary/request.hpp"
#include "reading/candidates.hpp"

namespace asof::boundary {

struct PassagesToRead {
  reading::Question question;
  std::vector<reading::ReadPassage> passages;
};

/// PassagesToRead of binding.d.ts, copied.
std::shared_ptr<const PassagesToRead> passages_to_read(const Fields& request);

}  // namespace asof::boundary
