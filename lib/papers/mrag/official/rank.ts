// MRAG's hybrid ranking as its published code computes it: sentences and summaries by keywords, the
// first 200 by similarity times coefficient; passages in the order of their first sentence.
import {
  RowCandidate,
  passageKey,
  type Candidate,
  type Candidates,
} from '../../../retrieval/candidate.js';
import { search, semanticOnly } from '../../../retrieval/search.js';
import { passageTexts } from '../../../retrieval/passageTexts.js';
import { scoreTexts } from '../../../retrieval/textScores.js';
import { stage, type Stage } from '../../../pipeline.js';
import { rerankTexts, type Reranker } from '../../../vectors/reranker.js';
import { keywordScorer } from '../../../text/keywords/keyword.js';
import { constrainedPublicationMask } from '../../../ranking/mask.js';
import { officialCoefficient } from './coefficient.js';
import { officialQuestion } from '../../../time/question/official/question.js';
import { officialYears } from '../../../time/question/official/years.js';

interface Unit {
  passage: Candidate;
  row: Candidate;
  summarised: boolean;
  text: string;
  similarity: number;
  keywords: number;
  temporal?: number;
  reranker?: number;
  score: number;
}

/**
 * `most` sentences are scored in time; of the others the score is cut to that of the one before, so
 * that scores descend. Similarity is the reranker's score, if there is one (appendix F), as it
 * stands: the published code does not scale it.
 */
export function rankOfficial(most: number, reranker?: Reranker): Stage<Candidates, Candidates> {
  return stage(
    `rank(${reranker ? 'reranker' : 'semantic'} x coefficient, ${most})`,
    async ({ query, hits }, { signal, note }) => {
      const { constraint } = officialQuestion(query.parsed.text);
      note(
        'constraint',
        constraint
          ? [constraint.order ?? 'last', constraint.type, ...constraint.years].join(' ')
          : 'none',
      );
      const rows = await search(
        query,
        { scope: 'sentences', relevance: semanticOnly, mask: constrainedPublicationMask },
        signal,
        hits,
      );
      const texts = passageTexts(query);
      const rowsOf = new Map<string, Candidate[]>();
      for (const row of rows)
        rowsOf.set(passageKey(row), [...(rowsOf.get(passageKey(row)) ?? []), row]);
      const condensed = hits.filter((each) => each.summary && rowsOf.has(passageKey(each)));
      const similarities = await scoreTexts(
        query,
        condensed.map(({ summary }) => summary!.text),
        semanticOnly,
        signal,
      );
      const { score: keywordsOf } = keywordScorer(query.keywords ?? []);
      const unit = (
        passage: Candidate,
        row: Candidate,
        text: string,
        similarity: number,
        summarised: boolean,
      ): Unit => {
        const temporal = constraint && officialCoefficient(constraint, officialYears(text));
        return {
          passage,
          row,
          text,
          similarity,
          summarised,
          keywords: keywordsOf(text),
          ...(temporal === undefined ? {} : { temporal }),
          score: similarity * (temporal ?? 1),
        };
      };
      const units = hits.flatMap((passage) => {
        const own = (rowsOf.get(passageKey(passage)) ?? []).sort((a, b) => a.row - b.row);
        const sentences = own.map((row) =>
          unit(passage, row, texts.row(row), row.scores['similarity'] ?? 0, false),
        );
        const at = condensed.indexOf(passage);
        if (at < 0) return sentences;
        const { similarity } = similarities[at]!;
        return [...sentences, unit(passage, own[0]!, passage.summary!.text, similarity, true)];
      });
      units.sort((a, b) => b.keywords - a.keywords);
      const timed = units.slice(0, most);
      if (reranker) await rerank(timed, reranker, query.searchText, signal);
      timed.sort((a, b) => b.score - a.score);
      return { query, hits: firstOfEach([...timed, ...units.slice(most)]) };
    },
    'MRAG 4, hybrid ranking, as published',
  );
}

/** Scores units by the reranker in place of the encoder. */
async function rerank(
  units: readonly Unit[],
  reranker: Reranker,
  question: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const texts = units.map(({ text }) => text);
  const scores = await rerankTexts(reranker, question, texts, signal ? { signal } : {});
  for (const [at, each] of units.entries()) {
    each.reranker = scores[at]!;
    each.score = each.reranker * (each.temporal ?? 1);
  }
}

function firstOfEach(units: readonly Unit[]): Candidate[] {
  const seen = new Map<Candidate, Candidate>();
  let least = Infinity;
  for (const unit of units) {
    const { passage, row, similarity, keywords, temporal, reranker, score, summarised } = unit;
    if (seen.has(passage)) continue;
    least = Math.min(least, score);
    const scores = {
      retrieval: passage.score,
      similarity,
      keywords,
      ...(temporal === undefined ? {} : { temporal }),
      ...(reranker === undefined ? {} : { reranker }),
    };
    const { segment, passage: number } = passage;
    const first = new RowCandidate(
      () => passage.id,
      { segment, passage: number, row: row.row },
      least,
      scores,
    );
    if (summarised) first.summary = passage.summary!;
    seen.set(passage, first);
  }
  return [...seen.values()];
}
