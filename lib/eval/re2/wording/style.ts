// The kinds of sentences that benchmarks are written in, each a grammar for passages and another
// one for questions, which share no sentence. It lists them and has no wording of its own.
import { counts } from './counts.js';
import { generic } from './generic.js';
import { scores } from './scores.js';
import { weather } from './weather.js';
import type { Wording } from './wording.js';

export const styles = { weather, counts, scores, generic } satisfies Record<string, Wording>;
export type Style = keyof typeof styles;
