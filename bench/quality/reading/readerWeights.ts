// The source of lib/reading/weights.ts from fitted weights, rounded, the small ones left out.

const head = `// Weights of the extractive reader's features, by a listwise logistic model over the candidates of
// each question: fitted on the families of questions, TimeQA, HoH, nobel and tennis, and rounded.
// Written by bench/quality/reading/fitReader.ts, which also measures them; those of contests,
// units, clauses, agents, what happened and what held stay near values set by hand.

/**
 * What a feature counts for in every question, and what is added to that where the question leaves
 * the type of its answer open, asks for a date, a quantity, or a name.
 */
export const weights: Readonly<Record<string, readonly [number, number, number, number, number]>> =
`;
const groups = ['', '@open', '@date', '@value', '@named'] as const;

export function weightsSource(names: readonly string[], fitted: Float64Array): string {
  const known = new Map(names.map((name, at) => [name, Math.round(fitted[at]! * 10) / 10 + 0]));
  const rows = [...new Set(names.map((name) => name.split('@')[0]!))]
    .sort()
    .map((name) => ({ name, row: groups.map((group) => known.get(`${name}${group}`) ?? 0) }))
    .filter(({ row }) => row.some((weight) => weight !== 0))
    .map(({ name, row }) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: [${row.join(', ')}],\n`);
  return `${head.trimEnd()} {\n${rows.join('')}};\n`;
}
