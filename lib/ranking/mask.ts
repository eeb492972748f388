// The masks of a question: what it may not see. Publication is masked by when the question was
// asked (TempRALM equation 5, Re3 section 3.4); a row that does not say when it was published is
// kept.
import type { QueryContext } from '../retrieval/queryContext.js';
import type { Mask } from '../time/temporalForms.js';
import { publicationCutoff } from '../time/question/jointConstraint.js';

/** Hides what was published after the question was asked. */
export function publicationMask({ parsed }: Pick<QueryContext, 'parsed'>): Mask {
  return { publishedUntil: parsed.askedAt };
}

/**
 * Hides also what was published after the time that the question gives for it: "the forecast for
 * May 8 issued on May 6".
 */
export function constrainedPublicationMask({ parsed }: Pick<QueryContext, 'parsed'>): Mask {
  return { publishedUntil: Math.min(parsed.askedAt, publicationCutoff(parsed) ?? Infinity) };
}
