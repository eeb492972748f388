// Option --extractor: the times that re3 and its training fuse into vectors.
import type { OptionSpec } from '../command.js';

export const extractorOption: OptionSpec = {
  value: 'E',
  help:
    "with re3, each text's one time: by grammar, learned (needs onnxruntime-node) or both; " +
    'default the times at which answers are, and the content times of passages',
};
