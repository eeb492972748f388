// Score plans over rows that are elsewhere: what an engine ranks and the native scan scores is what
// the scan finds in the corpus itself, for random masks, forms, scopes and k of thousands of rows,
// of which a plan fetches few.
import assert from 'node:assert/strict';
import type { Passage } from '../../lib/index.js';
import type { QueryContext } from '../../lib/retrieval/queryContext.js';
import { search, type Ranking } from '../../lib/retrieval/search.js';
import type { SearchableCorpus } from '../../lib/store/searchableCorpus.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import { scopes } from '../../lib/store/scorePlan.js';
import {
  decayKinds,
  formKinds,
  type Mask,
  type SplineForm,
  type TemporalForm,
} from '../../lib/time/temporalForms.js';
import type { Draw } from '../index/flat.corpus.js';

const words = (
  'harbour bridge castle tower garden market river station mayor election mill school opened ' +
  'closed built sold moved painted burnt grew'
).split(' ');

/** Passages of one to four sentences, some with several dates, some without any clock. */
export function passagesOf(draw: Draw, count: number): Passage[] {
  const year = (): number => draw.integer(1900, 2020);
  const sentence = (): string => {
    const some = Array.from({ length: draw.integer(2, 7) }, () => draw.pick(words));
    const dates = draw.chance(0.5) ? ` in ${year()}` : '';
    return `The ${some.join(' ')}${dates}${draw.chance(0.2) ? ` and from ${year()} to 2021` : ''}.`;
  };
  return Array.from({ length: count }, (_, i) => {
    const from = year();
    return {
      id: `p${String(i).padStart(5, '0')}`,
      text: Array.from({ length: draw.integer(1, 4) }, sentence).join(' '),
      ...(draw.chance(0.7) ? { publishedAt: `${year()}-0${draw.integer(1, 9)}-11` } : {}),
      ...(draw.chance(0.4) ? { validFrom: `${from}` } : {}),
      ...(draw.chance(0.4) ? { validTo: `${from + draw.integer(0, 30)}` } : {}),
    };
  });
}

const clocks = ['content', 'published', 'validity'] as const;

function drawWindow(draw: Draw): { start: number; end: number } {
  const start = Date.UTC(draw.integer(1890, 2020), draw.integer(0, 11));
  const end = draw.chance(0.2) ? start : start + draw.integer(1, 40) * 31_557_600_000;
  return {
    start: draw.chance(0.15) ? -Infinity : start,
    end: draw.chance(0.15) ? Infinity : end,
  };
}

function drawMask(draw: Draw): Mask {
  return {
    ...(draw.chance(0.5) ? { publishedUntil: Date.UTC(draw.integer(1950, 2020), 0) } : {}),
    ...(draw.chance(0.4)
      ? {
          window: {
            ...drawWindow(draw),
            clock: draw.pick(clocks),
            relation: draw.pick(['overlaps', 'within', 'contains'] as const),
          },
        }
      : {}),
  };
}

function drawForm(draw: Draw): TemporalForm {
  const at = Date.UTC(draw.integer(1930, 2021), 5);
  const kind = draw.pick(['none', 'spline', ...formKinds, ...decayKinds] as const);
  if (kind === 'none') return { combine: 'none' };
  if (kind === 'spline')
    return {
      combine: 'product',
      kind,
      clock: draw.pick<SplineForm['clock']>([
        ...clocks,
        'validity or content',
        'validity or published',
      ]),
      outside: draw.pick([0, 0.5, 1]),
      lines: Array.from({ length: draw.integer(1, 4) }, () => ({
        window: drawWindow(draw),
        atStart: draw.pick([0.6, 1, 2, 0]),
        atEnd: draw.pick([1, 0.6]),
        ...(draw.chance(0.2) ? { longestMs: 1e12 } : {}),
      })),
    };
  if (kind === 'recency')
    return {
      combine: 'sum',
      kind,
      clock: draw.pick(clocks),
      at,
      floorDays: draw.pick([1, 300]),
      weight: draw.pick([1, 0.2, -0.5]),
    };
  const decay = {
    kind,
    clock: draw.pick(clocks),
    at,
    halfLifeMs: draw.pick([1e9, 1e11, 1e12]),
    offsetMs: draw.pick([0, 1e10]),
    floor: draw.pick([0, 0.2]),
    outside: draw.pick([0.5, 1]),
  };
  return draw.chance(0.5)
    ? { combine: 'product', ...decay }
    : { combine: 'sum', weight: draw.pick([0.5, 2]), ...decay };
}

function drawRanking(draw: Draw): Ranking {
  const [semantic, lexical] = draw.pick([
    [0.4, 0.6],
    [1, 0],
    [0, 1],
    [0.7, 0.3],
  ] as const);
  const [mask, form] = [drawMask(draw), drawForm(draw)];
  return {
    n: draw.pick([1, 5, 50, 400]),
    scope: draw.pick(scopes),
    pool: draw.chance(0.5),
    relevance: {
      semantic,
      lexical,
      ...(draw.chance(0.3) ? { k1: draw.pick([0, 1.6]), b: 1 } : {}),
    },
    mask: () => mask,
    form: () => form,
  };
}

/** What searches read of a query. */
async function queryOf(
  corpus: SearchableCorpus,
  snapshot: Snapshot,
  text: string,
): Promise<QueryContext> {
  const vector = await corpus.encoder.encode([text], { kind: 'query' });
  const terms = text.split(' ').map((word) => word.replace(/ed$|e$/, ''));
  return {
    snapshot,
    k: 10,
    vector: () => Promise.resolve(vector),
    terms: () => terms,
  } as unknown as QueryContext;
}

/** Asserts that the corpora find what a local one does, for forms that their engine states. */
export async function assertSamePlans(
  draw: Draw,
  local: SearchableCorpus,
  remote: readonly SearchableCorpus[],
  {
    isStated = () => true,
    trials = 150,
  }: { isStated?: (form: TemporalForm) => boolean; trials?: number } = {},
): Promise<void> {
  let [fetched, found] = [0, 0];
  for (let trial = 0; trial < trials; trial += 1) {
    const ranking = drawRanking(draw);
    if (!isStated(ranking.form!({} as QueryContext))) continue;
    const text = Array.from({ length: draw.integer(1, 5) }, () => draw.pick(words)).join(' ');
    const hits = [];
    for (const corpus of [local, draw.pick(remote)]) {
      using snapshot = corpus.snapshot();
      const query = await queryOf(corpus, snapshot, text);
      const results = await search(query, ranking);
      hits.push(results.map(({ id, score, scores }) => ({ id, score, scores })));
      if (corpus !== local)
        fetched += snapshot.segments.reduce((sum, { passages }) => sum + passages, 0);
    }
    const [expected, actual] = hits as [(typeof hits)[0], (typeof hits)[0]];
    found += expected.length;
    const label = () =>
      `trial ${trial}: ${text} ${JSON.stringify({ ...ranking, mask: ranking.mask!({} as QueryContext), form: ranking.form!({} as QueryContext) })}`;
    assert.deepEqual(
      actual.map(({ id }) => id),
      expected.map(({ id }) => id),
      label(),
    );
    actual.forEach(({ score, scores }, at) => {
      const other = expected[at]!;
      assert.ok(Math.abs(score - other.score) < 1e-6, label());
      assert.deepEqual(Object.keys(scores), Object.keys(other.scores), label());
    });
  }
  assert.ok(found > 6 * trials, `${found} results`);
  assert.ok(fetched < 700 * trials, `${fetched} passages were fetched`);
}
