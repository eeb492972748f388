// Option --device: the device that vector searches run on.
export const deviceOption = {
  type: 'string',
  value: 'D',
  group: 'encoder',
  help:
    'device of vector searches: cpu (default) or cuda, the first CUDA device, with the same ' +
    'results; asof devices lists them',
} as const;
