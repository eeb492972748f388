// The table of score forms: a kind that lacks an entry in TypeScript, in the addon, in the oracle
// or in the guide fails here; SQL's table by its type.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { binding } from '../../lib/binding.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import {
  decayKinds,
  definitionOf,
  formKinds,
  forms,
  type FormKind,
  type ScoredForm,
} from '../../lib/time/temporalForms.js';
import * as oracle from '../oracle/temporal.js';
import { day, Draw, drawSegment, scanSegment } from './flat.corpus.js';

const at = 10_970 * day;

/** Forms of a kind, one for each way to combine it. */
function formsOf(kind: FormKind): ScoredForm[] {
  const parameters = {
    lines: [
      { window: { start: at - 40 * day, end: at }, atStart: 0.6, atEnd: 1 },
      { window: { start: at, end: at + 9 * day }, atStart: 0.9, atEnd: 0.4, longestMs: 3 * day },
    ],
    ...{ floorDays: 2, halfLifeMs: 9 * day, offsetMs: day, floor: 0.1, outside: 0.5, weight: 0.3 },
  };
  return forms[kind].combines.map(
    (combine) => ({ combine, kind, clock: 'content', at, ...parameters }) as never,
  );
}

describe('kinds of score forms', () => {
  const draw = new Draw({
    seed: 20_261_129,
    segments: 1,
    passages: 300,
    dimensions: 8,
    whole: false,
    unit: day,
    wide: false,
    hide: false,
  });
  const segment = drawSegment(draw, 0);
  const rows = scanSegment(segment, 8, false, 'f32');
  after(() => rows.rows.close());

  for (const kind of formKinds)
    for (const form of formsOf(kind))
      it(`${kind}, ${form.combine}: the addon has the values of its definition`, async () => {
        const { value, normalizes } = definitionOf(form);
        const valueOf = (row: number): number => {
          const times = segment.rows[row]!.content ?? [];
          return value(
            form,
            times.map(([start, end]) => ({ start, end })),
          ).value;
        };
        const vector = Float32Array.from(draw.vector());
        const found = await scanFlat([rows], [{ vector, form }], { k: segment.rows.length });
        const [mean, deviation] = [found.recencyMean[0]!, found.recencyDeviation[0]!];
        assert.equal(found.row.length, segment.rows.length);
        assert.ok(new Set(found.temporal).size > 10, 'different values');
        found.row.forEach((row, i) => {
          const own = valueOf(row);
          const wanted = normalizes
            ? found.relevanceMean[0]! +
              (((Number.isNaN(own) ? mean : own) - mean) / deviation) * found.relevanceDeviation[0]!
            : own;
          assert.ok(
            Math.abs(found.temporal[i]! - wanted) < 1e-7,
            `${found.temporal[i]}, ${wanted}`,
          );
        });
      });

  it('are those of the addon and of the oracle', () => {
    const numbers = new Float64Array(2 + 55);
    numbers[0] = 1;
    numbers[4] = 1 + formKinds.length;
    assert.throws(
      () => binding.searchFlatSync(rows.rows, new Float32Array(8), numbers, new Float64Array(9)),
      new RegExp(`codes from 0 to ${formKinds.length},`),
    );
    assert.deepEqual(decayKinds, oracle.decayKinds);
    assert.deepEqual(formKinds, ['spline', 'recency', ...oracle.decayKinds]);
  });

  it('are in the guide', () => {
    const guide = readFileSync(new URL('../../docs/guide/decay.md', import.meta.url), 'utf8');
    for (const kind of decayKinds) assert.match(guide, new RegExp(`^\\| \`${kind}\` \\|`, 'm'));
  });
});
