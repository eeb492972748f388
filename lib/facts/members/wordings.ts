// Wordings of one series: statements of the very name in other words join those that say most of
// the question, unless both give values for one time that were published at once and differ.
import { featureNames, type StatementMatch } from '../features/features.js';
import type { SeriesQuestion } from '../question/question.js';
import type { StatedTime } from '../statements/statements.js';

/** Share of a wording's statements that may contradict the series: errors of reading. */
const mostConflicts = 0.1;
/** Names agree as well as the best up to this. */
const sameName = 0.02;

const place = (name: (typeof featureNames)[number]): number => featureNames.indexOf(name);
const [nameOverlap, valueMissing, rarityMissing] = [
  place('nameOverlap'),
  place('valueMissing'),
  place('rarityMissing'),
];

/** The statements that may be one series, in whatever words; empty for a question without names. */
export function mergeWordings(
  { names, terms }: SeriesQuestion,
  matches: readonly StatementMatch[],
): Set<StatementMatch> {
  const merged = new Set<StatementMatch>();
  if (names.length === 0) return merged;
  const best = matches.reduce((most, { features }) => Math.max(most, features[nameOverlap]!), 0);
  let wordsOfRelation = 0;
  terms.slice(0, 30).forEach(({ name, value }, t) => {
    if (!name && !value) wordsOfRelation |= 1 << t;
  });
  const wordings = new Map<number, StatementMatch[]>();
  for (const match of matches) {
    const { features, matched } = match;
    const isOfName = features[nameOverlap]! >= best - sameName && features[valueMissing] === 0;
    if (!isOfName || match.values.size === 0) continue;
    const key = matched & wordsOfRelation;
    const list = wordings.get(key);
    if (list) list.push(match);
    else wordings.set(key, [match]);
  }
  const missing = ({ features }: StatementMatch): number => features[rarityMissing]!;
  const ordered = [...wordings.values()].sort(
    (a, b) => missing(a[0]!) - missing(b[0]!) || b.length - a.length,
  );
  ordered.forEach((wording, at) => {
    const series = [...merged];
    const conflicts = wording.filter((one) => series.some((other) => conflict(one, other)));
    if (at === 0 || conflicts.length <= mostConflicts * wording.length)
      for (const match of wording) merged.add(match);
  });
  return merged;
}

/** Two values for one time, published at once as far as is known. */
function conflict(one: StatementMatch, other: StatementMatch): boolean {
  const [a, b] = [one.passage.record.publishedAt, other.passage.record.publishedAt];
  if (one.passage === other.passage || (a !== undefined && b !== undefined && a !== b))
    return false;
  const [s, t] = [timeOf(one), timeOf(other)];
  if (!s || !t || s.start >= t.end || t.start >= s.end) return false;
  const [x, y] = [s.end - s.start, t.end - t.start];
  if (x > 4 * y || y > 4 * x) return false;
  for (const value of one.values) if (other.values.has(value)) return false;
  return true;
}

const timeOf = ({ statement, passage }: StatementMatch): StatedTime | undefined =>
  statement.times.find(({ source }) => source !== 'compared') ??
  passage.titleTimes[0] ??
  passage.published;
