// Reranking model of the AI SDK that ranks the documents of the caller by question and time.
import { documentRanker, invalidArgument, mustBeWhole, parseAskedAt, toJson } from 'asof/kit';
import type { AiSdkProviderOptions } from 'asof/models';
import type { Passage, TimeInput } from 'asof';
import { formatInstant } from 'asof/time';
import { optionsOfCall, type AiSdkCallOptions } from './call.js';

/** System, encoder and time zone of a ranking. */
export type DocumentRanking = Parameters<typeof documentRanker>[1];

export interface AsOfRerankingOptions extends DocumentRanking {
  /**
   * Time of the queries: the meaning of "now"; documents published later are not ranked. A date
   * alone is its end. A call overrides it by `providerOptions: { asof: { askedAt } }`. Default:
   * now.
   */
  askedAt?: TimeInput | undefined;
}

/** What the SDK's `rerank` passes on. */
export interface AsOfRerankingCall extends AiSdkCallOptions {
  documents:
    | { type: 'text'; values: string[] }
    | { type: 'object'; values: Record<string, unknown>[] };
  query: string;
  topN?: number | undefined;
}

/** A reranking model of the SDK's specification v3, which ai@6 and ai@7 take. */
export interface AsOfRerankingModel {
  readonly specificationVersion: 'v3';
  readonly provider: string;
  readonly modelId: string;
  doRerank(call: AsOfRerankingCall): Promise<{
    /** Best first. */
    ranking: { index: number; relevanceScore: number }[];
    /** How the query was read: `asof.asked_at`, `asof.constraint`. */
    providerMetadata: AiSdkProviderOptions;
  }>;
}

/**
 * A reranking model for `rerank()` of ai@6 and ai@7, offline: `hybrid`, or another system, over the
 * given documents alone. A document is a string, or an object { text, title?, publishedAt?,
 * validFrom?, validTo? }, whose times are as in `Passage` and may be written published_at; its
 * other fields are ignored. Scores of `hybrid` are probabilities. Blank documents and those
 * published after askedAt are not in the ranking.
 * @throws AsOfError ERR_INVALID_ARGUMENT. Its doRerank() rejects with ERR_INVALID_ARGUMENT for
 * documents of another form, ERR_ABORTED, ERR_STORAGE, and as the system does.
 * @example const { ranking } = await rerank({ model: asofReranking(), documents, query: 'Who led
 * the company in 2004?', topN: 3 });
 */
export function asofReranking(options: AsOfRerankingOptions = {}): AsOfRerankingModel {
  const { askedAt, ...ranking } = options ?? {};
  const rank = documentRanker('asofReranking', ranking);
  if (askedAt !== undefined) parseAskedAt(askedAt, 'askedAt', ranking.timeZone);
  return {
    specificationVersion: 'v3',
    provider: 'asof',
    modelId: 'reranking',
    async doRerank(call) {
      const { query, topN, abortSignal } = call;
      const given = optionsOfCall(call, ['askedAt']) as { askedAt?: TimeInput };
      if (topN !== undefined) mustBeWhole({ topN }, 1);
      const passages = passagesOf(call.documents);
      if (passages.length === 0) return { ranking: [], providerMetadata: { asof: {} } };
      const { question, evidence } = await rank(
        { text: query, askedAt: given.askedAt ?? askedAt },
        passages,
        { k: Math.min(topN ?? Infinity, passages.length), signal: abortSignal },
      );
      const metadata = {
        asked_at: formatInstant(question.askedAt),
        constraint: toJson.constraint(question),
      };
      return {
        ranking: evidence.map(({ id, score }) => ({ index: Number(id), relevanceScore: score })),
        providerMetadata: { asof: metadata },
      };
    },
  };
}

/** The documents that are not blank, by their index. */
function passagesOf(documents: AsOfRerankingCall['documents']): Passage[] {
  if (!Array.isArray(documents?.values))
    throw invalidArgument('documents', 'an object { type, values }', documents);
  return documents.values.flatMap((document: unknown, index) => {
    const passage = passageOf(document, index);
    return passage.text.trim() === '' && !passage.title?.trim() ? [] : [passage];
  });
}

/** Times and title may be null, as in JSON; they are checked with the passage. */
function passageOf(document: unknown, index: number): Passage {
  const id = String(index);
  if (typeof document === 'string') return { id, text: document };
  const { text, title, ...rest } = (document ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string')
    throw invalidArgument(
      `documents[${index}]`,
      'a string or an object { text, title?, publishedAt?, validFrom?, validTo? }',
      document,
      'Put what is to be ranked into text.',
    );
  const times = rest as Record<string, TimeInput | undefined>;
  return {
    id,
    text,
    title: title as string | undefined,
    publishedAt: times['publishedAt'] ?? times['published_at'],
    validFrom: times['validFrom'] ?? times['valid_from'],
    validTo: times['validTo'] ?? times['valid_to'],
  };
}
