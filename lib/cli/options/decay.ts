// Option --decay: a decay of scores.
import type { OptionSpec } from '../command.js';

export const decayOption: OptionSpec = {
  value: 'D',
  help:
    'decay of scores with the distance of a passage from --asked-at (systems hybrid, bm25, ' +
    'dense): shape=exponential,halfLife=30d[,offset=7d][,floor=0.2][,clock=published]' +
    '[,undated=0.5][,origin=T][,combine=sum,weight=1]',
};
