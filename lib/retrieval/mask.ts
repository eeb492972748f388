// Publication masks of a question: passages published after its query time are excluded (TempRALM
// equation 5, Re3 section 3.4); rows without a publication time pass.
import type { QueryContext } from './queryContext.js';
import type { Mask } from '../time/temporalForms.js';
import { publicationCutoff } from '../time/question/jointConstraint.js';

/** Excludes passages published after the query time. */
export function publicationMask({ parsed }: Pick<QueryContext, 'parsed'>): Mask {
  return { publishedUntil: parsed.askedAt };
}

/** Also what was published after a stated time: "the forecast for May 8 issued on May 6". */
export function constrainedPublicationMask({ parsed }: Pick<QueryContext, 'parsed'>): Mask {
  return { publishedUntil: Math.min(parsed.askedAt, publicationCutoff(parsed) ?? Infinity) };
}
