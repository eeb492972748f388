// Ours: relevance, constraint and mask in one exact pass over every passage; nothing is cut before
// time counts. What leads is then ranked, sentence by sentence, by a small model over features that
// explain themselves.
import { read } from '../reading/reader.js';
import { bridge } from '../retrieval/bridge.js';
import type { Asked, Candidates } from '../retrieval/candidate.js';
import { retrieveEither, type FurtherRanking } from '../retrieval/retrieveEither.js';
import { countUndated } from '../retrieval/undated.js';
import { takeTop } from '../reading/evidence.js';
import { newestFirst } from '../facts/latestOfSeries.js';
import { dropOutdated } from '../facts/versions/dropOutdated.js';
import { publishedAsAsked } from '../ranking/mask.js';
import {
  freshnessForm,
  namedTimeForm,
  persistenceForm,
  type PersistenceOptions,
} from '../ranking/persistence.js';
import type { RowRanking } from '../ranking/ranker/candidates.js';
import { embeddedRanker, readRanker } from '../ranking/ranker/model.js';
import { rankByFeatures } from '../ranking/ranker/rankByFeatures.js';
import { pipeline, type Stage } from '../pipeline.js';
import type { TemporalForm } from '../time/temporalForms.js';
import { isCurrentQuery, jointConstraint } from '../time/question/jointConstraint.js';
import { checkHybridOptions, type HybridOptions } from './hybridOptions.js';
import { asAsked, byContentAndYears } from './questions.js';
import { system, type Ask, type System } from './system.js';

export type { HybridOptions } from './hybridOptions.js';

/**
 * This library's own system. One exact scan over the whole corpus scores relevance (cosine and
 * BM25) times how well each passage's times fit the question's, hiding what was published after it
 * was asked; a small ranker orders the best candidates sentence by sentence. Every stage can be
 * left out by an option.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options that it does not have or that are of the wrong
 * kind.
 * @example const { evidence, answer } = await hybrid({ corpus }).run({ text: 'Who led the company
 * in 2004?' });
 */
export function hybrid(options: HybridOptions): System {
  const {
    corpus,
    model,
    read: reading,
    question = {},
    namedTime = true,
    newest = true,
    mask = true,
    ...others
  } = checkHybridOptions(options);
  const {
    sentences = others.ranker === false,
    persistence = {},
    bridge: bridging = {},
    versions = {},
    ranker,
  } = others;
  const weights =
    ranker === false ? undefined : ranker === undefined ? embeddedRanker() : readRanker(ranker);
  // Two ways of counting time give scores that only a ranker compares.
  const { take, find, again, ranking } = hybridCandidates({
    ...options,
    sentences,
    namedTime: namedTime && weights !== undefined,
  });
  const composition = pipeline<Ask>('hybrid')
    .then(take)
    .then(find)
    .thenIf(again, (bridged) => bridged)
    .thenIf(weights, (trained) => rankByFeatures(trained, ranking))
    .thenIf(newest, () => newestFirst(ranking.relevance))
    .thenIf(versions, (conflicts) => dropOutdated(conflicts, model))
    .then(takeTop())
    .then(read(reading, model));
  const left = {
    namedTime,
    newest,
    mask,
    sentences,
    bridge: bridging,
    versions,
    ...(persistence || { persistence }),
    ...(question || { question }),
  };
  return system(
    composition.done(),
    corpus,
    { relevance: ranking.relevance, ranker: ranker ?? weights!.id, ...left },
    reading,
  );
}

/** The options that say what `hybrid` finds, and so what a ranker is trained on. */
export type HybridFindOptions = Pick<
  HybridOptions,
  'question' | 'relevance' | 'persistence' | 'namedTime' | 'mask' | 'sentences' | 'bridge'
>;

/**
 * The stages that find what `hybrid` ranks, and how they score rows. `again` bridges a word that is
 * missing.
 */
export function hybridCandidates(options: HybridFindOptions = {}): {
  take: Stage<Ask, Asked>;
  find: Stage<Asked, Candidates>;
  again: Stage<Candidates, Candidates> | undefined;
  ranking: RowRanking;
} {
  const {
    question = {},
    relevance = { semantic: 0.4, lexical: 0.6 },
    namedTime = true,
    mask = true,
    sentences = false,
    persistence = {},
    bridge: bridging = {},
  } = options;
  const { lasting, named } = timeForms(persistence);
  const scored = { relevance, ...(mask ? { mask: publishedAsAsked } : {}) };
  const rows = { ...scored, scope: sentences ? 'all' : 'passages', pool: true } as const;
  const leading = 100;
  const rankings = [
    { ...rows, n: leading, form: lasting },
    ...(namedTime && persistence ? [{ ...rows, n: 30, form: named }] : []),
  ];
  const undated =
    namedTime && persistence ? byPublication({ ...rows, n: 50, form: lasting }) : undefined;
  const find = retrieveEither('scan(relevance x time, best row per passage)', rankings, undated);
  const again = bridging ? bridge(find, { ...rows, form: lasting }, bridging, leading) : undefined;
  return {
    take: question ? byContentAndYears(question) : asAsked(),
    find,
    again,
    ranking: { ...scored, form: lasting },
  };
}

/** So many statements without a date, among those that lead, may be of many more alike. */
const manyUndated = 20;

/**
 * Where many of those that lead tell no date, the same ranking by dates of publication: the scan of
 * what is told has one value for them all, and finds a hundred of them whenever they were
 * published.
 */
function byPublication(
  ranking: FurtherRanking['ranking'] & { form: (asked: Asked) => TemporalForm },
): FurtherRanking {
  const told = (form: TemporalForm): boolean =>
    form.combine === 'product' && form.clock === 'validity or content';
  const form = (asked: Asked): TemporalForm => {
    const own = ranking.form(asked);
    return own.combine === 'product' ? { ...own, clock: 'validity or published' } : own;
  };
  return {
    ranking: { ...ranking, form },
    when: (asked, found) => told(ranking.form(asked)) && countUndated(asked, found) >= manyUndated,
  };
}

/**
 * How rows are looked for: as states that last until another follows, and as what is told of the
 * very time that the question names.
 */
function timeForms(persistence: PersistenceOptions | false) {
  if (!persistence)
    return {
      lasting: () => ({ combine: 'none' }) as const,
      named: () => ({ combine: 'none' }) as const,
    };
  const now = ({ parsed }: Asked) => freshnessForm(parsed.askedAt);
  return {
    lasting: (asked: Asked) =>
      isCurrentQuery(asked.parsed)
        ? now(asked)
        : persistenceForm(jointConstraint(asked.parsed), asked.parsed.askedAt, persistence),
    named: (asked: Asked) =>
      isCurrentQuery(asked.parsed) ? now(asked) : namedTimeForm(jointConstraint(asked.parsed)),
  };
}
