// The documentation against the tree: paths and identifiers in backticks and files that comments
// name exist, relative links and their anchors resolve, the index of decisions lists all of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const pages = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('.github/'));

/** Spans of code of a page, code blocks and generated tables left aside. */
function codeSpans(page: string): string[] {
  const prose = read(page).replace(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
}

/** Identifiers of other projects that the documentation names. */
const foreign = new Set([
  'napi_get_value_string_latin1',
  'search_after',
  'buffer_idx',
  'supportedArchitectures',
]);

/** Files of other projects, and of the folder shared by them, that comments name. */
const foreignFiles = new Set(['llama.cpp', 'make_eval_sets.py', 'run_step.py']);

/** Comments of a source, and what tables of papers say in JSON. */
function comments(path: string): string {
  const text = read(path);
  if (path.endsWith('.json')) return text;
  const lines = text.match(/(?:^\s*(?:\/\/|\/?\*|#(?= ))| \/\/ ).*$/gm) ?? [];
  return lines.join('\n');
}

/** The anchor that GitHub gives a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/ /g, '-');

describe('documentation', () => {
  it('names only files and folders that the repository has', () => {
    const repositoryPath =
      /^(?:lib|native|test|bench|models|scripts|examples|docs)\/[\w./*{},-]+$|^\w+\.(?:d\.ts|ts|md|cjs)$/;
    const exists = (path: string) => {
      const plain = path.replace(/\/$/, '');
      if (!plain.includes('*'))
        return tracked.some((file) => file === plain || file.startsWith(`${plain}/`));
      const pattern = new RegExp(
        `^${plain
          .replace(/[.{}]/g, '\\$&')
          .replace(/\*\*/g, '.+')
          .replace(/(?<!\.)\*/g, '[^/]*')}$`,
      );
      return tracked.some((file) => pattern.test(file));
    };
    const missing = pages.flatMap((page) =>
      codeSpans(page)
        .flatMap((span) => span.split(/[\s,;]+/))
        .map((word) => word.replace(/^\.\//, '').replace(/[.:]$/, ''))
        .filter((word) => repositoryPath.test(word))
        // a bare file name may stand for one next to the page, or for one anywhere
        .filter(
          (word) =>
            !exists(word) &&
            !exists(join(dirname(page), word)) &&
            (word.includes('/') || !tracked.some((file) => file.endsWith(`/${word}`))),
        )
        .map((word) => `${page}: ${word}`),
    );
    assert.deepEqual(missing, []);
  });

  it('names in comments only files that the repository has', () => {
    const names = /(?<![\w./*-])(?:[\w.-]+\/)*[\w.-]+\.(?:ts|hpp|cpp|cu|cjs|mjs|py)\b(?![\w/*-])/g;
    const missing = tracked
      .filter((path) =>
        /\.(?:ts|hpp|cpp|cu|cjs|mjs|py)$|^bench\/quality\/papers\/.*json$/.test(path),
      )
      .flatMap((path) =>
        [...comments(path).matchAll(names)]
          .map(([name]) => name)
          .filter(
            (name) =>
              !foreignFiles.has(name) &&
              !/^\.\.\/(?:shared|papers)\//.test(name) &&
              !tracked.includes(normalize(join(dirname(path), name))) &&
              !tracked.some((file) => `/${file}`.endsWith(`/${name}`)),
          )
          .map((name) => `${path}: ${name}`),
      );
    assert.deepEqual(missing, []);
  });

  it('names only identifiers that the code has', () => {
    const code = tracked.filter((path) => /\.(?:ts|cpp|hpp|cjs|py|cu|json)$/.test(path));
    const words = new Set(code.flatMap((path) => read(path).match(/\w+/g) ?? []));
    const missing = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        codeSpans(page)
          .map((span) => /^(\w+)(?:\(.*\))?$/.exec(span)?.[1] ?? '')
          .filter(
            (word) =>
              /^[a-z]+[A-Z]|^[a-z]+_[a-z]/.test(word) && !words.has(word) && !foreign.has(word),
          )
          .map((word) => `${page}: ${word}`),
      );
    assert.deepEqual(missing, []);
  });

  it('links to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)]
        .map((match) => match[1]!)
        .filter((link) => {
          const [path, heading] = link.split('#');
          const target = path === '' ? page : normalize(join(dirname(page), path!));
          if (!existsSync(join(root, target))) return true;
          if (heading === undefined) return false;
          const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map((match) =>
            anchor(match[1]!),
          );
          return !headings.includes(heading);
        })
        .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('lists every decision in the index of decisions', () => {
    const index = read('docs/decisions/README.md');
    const unlisted = readdirSync(join(root, 'docs', 'decisions')).filter(
      (file) => file !== 'README.md' && !index.includes(`](${file})`),
    );
    assert.deepEqual(unlisted, []);
  });
});
