// Option --device: the device that vector searches run on.
export const deviceOption = {
  value: 'D',
  group: 'encoder',
  help:
    'device of vector searches: cpu (default) or cuda, the first CUDA device, with the same ' +
    'results; asof devices lists them',
} as const;
