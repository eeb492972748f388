// Evidence: the passages a system stands by, each with every score it was given and the sentence
// and date that won it its place. Reading passages from the store happens here, after ranking, for
// the few that are shown.
import type { Candidate, Candidates, Asked, Dropped } from '../retrieval/candidate.js';
import { stage, type Stage } from '../pipeline.js';
import { contentTimesOf, sentenceOf } from '../store/rowTimes.js';
import type { Interval } from '../time/interval.js';
import type { ReadValidity } from '../time/validity.js';

export type { Dropped };

/** A passage that a system returns, with the scores that put it there. */
export interface Evidence {
  id: string;
  /** From 1. */
  rank: number;
  score: number;
  /** Named columns: similarity, lexical, temporal and whatever the system's stages added. */
  scores: Record<string, number>;
  /**
   * Each feature's share of the score, the largest first, where a system ranks by features; they
   * sum to the score.
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
  /**
   * How its validity was read, in systems that derive one from metadata; `validFrom` and `validTo`
   * are what was given.
   */
  validity?: ReadValidity;
  metadata?: Record<string, unknown>;
}

export interface Shown {
  asked: Asked;
  evidence: Evidence[];
  dropped?: Dropped[];
}

/** Keeps the k best that the caller asked for and reads their text. */
export function takeTop(): Stage<Candidates, Shown> {
  return stage('takeTop', ({ asked, found, dropped }) => {
    const evidence = found.slice(0, asked.k).map((each, index) => show(asked, each, index + 1));
    return { asked, evidence, ...(dropped ? { dropped } : {}) };
  });
}

function show({ snapshot }: Asked, found: Candidate, rank: number): Evidence {
  const { id, title, text, ...clocks } = snapshot.passage(found.segment, found.passage);
  const stored = snapshot.segments[found.segment]!;
  const span = sentenceOf(stored, found.row);
  const { summary } = found;
  const dates = summary ? [...summary.dates] : contentTimesOf(stored, found.row);
  const winner = found.interval === undefined ? undefined : dates[found.interval];
  const ordered = winner ? [winner, ...dates.filter((each) => each !== winner)] : dates;
  return {
    id,
    rank,
    score: found.score,
    scores: found.scores,
    ...(found.shares ? { shares: found.shares() } : {}),
    ...(title === undefined ? {} : { title }),
    text,
    ...(summary
      ? { sentence: summary.text, condensed: true as const }
      : span.start === 0 && span.end === text.length
        ? {}
        : { sentence: text.slice(span.start, span.end) }),
    ...(ordered.length > 0 ? { dates: ordered } : {}),
    ...(found.validity === undefined ? {} : { validity: found.validity }),
    ...clocks,
  };
}
