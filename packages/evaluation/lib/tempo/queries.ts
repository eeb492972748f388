// TEMPO's query variants (section 6, appendix D.2), by annotation or by rules, and query texts with
// steps (section 5.1, appendix F.1).
import { invalidArgument } from 'asof/kit';
import type { QueryAnnotation } from './annotation.js';
import type { TempoQuery, TempoStep } from './data.js';
import { queryVariant, queryVariants, removeSpans, type QueryVariant } from './variants.js';

/** Source of a query's temporal expressions for its variants. */
export const variantReadings = ['annotation', 'rules'] as const;
export type VariantReading = (typeof variantReadings)[number];

/**
 * A query's text in a variant. By its annotation, as in the paper: `strip` without the annotated
 * signals, `temporal-only` the annotated events and anchors alone, `normalized` with
 * `TEMPORAL_INTENT=when; ANCHORS=[2015, 2023]` appended; a query without an annotation is read by
 * rules. By rules: `queryVariant`. May be ''. Errors: ERR_INVALID_ARGUMENT for an unknown variant
 * or reading.
 */
export function tempoVariant(
  query: Pick<TempoQuery, 'text' | 'annotation'>,
  variant: QueryVariant,
  by: VariantReading = 'annotation',
): string {
  const { text, annotation } = query;
  if (!queryVariants.includes(variant))
    throw invalidArgument('variant', queryVariants.join(', '), variant);
  if (!variantReadings.includes(by)) throw invalidArgument('by', variantReadings.join(' or '), by);
  if (variant === 'baseline') return text;
  return by === 'rules' || !annotation
    ? queryVariant({ text }, variant)
    : byAnnotation(text, annotation, variant);
}

function byAnnotation(
  text: string,
  { signals, events, anchors, intent }: QueryAnnotation,
  variant: Exclude<QueryVariant, 'baseline'>,
): string {
  if (variant === 'strip') return removeSpans(text, stretchesOf(text, signals));
  if (variant === 'normalized')
    return `${text.trimEnd()} TEMPORAL_INTENT=${intent}; ANCHORS=[${anchors.join(', ')}]`;
  const named = new Map(
    [...events, ...anchors].map((each) => [each.trim().toLowerCase(), each.trim()]),
  );
  return [...named.values()].filter((each) => each !== '').join(' ');
}

/**
 * Occurrences of phrases as whole words, without case; longer phrases win overlaps.
 */
function stretchesOf(text: string, phrases: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const phrase of [...new Set(phrases.map((each) => each.trim()))]
    .filter((each) => each !== '')
    .sort((a, b) => b.length - a.length)) {
    const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, String.raw`\s+`);
    for (const { index, 0: words } of text.matchAll(
      new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu'),
    )) {
      const end = index + words.length;
      if (!found.some((other) => index < other.end && other.start < end))
        found.push({ start: index, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/**
 * Retrieval by steps: each step alone, the query with each step, or the query with all of them, one
 * ranking scored against every step.
 */
export const stepStrategies = ['step-only', 'query+step', 'query+all'] as const;
export type StepStrategy = (typeof stepStrategies)[number];

/**
 * The retrieval texts of steps, one per step; with query+all they are equal. As in the published
 * code, a step is appended to the query by a blank line, "Step: " and its text.
 * @example stepTexts('Why?', [{ id: '1', text: 'Find it', relevant: ['d'] }], 'query+step') //
 * ['Why?\n\nStep: Find it']
 */
export function stepTexts(
  query: string,
  steps: readonly TempoStep[],
  strategy: StepStrategy,
): string[] {
  const joined = (...some: readonly TempoStep[]): string =>
    [query, ...some.map(({ text }) => `Step: ${text}`)].join('\n\n');
  switch (strategy) {
    case 'step-only':
      return steps.map(({ text }) => text);
    case 'query+step':
      return steps.map((step) => joined(step));
    case 'query+all': {
      const all = joined(...steps);
      return steps.map(() => all);
    }
    default:
      throw invalidArgument('strategy', stepStrategies.join(', '), strategy);
  }
}
