// Values of --device and --decay.
import { AsOfError } from '../../errors.js';
import { decayFormAt, type Decay } from '../../time/decay.js';
import { deviceNames, type Device } from '../../vectors/device.js';
import { option, UsageError, wordOption, type Arguments, type OptionSpec } from '../command.js';

export const decayOption: OptionSpec = {
  value: 'D',
  help:
    'decay of scores with the distance of a passage from --asked-at (systems hybrid, bm25, ' +
    'dense): shape=exponential,halfLife=30d[,offset=7d][,floor=0.2][,clock=published]' +
    '[,undated=0.5][,origin=T][,combine=sum,weight=1]',
};

export const deviceOption = {
  value: 'D',
  group: 'encoder',
  help:
    'device of vector searches: cpu (default) or cuda, the first CUDA device, with the same ' +
    'results; asof devices lists them',
} as const;

export const deviceOf = (invocation: Arguments): Device | undefined =>
  wordOption(invocation, 'device', deviceNames);

const numeric: readonly string[] = ['floor', 'undated', 'weight'];

/** The decay of NAME=VALUE pairs, by the names of the API. @throws UsageError */
export function decayOf(invocation: Arguments): Decay | undefined {
  const text = option(invocation, 'decay');
  if (text === undefined) return undefined;
  const pairs = text.split(',').map((pair) => {
    const [name, ...value] = pair.split('=');
    return [name!.trim(), value.join('=').trim()] as const;
  });
  const decay = Object.fromEntries(
    pairs.map(([name, value]) => [name, numeric.includes(name) ? numberOf(value) : value]),
  ) as unknown as Decay;
  try {
    decayFormAt(decay);
  } catch (error) {
    if (AsOfError.is(error)) throw new UsageError(`--decay ${text}: ${error.message}`);
    throw error;
  }
  return decay;
}

/** An empty text is no 0. */
const numberOf = (text: string): number => (text === '' ? NaN : Number(text));
