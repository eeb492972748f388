// Results of agents: no more text than a model needs.
import { toJson } from './json.js';
import type { Evidence } from '../reading/evidence.js';
import type { SystemResult } from './system.js';

/** A text, or its beginning with an ellipsis; no character is halved. */
export const cut = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')}…`;

/**
 * The JSON of a result without what explains scores and speed, which its model would pay for. Its
 * texts are cut after `mostText` UTF-16 units, and marked `cut`.
 */
export function agentResult(
  result: SystemResult,
  system: string,
  mostText: number,
): Record<string, unknown> {
  const {
    trace: _,
    scan: __,
    exact: ___,
    dropped: ____,
    evidence,
    ...rest
  } = toJson.result(result, system);
  const found = evidence as (Pick<Evidence, 'scores' | 'shares' | 'text' | 'highlights'> &
    object)[];
  const shortened = found.map(({ scores: _, shares: __, text, highlights, ...others }) => ({
    ...others,
    text: cut(text, mostText),
    ...(text.length > mostText ? { cut: true } : {}),
    ...(highlights ? { highlights: highlights.filter(({ end }) => end <= mostText) } : {}),
  }));
  return { ...rest, evidence: shortened };
}
