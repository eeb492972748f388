// The score of a row as one Painless script: similarity, BM25 and temporal form
// (lib/time/temporalForms.ts), in the order of operations of native/kernels and native/temporal.
// Its source is the same for every query, since a cluster compiles few a minute; what differs is in
// its params.
import type { Bm25Weights, PlanQuery } from './remoteTypes.js';

/** Of JSON, which has no infinity: beyond every instant. */
const beyond = 1e300;
const number = (value: number): number => Math.max(-beyond, Math.min(beyond, value));

type Form = Exclude<NonNullable<PlanQuery['form']>, { combine: 'none' }>;
/** Of a sum that is standardised over all rows, which no row's script can know. */
type RecencyForm = Extract<Form, { kind: 'recency' }>;
export type ScriptForm = Exclude<Form, RecencyForm>;

const kinds: Readonly<Record<ScriptForm['kind'], number>> = {
  spline: 1,
  exponential: 2,
  gaussian: 3,
  linear: 4,
};
const clocks = ['published', 'validity', 'content', 'validity or content', 'validity or published'];

/** What a row's script adds up, and what it combines that with. */
export interface ScriptTerms {
  /** With its weight. */
  vector?: { of: Float32Array; weight: number } | undefined;
  /** BM25, of which each point weighs so much. */
  lexical?: { of: Bm25Weights; weight: number } | undefined;
  /** Weight of the score of the query that finds the row. Default 0. */
  found?: number | undefined;
  form?: ScriptForm | undefined;
  /** What is taken from the score before it is multiplied: its last bits, of floats. */
  zoom?: { less: number; factor: number } | undefined;
}

/** Added to scores, which must not be below 0. */
export const shiftOf = ({ vector, form }: ScriptTerms): number => {
  if (!vector) return 0;
  const weight = form?.combine === 'sum' ? Math.abs(form.weight) : 0;
  return 2 ** Math.ceil(Math.log2(2 * Math.abs(vector.weight) + weight + 1e-3));
};

export const scriptOf = (terms: ScriptTerms): object => {
  const { vector, lexical, found = 0, form, zoom } = terms;
  return {
    source,
    params: {
      vector: vector ? Array.from(vector.of, (x) => Number(x.toPrecision(9))) : null,
      vector_weight: vector?.weight ?? 0,
      found,
      terms: lexical?.of.terms ?? [],
      weights: lexical?.of.weights ?? [],
      k1: lexical?.of.k1 ?? 0,
      base: lexical?.of.base ?? 0,
      slope: lexical?.of.slope ?? 0,
      lexical_weight: lexical?.weight ?? 0,
      ...formParams(form),
      less: zoom?.less ?? 0,
      factor: zoom?.factor ?? 1,
      shift: shiftOf(terms),
    },
  };
};

function formParams(form: ScriptForm | undefined): object {
  if (!form) return { kind: 0 };
  return {
    kind: kinds[form.kind],
    clock: clocks.indexOf(form.clock),
    is_sum: form.combine === 'sum',
    form_weight: form.combine === 'sum' ? form.weight : 0,
    outside: form.outside,
    numbers:
      form.kind === 'spline'
        ? form.lines.flatMap(lineNumbers)
        : [form.at, form.halfLifeMs, form.offsetMs, form.floor],
  };
}

type Line = Extract<ScriptForm, { kind: 'spline' }>['lines'][number];

/** Start, end, value at both, the inverse of the span (0: constant), longest interval (-1: any). */
function lineNumbers({ window, atStart, atEnd, longestMs = Infinity }: Line): number[] {
  const start = window.start;
  const end = start === window.end ? start + 1 : window.end;
  const ends = [number(start), number(end)];
  const longest = Number.isFinite(longestMs) ? longestMs : -1;
  if (start === -Infinity) return [...ends, atEnd, atEnd, 0, longest];
  if (end === Infinity || atStart === atEnd) return [...ends, atStart, atStart, 0, longest];
  return [...ends, atStart, atEnd, 1 / (end - start), longest];
}

