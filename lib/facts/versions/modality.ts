// Modality of statements: forecast, measurement, plan, supposition, question or ended state.
// Statements of different modality are no versions of one fact.
import type { Statement } from './statement.js';

export interface Modality {
  asks: boolean;
  supposes: boolean;
  plans: boolean;
  /** Tells of what is to come, and of what was measured; never both. */
  foresees: boolean;
  observed: boolean;
  /** Tells of a holder or a state that was: "until 2022", "was the chair". */
  ended: boolean;
}

const asking = /\?/;
const supposing = /(?:^|[,;:.–—-]\s*)(?:if|unless|in case|provided)\b/i;
const planning = new RegExp(
  '\\b(?:plan(?:s|ned|ning)?|intend(?:s|ed)?|hopes?|hoping|propos(?:es?|ed|ing)|aim(?:s|ing)?|' +
    'want(?:s|ed)?|consider(?:s|ing)?)\\s+' +
    '(?:to|\\p{L}+ing)\\b',
  'iu',
);
const foreseeing = new RegExp(
  '\\b(?:forecast\\w*|predict\\w*|expect\\w*|outlook|project(?:s|ed|ion)|likely|' +
    '(?:will|should|shall|may|might|could)\\s(?!be (?:seen|remembered)))\\b',
  'i',
);
const observing = /\b(?:measured|observed|registered|logged|recorded|peaked|reached)\b/i;
const were = new RegExp(
  '\\b(?:was|were)\\s+(?!(?:\\p{L}+ly\\s+)?(?:named|appointed|elected|re-?elected|sworn|chosen|' +
    'made|installed|crowned|hired|picked|' +
    'confirmed|bought|acquired|sold|taken)\\b)',
  'iu',
);
const are = /\b(?:is|are|remains?|now)\b/i;
const until = /\b(?:until|till)\s*$/i;

const modalities = new WeakMap<Statement, Modality>();

export function modalityOf(statement: Statement): Modality {
  let mood = modalities.get(statement);
  if (!mood) modalities.set(statement, (mood = readMood(statement)));
  return mood;
}

function readMood({ text, tokens, publishedAt }: Statement): Modality {
  const foresees = foreseeing.test(text);
  const stopped = tokens.some(
    ({ kind, time, start }) =>
      kind === 'time' &&
      publishedAt !== undefined &&
      time!.end <= publishedAt &&
      until.test(text.slice(Math.max(0, start - 12), start)),
  );
  return {
    asks: asking.test(text),
    supposes: supposing.test(text),
    plans: planning.test(text),
    foresees,
    observed: !foresees && observing.test(text),
    ended:
      stopped ||
      /\b(?:formerly|former|previously|used to be|ex-)/i.test(text) ||
      (were.test(text) && !are.test(text)),
  };
}

/**
 * Whether two statements tell in ways that cannot be versions of each other. Dates of plans can:
 * "plans to open on 3 May".
 */
export function modalitiesDiffer(older: Statement, newer: Statement): boolean {
  const [a, b] = [modalityOf(older), modalityOf(newer)];
  if (a.asks || b.asks || a.supposes !== b.supposes) return true;
  if (a.plans !== b.plans && !(older.scheduling && newer.scheduling)) return true;
  return (a.foresees && b.observed) || (a.observed && b.foresees);
}

/** Whether one tells of a holder or a state that was, and the other of the one that is. */
export const endingsDiffer = (older: Statement, newer: Statement): boolean =>
  modalityOf(older).ended !== modalityOf(newer).ended;
