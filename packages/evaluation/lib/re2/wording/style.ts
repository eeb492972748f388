// Styles of sentences, each a grammar of passages and a grammar of questions that share no
// sentence.
import { collisions } from './collisions.js';
import { counts } from './counts.js';
import { generic } from './generic.js';
import { scores } from './scores.js';
import { weather } from './weather.js';
import type { Wording } from './wording.js';

export const styles = { weather, counts, scores, collisions, generic } satisfies Record<
  string,
  Wording
>;
export type Style = keyof typeof styles;
