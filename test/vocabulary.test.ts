// The project's vocabulary: names and prose use the field's terms (docs/glossary.md). A failure
// names the term to use instead of a word of private dialect.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Code that the work on facts in series replaces as a whole: its private words go with it. */
const replacedSoon = new RegExp(
  '^(?:(?:lib|test)/(?:ranking/ranker|reading)|' + 'bench/quality/(?:facts|ranking|reading))/',
);
/** Files that quote former names: this one, the changelog, and the check that rejects them. */
const quoting = new Set([
  'test/vocabulary.test.ts',
  'CHANGELOG.md',
  'lib/systems/optionKinds.ts',
  'test/systems/optionKinds.test.ts',
]);

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (path) =>
      /^(?:(?:lib|native|test|bench|scripts|models|examples|docs)\/|[^/]+\.(?:md|d\.ts)$)/.test(
        path,
      ) &&
      /\.(?:ts|cpp|hpp|cu|cuh|cjs|py|sh|css|md)$/.test(path) &&
      !replacedSoon.test(path) &&
      !quoting.has(path) &&
      existsSync(join(root, path)),
  );

/** Lines by file, without generated tables, which quote the commit that printed them. */
const lines = new Map(
  files.map((path) => [
    path,
    readFileSync(join(root, path), 'utf8')
      .replace(/<!-- bench\/[^]*?<!-- end -->/g, (table) => table.replace(/[^\n]/g, ''))
      .split('\n'),
  ]),
);

/** The prose of a line: all of a document's, the comment of a line of code. */
function proseOf(path: string, line: string): string {
  if (path.endsWith('.md')) return line;
  return /(?:^|\s)\/\/\s.*|^\s*\/?\*.*|^\s*#\s.*/.exec(line)?.[0] ?? '';
}

type Rule = readonly [word: RegExp, replacement: string];

/** Names of code and prose, with the terms that replace them. */
const names: readonly Rule[] = [
  [/\bwhat(?:Was|Is)[A-Z]\w*/, 'a noun phrase'],
  [/\b(?:says|asks)(?:Latest|OfNow|ForLatest)\b|\bimpliesNow\b/, 'isLatestQuery, isCurrentQuery'],
  [/\btakeTop\b|\bleadInTime\b/, 'limit, shortlist'],
  [/\bnamedTime\b|\bnamed-time\b/, 'exactTime'],
  [/\bdropOutdated\b|\bnewestOfSeries\b/, 'dropSuperseded, rankBySeries'],
  [/\bpublishedAsAsked\b/, 'publicationMask'],
  [/\bfairTurn\b|\binThisTurn\b/, 'yieldToEventLoop'],
  [/\bWriteQueue\b|\b(?:class|new) Turns\b/, 'TaskQueue'],
  [/\b(?:class|new) Recent\b/, 'GenerationalCache'],
  [/\bRecipe\b|\brecipeKey\b/, 'DerivedColumnSpec'],
  [/\bwithDeleted\b/, 'liveDocs, tombstones'],
  [/\bsearchSettings\b|\bsettingsAt\b/, 'tuneOptions, optionsAt'],
  [/\bminePool\b|\bwithinPool\b/, 'buildCandidatePool, restrictToPool'],
  [/\bCell(?:Store|Record)\b/, 'RunStore, RunRecord'],
  [/\bperturbSet\b|\bcanBePerturbed\b/, 'perturbQuestions, isPerturbable'],
  [/\bpanels made\b|\bmade in passing\b/, 'on-the-fly packing'],
  [/\b(?:rows|panels)_left_early\b/, 'early termination, pruning'],
];

/** Types named by a participle or in private dialect, absent from the core. */
const coreTypes: Rule = [
  /\b(?:interface|type|class) (?:Asked|Told|Made|Found|Given|Drawn|Said|Wanted|Shown|Named|Held)\b/,
  'a noun for the thing',
];
const core = /^(?:lib|test)\/(?:runtime|text|time|vectors|store|retrieval|systems)\//;

/** Words of comments and documentation. */
const prose: readonly Rule[] = [
  [/\bsets of questions\b/, 'test collections'],
  [/\b[aA]t first sight\b/, 'on the first run, unseen'],
  [/\bevery so many(?:th)?\b/, 'every nth'],
  [/\bpatiently\b/, 'with retries'],
  [/\bwhere none is\b/, 'without'],
  [/\bis given up to\b/, 'yields to'],
  [/\bmakes of it\b/, 'computes, derives'],
  [/\bwhat leads\b|\blead by\b/, 'the shortlist'],
  [/\b[tT]old\b/, 'stated, reported, distinguished'],
  [/\b[bB]eside\b/, 'next to, in addition to'],
  [/\bleft out\b/, 'excluded, omitted'],
  [/\bso many\b/, 'a number of'],
  [/\basked about\b/, 'in question'],
  [/\b[rR]ivals?\b/, 'competing candidates'],
  [/\b[kK]nows? nothing of\b/, 'drop the sentence'],
  [/\bwhat (?:was|is) (?:asked|found|told|given|kept)\b/, 'a noun'],
  [/\bleft early\b/, 'early termination, pruning'],
];

const uses = (
  [word]: Rule,
  paths: readonly string[],
  textOf: (path: string, line: string) => string,
): string[] =>
  paths.flatMap((path) =>
    lines
      .get(path)!
      .flatMap((line, at) =>
        word.test(textOf(path, line)) ? [`${path}:${at + 1}: ${line.trim().slice(0, 80)}`] : [],
      ),
  );
const whole = (_path: string, line: string): string => line;

describe('vocabulary', () => {
  const coreFiles = files.filter((path) => core.test(path));
  const check = (
    rules: readonly Rule[],
    paths: readonly string[],
    textOf: typeof whole,
    where: string,
  ): void => {
    for (const rule of rules)
      it(`${where}: ${rule[1]}, not ${rule[0].source}`, () =>
        assert.deepEqual(uses(rule, paths, textOf), []));
  };
  check(names, files, whole, 'everywhere');
  check(prose, files, proseOf, 'in prose');
  check([coreTypes], coreFiles, whole, 'in the core');
});
