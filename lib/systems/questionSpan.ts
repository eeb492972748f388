// The span of a question: what OpenTelemetry shows of it (docs/guide/telemetry.md).
import type { Evidence } from '../reading/evidence.js';
import type { Operation } from '../runtime/telemetry.js';
import type { SearchableCorpus } from '../store/searchableCorpus.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { formatInstant } from '../time/instant.js';

interface RankedResult {
  question: ParsedQuestion;
  evidence: readonly Evidence[];
}

/** The retrieval of at most k passages for a question; by a system, with its ranked result. */
export function questionSpan<Result>(
  { questions }: SearchableCorpus,
  { system, text, k }: { system: string; text: string; k: number },
  ranked?: (result: Result) => RankedResult,
): Operation<Result> {
  const documentsOf = (result: Result) =>
    ranked && JSON.stringify(ranked(result).evidence.map(({ id, score }) => ({ id, score })));
  return {
    name: `retrieval ${questions.name}`,
    attributes: {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.provider.name': 'asof',
      'gen_ai.data_source.id': questions.name,
      'gen_ai.retrieval.top_k': k,
      'asof.system': system,
    },
    outcome: (result) => {
      if (!ranked) return {};
      const { question, evidence } = ranked(result);
      return {
        'asof.asked_at': formatInstant(question.askedAt),
        'asof.passages.returned': evidence.length,
      };
    },
    content: (result) => ({
      'gen_ai.retrieval.query.text': text,
      'gen_ai.retrieval.documents': result && documentsOf(result),
    }),
  };
}
