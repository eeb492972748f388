// MRAG's hybrid ranking as its published code computes it: sentences and summaries by keywords, the
// first 200 by similarity times coefficient; passages in the order of their first sentence.
import type { Candidates } from '../../../retrieval/candidate.js';
import { stage, type Stage } from '../../../pipeline.js';
import type { Reranker } from '../../../vectors/reranker.js';
import { keywordScorer, type KeywordQuery } from '../keywords/keyword.js';
import { constrainedPublicationMask } from '../../../retrieval/mask.js';
import { collectUnits, passagesOf, rerankUnits, unitTexts } from '../units.js';
import { questionEnd } from '../../../time/question/question.js';
import { officialQuestion, officialYears, type OfficialConstraint } from './question.js';

/**
 * `most` sentences are scored in time; the others follow. Similarity is the reranker's score, if
 * there is one (appendix F), as it stands: the published code does not scale it.
 */
export function rankOfficial(most: number, reranker?: Reranker): Stage<Candidates, Candidates> {
  return stage(
    `rank(${reranker ? 'reranker' : 'semantic'} x coefficient, ${most})`,
    async ({ query, hits }, { signal, note }) => {
      const { constraint } = officialQuestion(questionEnd(query.parsed.text));
      note(
        'constraint',
        constraint
          ? [constraint.order ?? 'last', constraint.type, ...constraint.years].join(' ')
          : 'none',
      );
      const units = await collectUnits(query, hits, { mask: constrainedPublicationMask }, signal);
      const { keywords = [] }: KeywordQuery = query;
      const { score: keywordsOf } = keywordScorer(keywords);
      unitTexts(query, units).forEach((text, at) => {
        const { scores } = units[at]!;
        scores['keywords'] = keywordsOf(text);
        if (constraint) scores['temporal'] = officialCoefficient(constraint, officialYears(text));
      });
      units.sort((a, b) => b.scores['keywords']! - a.scores['keywords']!);
      const timed = units.slice(0, most);
      if (reranker)
        (await rerankUnits(query, timed, reranker, signal)).forEach(
          (score, at) => (timed[at]!.score = score),
        );
      for (const each of units) each.score *= each.scores['temporal'] ?? 1;
      timed.sort((a, b) => b.score - a.score);
      return { query, hits: passagesOf([...timed, ...units.slice(most)]) };
    },
    'MRAG 4, hybrid ranking, as published',
  );
}

const low = 0.6;
const spanYears = 50;
const outside = 0.5;

/** @param years of the text, as `officialYears` gives them */
export function officialCoefficient(
  { type, order, years: constraintYears }: OfficialConstraint,
  years: readonly number[] | undefined,
): number {
  const [a, b] = [constraintYears[0]!, constraintYears.at(-1)!];
  const [start, end] =
    type === 'before' ? [a - spanYears, a] : type === 'after' ? [a, a + spanYears] : [a, b];
  const allowed = (years ?? []).filter((year) =>
    type === 'before' ? year <= a : type === 'after' ? year >= a : year >= a && year <= b,
  );
  if (allowed.length === 0) return outside;
  const year = order === 'first' ? Math.min(...allowed) : Math.max(...allowed);
  if (year < start || year > end) return outside;
  const share = (year - start) / (end - start);
  return order === 'first' ? 1 - (1 - low) * share : low + (1 - low) * share;
}
