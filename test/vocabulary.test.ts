// The project's vocabulary: words of private dialect stay out of code and prose, and the message
// names the standard term that replaces each (docs/glossary.md).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Code that the work on facts in series replaces as a whole: its private words go with it. */
const replacedSoon =
  /^(?:(?:lib|test)\/(?:facts\/versions|ranking\/ranker|reading)|bench\/quality\/(?:facts|ranking|reading))\//;
/** Files that quote former names: this one, the changelog, and the check that refuses them. */
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
/**
 * Lines of a file; of generated tables none, which keep the words of the commit that printed them.
 */
const lines = new Map(
  files.map((path) => [
    path,
    readFileSync(join(root, path), 'utf8')
      .replace(/<!-- bench\/[^]*?<!-- end -->/g, (table) => table.replace(/[^\n]/g, ''))
      .split('\n'),
  ]),
);
const documentation = files.filter((path) => path.endsWith('.md'));

/** Words of code and prose, with what is written instead. */
const everywhere: readonly [RegExp, string][] = [
  [/\bundivided\b/, 'wholeQuestion'],
  [/byContentAndYears/, 'contentWithYears'],
  [/contentBesideConstraints/, 'contentOutsideConstraints'],
  [/saysLatest|asksOfNow|asksForLatest|impliesNow/, 'isLatestQuery, isCurrentQuery'],
  [/stressNames/, 'boostEntities'],
  [/\bwriteOut\b/, 'expandAbbreviations'],
  [/headOfAsked|kindOfNoun/, 'answerHead, nounType'],
  [/moodsDiffer/, 'modality'],
  [/firstTimeExtractor|soleTimeExtractor/, 'fallbackExtractor, singleTimeExtractor'],
  [/timesToFuse|momentsToFuse/, 'fusionTimes'],
  [/publishedAsAsked|publishedByThen/, 'publicationMask'],
  [/countedFrom|numbersFrom/, 'the thing counted or parsed'],
  [/fewAlike|manyAlike/, 'expansionNeeded'],
  [/retrieveEither|FurtherRanking/, 'multiQueryRetrieval'],
  [/nearBest/, 'relativeCutoff'],
  [/leadInTime/, 'shortlist'],
  [/takeTop/, 'limit'],
  [/namedTime|named-time/, 'exactTime'],
  [/persistenceForm|PersistenceOptions/, 'stateDecay'],
  [/newestFirst|newestOfSeries/, 'latestOfSeries'],
  [/dropOutdated/, 'dropSuperseded'],
  [
    /viewQuestion|viewPassages|SentenceReading/,
    'QuestionFeatures, PassageFeatures, SentenceFeatures',
  ],
  [/\bNaming\b|namedTerms/, 'entity terms'],
  [
    /quantized_scan\/(?:beside|guess|likely|made|settle|gather|words|timed|waiting)/,
    'row_bias, threshold_sampling, threshold_seeding, on_the_fly_panels, rescore, ' +
      'sparse_rows, lexical_bounds, temporal_bounds, candidate_buffer',
  ],
  [/struct Few\b|\bFew<|class Leader\b/, 'row_subset, BoundedHit'],
  [/\bfinds\.hpp|\bnarrow\.hpp|\btasks\.hpp/, 'results, window_scan, work_queue'],
  [/standards\.hpp|class Standards|struct Standards/, 'normalization'],
  [/kernels\/reaching|\breaching\(/, 'threshold_products'],
  [/heads\.hpp|panel_heads/, 'prefix_bound'],
  [/made in passing|panels made/, 'on-the-fly packing'],
  [/device\/residence|class Residence/, 'DeviceCache'],
  [/stages of the device/, 'passes'],
  [/\bclass Recent\b|\bnew Recent\b|\bRecent</, 'GenerationalCache'],
  [/fairTurn|\bPace\b|inThisTurn|shortTurns/, 'yieldToEventLoop'],
  [/class Turns\b|new Turns\b|WriteQueue/, 'SerialQueue'],
  [/\bRecipe\b|recipeKey/, 'DerivedColumnSpec'],
  [/worthwhileRun|wholeRun/, 'tieredMerge, fullMerge'],
  [/withDeleted/, 'liveDocs, tombstones'],
  [/searchSettings|settingsAt/, 'tuneOptions, optionsAt'],
  [/minePool|withinPool/, 'buildCandidatePool, restrictToPool'],
  [/CellStore|CellRecord|cellFolder/, 'RunStore, RunRecord'],
  [/relevanceByAnswers/, 'qrelsFromAnswers'],
  [/perturbSet|PerturbedSet|canBePerturbed/, 'perturbQuestions, isPerturbable'],
  [/\bwhatWas[A-Z]\w*|\bwhatIs[A-Z]\w*/, 'a noun phrase'],
  [/\bsets of questions\b/, 'test collections'],
  [/[aA]t first sight/, 'on the first run, unseen'],
  [/\bevery so manyth\b/, 'every nth'],
];

/** Words of prose that documentation has lost already; comments follow. */
const inDocumentation: readonly [RegExp, string][] = [
  [/rows_left_early|panels_left_early|left early/, 'early termination, pruning'],
  [/\basked about\b/, 'in question'],
  [/\bso many\b/, 'a number of'],
  [/\bwhere none is\b/, 'without'],
  [/\bleft out\b/, 'excluded, disabled'],
  [/\b[kK]nows? nothing of\b/, 'drop the sentence'],
  [/\b[tT]old\b/, 'stated, reported, distinguished'],
  [/\b[bB]eside\b/, 'next to, in addition to'],
  [/\bwhat (?:was|is) (?:asked|found|told|given|kept)\b/, 'a noun'],
  [/\bwhat leads\b|\blead by\b/, 'the shortlist'],
];

const uses = (word: RegExp, paths: readonly string[]): string[] =>
  paths.flatMap((path) =>
    lines
      .get(path)!
      .flatMap((line, at) =>
        word.test(line) ? [`${path}:${at + 1}: ${line.trim().slice(0, 80)}`] : [],
      ),
  );

describe('vocabulary', () => {
  for (const [word, replacement] of everywhere) {
    it(`${word.source}: ${replacement}`, () => {
      assert.deepEqual(uses(word, files), []);
    });
  }

  for (const [word, replacement] of inDocumentation) {
    it(`documentation without ${word.source}: ${replacement}`, () => {
      assert.deepEqual(uses(word, documentation), []);
    });
  }
});
