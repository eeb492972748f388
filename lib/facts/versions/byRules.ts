// Arbitration by rules: tagged times of all texts, then votes; for systems, and for passages of the
// caller.
import { invalidArgument, throwIfAborted } from '../../errors.js';
import type { Passage, Question } from '../../records.js';
import { parseInstant } from '../../time/instant.js';
import type { Mention } from '../../time/mention.js';
import type { ParsedQuestion } from '../../time/constraint.js';
import { isCurrentQuery } from '../../time/question/jointConstraint.js';
import { parseQuestion } from '../../time/question/question.js';
import { tagText, tagTimes } from '../../time/tagger.js';
import { arbitrate, type ArbitratedVersion } from './arbitrate.js';
import { VersionCaches } from './caches.js';
import type { Version } from './statement.js';

export interface RulesOptions {
  /** What was published later takes no part. UTC epoch milliseconds. */
  until: number;
  rarity?: (name: string) => number;
  /** Default: of this call. */
  caches?: VersionCaches;
  signal?: AbortSignal;
}

/** Votes on what versions say to a question, in their order. */
export async function arbitrateByRules(
  question: ParsedQuestion,
  versions: readonly Version[],
  { until, rarity, caches = new VersionCaches(), signal }: RulesOptions,
): Promise<ArbitratedVersion[]> {
  // Where no two were published at different times, nothing is newer than anything.
  const times = new Set(
    versions.flatMap(({ publishedAt }) =>
      publishedAt !== undefined && publishedAt <= until ? [publishedAt] : [],
    ),
  );
  throwIfAborted(signal);
  if (times.size < 2) return versions.map(({ id }) => ({ id, vote: 0 }));
  const mentions = await mentionsOf(versions, caches, signal);
  return arbitrate(
    versions.map((each, at) => ({ ...each, mentions: mentions[at]! })),
    {
      text: question.text,
      mentions: tagText(question.text, { reference: question.askedAt }).mentions,
      ofNow: isCurrentQuery(question),
      until,
      caches,
      ...(rarity ? { rarity } : {}),
      ...(signal ? { signal } : {}),
    },
  );
}

const keyOf = ({ text, publishedAt }: Version): string => `${publishedAt}\n${text}`;

/** The time mentions of versions; those that are not cached are tagged in one call. */
async function mentionsOf(
  versions: readonly Version[],
  { mentions: cache }: VersionCaches,
  signal: AbortSignal | undefined,
): Promise<(readonly Mention[])[]> {
  const known = versions.map((each) => cache.get(keyOf(each)));
  const unread = versions.filter((_, at) => !known[at]);
  if (unread.length > 0) {
    const read = await tagTimes(
      unread.map(({ text }) => text),
      { references: unread.map(({ publishedAt }) => publishedAt), ...(signal ? { signal } : {}) },
    );
    unread.forEach((each, at) =>
      cache.set(
        keyOf(each),
        read[at]!.mentions,
        200 + 2 * each.text.length + 300 * read[at]!.mentions.length,
      ),
    );
    let at = 0;
    for (const [place, mentions] of known.entries())
      if (!mentions) known[place] = read[at++]!.mentions;
  }
  throwIfAborted(signal);
  return known as (readonly Mention[])[];
}

export interface VoteOptions {
  /**
   * How rare a name is in the texts at large, the larger the rarer; by default, among the passages.
   */
  rarity?: (name: string) => number;
  signal?: AbortSignal;
}

/**
 * Which of given passages are in force for a question (Re3 section 3.4, equation 14), for passages
 * that come from elsewhere: one vote each, in their order; those below zero are outdated. Each
 * passage is taken as one statement, so give sentences or short texts, at most some hundred. What
 * is published after `question.askedAt`, or does not say when, takes no part.
 * @throws AsOfError ERR_INVALID_ARGUMENT for passages of the wrong kind; ERR_ABORTED.
 * @example const passages = [{ id: 'a', text: 'The chair of Acme is Ann Lee.', publishedAt:
 * '2020-01-01' }]; const votes = await voteOnVersions({ text: 'Who chairs Acme?' }, passages);
 */
export async function voteOnVersions(
  question: Question,
  passages: readonly Passage[],
  options: VoteOptions = {},
): Promise<ArbitratedVersion[]> {
  const parsed = parseQuestion(question);
  if (!Array.isArray(passages))
    throw invalidArgument('passages', 'an array of passages { id, text, publishedAt? }', passages);
  const versions = (passages as readonly Passage[]).map((each, at): Version => {
    if (typeof each?.id !== 'string' || typeof each.text !== 'string')
      throw invalidArgument(`passages[${at}]`, 'a passage { id, text, publishedAt? }', each);
    const { id, text, title, publishedAt } = each;
    return {
      id,
      text,
      ...(title === undefined ? {} : { title }),
      ...(publishedAt === undefined
        ? {}
        : { publishedAt: parseInstant(publishedAt, 'start', `passages[${at}].publishedAt`) }),
    };
  });
  return arbitrateByRules(parsed, versions, { ...options, until: parsed.askedAt });
}