/** `rows.times` holds doubles, big-endian: published, validity, then content times; NaN: none. */
const source = `
double at(BytesRef b, int i) {
  long x = 0;
  int from = b.offset + 8 * i;
  for (int n = from; n < from + 8; ++n) { x = (x << 8) | (b.bytes[n] & 255L); }
  return Double.longBitsToDouble(x);
}
double line(List f, int i, double s, double e) {
  double start = f.get(i); double end = f.get(i + 1);
  double low = f.get(i + 2); double high = f.get(i + 3);
  double inverse = f.get(i + 4); double longest = f.get(i + 5);
  if (s >= end || !(e > start || (s == start && e == s)) || (longest >= 0 && e - s > longest)) {
    return Double.NaN;
  }
  if (inverse == 0) { return low; }
  double t = Math.max(s, start);
  if (high > low) { t = Math.max(t, Math.min(e, end)); }
  double p = Math.min((t - start) * inverse, 1);
  return (1 - p) * low + p * high;
}
double value(int kind, List f, double outside, double s, double e) {
  if (kind == 1) {
    double best = Double.NaN;
    for (int i = 0; i < f.size(); i += 6) {
      double v = line(f, i, s, e);
      if (!Double.isNaN(v) && !(best >= v)) { best = v; }
    }
    return Double.isNaN(best) ? outside : best;
  }
  double center = f.get(0); double half = f.get(1);
  double offset = f.get(2); double floor = f.get(3);
  double away = Math.max(Math.max(s - center, center - e), 0);
  double u = Math.max(away - offset, 0) / half;
  double v = kind == 4 ? 1 - u / 2 : Math.pow(2, kind == 2 ? -u : -u * u);
  return Math.max(v, floor);
}
double temporal(int kind, int clock, List f, double outside, BytesRef b) {
  double valid = at(b, 1);
  int read = clock < 3 ? clock : !Double.isNaN(valid) ? 1 : clock == 3 ? 2 : 0;
  double best = Double.NaN;
  if (read == 0) {
    double s = at(b, 0);
    if (!Double.isNaN(s)) { best = value(kind, f, outside, s, s); }
  } else if (read == 1) {
    if (!Double.isNaN(valid)) { best = value(kind, f, outside, valid, at(b, 2)); }
  } else {
    for (int i = 3; i < b.length / 8; i += 2) {
      double v = value(kind, f, outside, at(b, i), at(b, i + 1));
      if (!(best >= v)) { best = v; }
    }
  }
  return Double.isNaN(best) ? outside : best;
}
double score = 0;
if (params.found != 0) { score = params.found * _score; }
if (params.vector != null) {
  score += params.vector_weight * innerProduct(params.vector, doc['rows.vector']);
}
if (params.terms.size() > 0) {
  double k1 = params.k1; double base = params.base; double slope = params.slope;
  double norm = k1 * (base + slope * doc['rows.length'].value);
  double sum = 0;
  for (int i = 0; i < params.terms.size(); ++i) {
    double f = termFreq('rows.words', params.terms.get(i));
    if (f > 0) {
      double w = params.weights.get(i);
      double part = k1 == 0 ? w : w - w / (1 + f * (1 / norm));
      sum += (part + 1572864.0) - 1572864.0;
    }
  }
  // Rows have it as floats, but what they are divided by not.
  score += params.lexical_weight * (params.less == 0 ? (double) (float) sum : sum);
}
int kind = params.kind;
if (kind > 0) {
  int clock = params.clock;
  double outside = params.outside;
  double c = temporal(kind, clock, params.numbers, outside, doc['rows.times'].value);
  if (params.is_sum) { score += params.form_weight * c; }
  else { score = score >= 0 ? score * c : score * (2 - c); }
}
return Math.max((score - params.less) * params.factor + params.shift, 0);
`;
