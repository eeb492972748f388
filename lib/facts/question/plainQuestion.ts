// A question as plain data for the addon (native/facts/question.hpp).
import type { PlainQuestion } from '../../../binding.js';
import type { AnswerType } from '../../text/answerType.js';
import type { TimeOperator } from '../../time/question/operator.js';
import type { TokenEncoder } from '../../vectors/staticEncoder.js';
import type { SeriesQuestion } from './question.js';

/** Orders of members in the order of the addon's numbers. */
export const orders = ['latest', 'first', 'any'] as const satisfies TimeOperator['order'][];

/** Kinds of answers in the order of the addon's numbers from 2 on; 1 is none, 0 any other. */
const wantedKinds: readonly AnswerType[] = [
  'version',
  'number',
  'score',
  'date',
  'person',
  'name',
  'organisation',
  'place',
];

const numberOf = (wanted: AnswerType | undefined): number =>
  wanted === undefined ? 1 : wantedKinds.includes(wanted) ? 2 + wantedKinds.indexOf(wanted) : 0;

export function plainQuestion(
  { terms, names, pairs, anchor, role, wanted, operator }: SeriesQuestion,
  { rarity }: Pick<TokenEncoder, 'rarity'>,
): PlainQuestion {
  let end = 0;
  return {
    terms: terms.map(({ term }) => term),
    lows: terms.map(({ low }) => low),
    weights: Float64Array.from(terms, ({ weight }) => weight),
    rarities: Float64Array.from(terms, ({ low }) => rarity(low)),
    flags: Uint8Array.from(
      terms,
      ({ name, value, kind }) => Number(name) + 2 * Number(value) + 4 * Number(kind),
    ),
    nameEnds: Uint32Array.from(names, ({ length }) => (end += length)),
    names: Uint32Array.from(names.flat()),
    pairs: Uint32Array.from(pairs.flat()),
    anchor: anchor.flatMap(({ forms }) => forms),
    role: role ?? '',
    wanted: numberOf(wanted),
    order: orders.indexOf(operator.order),
  };
}
