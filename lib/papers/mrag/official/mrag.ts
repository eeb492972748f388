// MRAG as its published code computes it (siyue-zhang/MRAG, commit 19f3bcf), but for two things:
// publication is masked, and without a model rules take the place of prompts.
import { binding } from '../../../binding.js';
import { pipeline, stage, type Stage } from '../../../pipeline.js';
import { constrainedPublicationMask } from '../../../retrieval/mask.js';
import { rerankBySearch } from '../../../retrieval/rerankBySearch.js';
import { rerankPassages } from '../../../systems/rerankPassages.js';
import { limit } from '../../../reading/evidence.js';
import { read } from '../../../reading/reader.js';
import { semanticOnly, type Ranking } from '../../../retrieval/search.js';
import { system, type QueryRequest, type System } from '../../../systems/system.js';
import { firstStage } from '../firstStage.js';
import { rankByKeywords } from '../keywords/rankByKeywords.js';
import { findKeywords } from '../keywords/findKeywords.js';
import type { ResolvedMragOptions } from '../options.js';
import { summarise } from '../summary/summarise.js';
import {
  decomposeOfficial,
  officialQuestion,
  officialYears,
  type OfficialConstraint,
} from './question.js';
import type { Candidates } from '../../../retrieval/candidate.js';
import type { Reranker } from '../../../vectors/reranker.js';
import { keywordForms, type KeywordQuery } from '../keywords/keyword.js';
import { collectUnits, passagesOf, rerankUnits, unitTexts } from '../units.js';
import { questionEnd } from '../../../time/question/questionText.js';

/** Of the published code: passages after keyword ranking, and sentences that are scored in time. */
const passages = 100;
const sentences = 200;

/** Uses the options of `mrag` that its variant 'official' takes. */
export function mragOfficial(resolved: ResolvedMragOptions): System {
  const { corpus, model, read: reading, promptModel, reranker, depth, retriever } = resolved;
  const { summaries, shown } = resolved;
  const mask = constrainedPublicationMask;
  const dense: Ranking = { scope: 'passages', relevance: semanticOnly, mask };
  const composition = pipeline<QueryRequest>('mrag+official')
    .then(decomposeOfficial()) // 4, question processing
    .then(findKeywords(promptModel('keywords'))) // appendix F, keyword extraction
    .then(firstStage(depth, retriever, mask)) // 4, retrieval; 5.1
    .then(rankByKeywords(passages)) // appendix F, keyword ranking
    // 4, semantic ranking
    .then(reranker ? rerankPassages(passages, reranker) : rerankBySearch('rank(semantic)', dense))
    .thenIf(summaries, (n) => summarise(n, promptModel('summaries'))) // 4; appendix H
    .then(rankOfficial(sentences, reranker)) // 4, hybrid ranking; appendices F and G
    .then(limit())
    .then(read(reading, model)); // 2.2, answer generation
  return system(composition.done(), corpus, shown, reading);
}

/**
 * `most` sentences are scored in time; the others follow. Similarity is the reranker's score, if
 * there is one (appendix F), as it stands: the published code does not scale it.
 */
function rankOfficial(most: number, reranker?: Reranker): Stage<Candidates, Candidates> {
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
      const texts = unitTexts(query, units);
      const keywordScores = binding.keywordScores(texts, keywordForms(keywords));
      texts.forEach((text, at) => {
        const { scores } = units[at]!;
        scores['keywords'] = keywordScores[at]!;
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
