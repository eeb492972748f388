const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = join(__dirname, '..');

/** Files that a C++ file includes, directly or not. */
exports.includedFiles = function includedFiles(file, seen = new Set()) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, name] of text.matchAll(/^#include "([^"]+)"/gm)) {
    const path = [join('native', name), join(dirname(file), name)].find((each) =>
      existsSync(join(root, each)),
    );
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    includedFiles(path, seen);
  }
  return seen;
};
