// The extractive reader: answers from the best evidence without a model. It names a span of the winning sentence that is of
// the kind the question asks for, or the sentence itself where no rule knows the kind; it never makes up words.
import type { Asked } from '../candidates/candidate.js';
import type { Dropped, Evidence, Shown } from '../evidence/evidence.js';
import { invalidArgument } from '../errors.js';
import { stage, type Stage } from '../stage.js';
import type { TextModel } from '../text/textModel.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { answerKind, spansOf } from './spans.js';

/** How an answer is made of the evidence: `extract` takes a span of it by rules, the others prompt a model. */
export const readerModes = ['extract', 'direct', 'chainOfThought', 'concatenated', 'selfMrag'] as const;
export type ReaderMode = (typeof readerModes)[number];

export interface ReadOptions {
  /** Default extract, which needs no model. */
  mode?: ReaderMode;
  /** Who is prompted. Default: the system's own model. */
  model?: TextModel;
  /** How many of the passages found are read, from the best. Default 5. */
  passages?: number;
}

export interface Answer {
  text: string;
  /** The sentence that says it. */
  sentence: string;
  /** Ids of the passages it rests on. */
  evidence: string[];
}

/** What the last stage of every system gives. */
export interface Read {
  parsed: ParsedQuestion;
  evidence: Evidence[];
  dropped?: Dropped[];
  answer?: Answer;
}

/**
 * Reads the answer off the first passage (typed spans by wh-word); none where nothing was found. `systemModel` is prompted
 * where the options name no model.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a mode that this version cannot run.
 */
export function read(options: ReadOptions = {}, systemModel?: TextModel): Stage<Shown, Read> {
  const { mode = 'extract', model = systemModel } = options;
  if (mode !== 'extract') throw invalidArgument('read.mode', 'extract', mode, model ? undefined : 'The other modes need a model.');
  return stage('read', ({ asked, evidence, dropped }, context) => {
    const answer = evidence[0] && extract(asked, evidence[0]);
    context.note('by', 'extraction');
    return { parsed: asked.parsed, evidence, ...(dropped ? { dropped } : {}), ...(answer ? { answer } : {}) };
  });
}

function extract({ parsed, terms, analyser }: Asked, { id, title, text, sentence }: Evidence): Answer {
  const best = sentence ?? text;
  const kind = answerKind(parsed.text);
  const known = new Set([...terms(), ...analyser.analyse(parsed.text)]);
  const isNew = (span: string): boolean => analyser.analyse(span).some((term) => !known.has(term));
  const spans = kind ? spansOf(kind, best).filter(isNew) : [];
  // A record's sentence often leaves out whom it is about: its title says so.
  const subject = kind === 'name' && title !== undefined && /\b(?:who|whom|whose|which \w+)\b/i.test(parsed.text) && isNew(title) && spans.length === 0 ? title : undefined;
  return { text: spans[0] ?? subject ?? best, sentence: best, evidence: [id] };
}
