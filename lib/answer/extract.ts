// The extractive reader: answers from the best evidence without a model. It names a span of the winning sentence that is of
// the kind the question asks for, or the sentence itself where no rule knows the kind; it never makes up words.
import { writeOut } from '../text/abbreviations.js';
import { englishAnalyser } from '../text/analyser.js';
import type { Answer, Reading } from './answer.js';
import { answerKind, spansOf } from './spans.js';

// One for the process: it caches stems.
const analyser = englishAnalyser();

export function extract({ question, passages }: Reading): Answer | undefined {
  const first = passages[0];
  if (!first) return undefined;
  const { id, title, text, sentence } = first;
  const best = sentence ?? text;
  const kind = answerKind(question.text);
  const known = new Set([question.text, writeOut(question.text)].flatMap((text) => analyser.analyse(text)));
  const isNew = (span: string): boolean => analyser.analyse(span).some((term) => !known.has(term));
  const spans = kind ? spansOf(kind, best).filter(isNew) : [];
  // A record's sentence often leaves out whom it is about: its title says so.
  const subject = kind === 'name' && title !== undefined && /\b(?:who|whom|whose|which \w+)\b/i.test(question.text) && isNew(title) && spans.length === 0 ? title : undefined;
  return { text: spans[0] ?? subject ?? best, sentence: best, evidence: [id] };
}
