// Question generation by rules: a template for the kind of statement, and a time that the fact's
// interval answers.
import type { Random } from 'asof/kit';
import { anyFrame, frames } from './frames.js';
import type { Fact } from './facts.js';
import { questionTime, type QuestionTime } from './questionTime.js';

export interface GeneratedQuestion extends QuestionTime {
  text: string;
  fact: Fact;
  /** Id of the generating model; absent for rules. */
  by?: string;
}

/** Probability of a generic wording for a statement of a known kind. */
const plainShare = 0.25;
/** Probability of the time in front. */
const frontShare = 0.12;
const mostKeywords = 3;

export function writeQuestion(fact: Fact, random: Random): GeneratedQuestion {
  return worded(fact, wordingOf(fact, random), random);
}

/** A question of a given wording, which may hold {e}, {k} and {t}. */
function worded(fact: Fact, wording: string, random: Random): GeneratedQuestion {
  const time = questionTime(fact.interval, random);
  const from = random.below(Math.max(1, fact.keywords.length - 1));
  const keywords =
    fact.keywords.slice(from, from + 1 + random.below(mostKeywords)).join(' ') || 'role';
  const filled = wording.replaceAll('{e}', fact.entity).replaceAll('{k}', keywords);
  const front = random.next() < frontShare && / \{t\}[?.]$/.test(filled);
  const text = front
    ? `${capital(time.words)}, ${lowered(filled.replace(' {t}', ''))}`
    : filled.replaceAll('{t}', time.words);
  return { ...time, text, fact };
}

function wordingOf({ sentence, keywords }: Fact, random: Random): string {
  const fitting = frames.filter(({ cues }) => cues.test(sentence));
  if (fitting.length > 0 && random.next() >= plainShare)
    return random.pick(random.pick(fitting).wordings);
  return random.pick(
    keywords.length > 0 ? anyFrame : anyFrame.filter((wording) => !wording.includes('{k}')),
  );
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;
const lowered = (text: string): string =>
  /^(?:Wh|In|At|To|For|How|Tell|Under)/.test(text)
    ? `${text[0]!.toLowerCase()}${text.slice(1)}`
    : text;
