// Evidence: the passages that a system returns, read from the store after ranking, with scores,
// winning sentence and date.
import type { Candidate, Candidates, DroppedPassage } from '../retrieval/candidate.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { stage, type Stage } from '../pipeline.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { contentTimesOf, sentenceOf } from '../store/rowTimes.js';
import type { Interval } from '../time/interval.js';
import type { ReadValidity } from '../time/validity.js';

export type { DroppedPassage };

/** A passage that a system returns, with the scores that put it there. */
export interface Evidence {
  id: string;
  /** From 1. */
  rank: number;
  score: number;
  /** Named columns: similarity, lexical, temporal and whatever the system's stages added. */
  scores: Record<string, number>;
  /**
   * What each feature adds to the logarithm of the score, the largest first, where a system ranks
   * by features.
   */
  shares?: Record<string, number>;
  title?: string;
  text: string;
  /** The sentence that won; absent where the whole passage was scored. */
  sentence?: string;
  /** Where `sentence` is no sentence of the passage but a summary of it that a stage made. */
  condensed?: true;
  /** The times that the winning row speaks of; the one that gave the temporal score comes first. */
  dates?: Interval[];
  publishedAt?: number;
  validFrom?: number;
  validTo?: number;
  /** Time zone of its days, an IANA name: that of the corpus; absent for UTC. */
  timeZone?: string;
  /**
   * How its validity was read, in systems that derive one from metadata; `validFrom` and `validTo`
   * are what was given.
   */
  validity?: ReadValidity;
  metadata?: Record<string, unknown>;
}

export interface RankedEvidence {
  query: QueryContext;
  evidence: Evidence[];
  dropped?: DroppedPassage[];
  /** Whether scores of evidence are probabilities that the passage answers. */
  calibrated?: true;
  /** Why no passage answers, in a sentence. */
  unanswered?: string;
}

/** Keeps the k best that the caller asked for and reads their text. */
export function limit(): Stage<Candidates, RankedEvidence> {
  return stage('limit', async ({ query, hits, dropped, calibrated, unanswered }, { signal }) => {
    const evidence: Evidence[] = [];
    for (const each of hits.slice(0, query.k)) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      evidence.push(toEvidence(query, each, evidence.length + 1));
    }
    return {
      query,
      evidence,
      ...(dropped ? { dropped } : {}),
      ...(calibrated ? { calibrated } : {}),
      ...(unanswered === undefined ? {} : { unanswered }),
    };
  });
}

function toEvidence({ snapshot }: QueryContext, hit: Candidate, rank: number): Evidence {
  const { id, title, text, ...clocks } = snapshot.passage(hit.segment, hit.passage);
  const stored = snapshot.segments[hit.segment]!;
  const { start, end } = sentenceOf(stored, hit.row);
  const sentence = hit.sentence ?? text.slice(start, end);
  const { summary } = hit;
  const dates = summary ? [...summary.dates] : contentTimesOf(stored, hit.row);
  const winner = hit.interval === undefined ? undefined : dates[hit.interval];
  const ordered = winner ? [winner, ...dates.filter((each) => each !== winner)] : dates;
  return {
    id,
    rank,
    score: hit.score,
    scores: hit.scores,
    ...(hit.shares ? { shares: hit.shares() } : {}),
    ...(title === undefined ? {} : { title }),
    text,
    ...(summary
      ? { sentence: summary.text, condensed: true as const }
      : sentence === text
        ? {}
        : { sentence }),
    ...(ordered.length > 0 ? { dates: ordered } : {}),
    ...(hit.validity === undefined ? {} : { validity: hit.validity }),
    ...(snapshot.timeZone === undefined ? {} : { timeZone: snapshot.timeZone }),
    ...clocks,
  };
}
