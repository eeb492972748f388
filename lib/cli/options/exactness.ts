// Option --exactness: whether vector searches are exact or approximate.
export const exactnessOption = {
  type: 'string',
  value: 'E',
  group: 'encoder',
  help:
    'certified (default): exact results; rescored: candidates from quantized vectors, scored in ' +
    'full; raw: scores of quantized vectors',
} as const;
