// Generator of made-up names of people, places and organisations, so that the extractor learns no
// real ones: syllables, sometimes with a common word or a number. The test split has its own
// syllables.
import type { Random } from '../../../lib/text/random.js';

const onsets = 'b br k d dr m s t tr l v p qu h r w j n f gr st kl'.split(' ');
const heldOutOnsets = ['z', 'pl', 'ch', 'y', 'sk', 'th', 'gl', 'sn'];
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou', 'ea', 'ei'];
const codas = ['', '', 'n', 'r', 's', 'l', 'nd', 'rt', 'x', 'm', 'ck', 'lt'];
const common = (
  'Lake New North South Grand Royal United Central Port Fort Old Saint River Open Sun ' +
  'Winter Summer'
).split(' ');
const kinds = (
  'City Club University Hospital Park Council Bank County Street Avenue Team Party ' +
  'Museum Airport United'
).split(' ');

export function name(random: Random, heldOut: boolean): string {
  const syllable = (): string =>
    random.pick(heldOut ? heldOutOnsets : onsets) + random.pick(vowels) + random.pick(codas);
  const word = (): string => {
    const whole = syllable() + syllable() + (random.next() < 0.5 ? syllable() : '');
    return whole[0]!.toUpperCase() + whole.slice(1);
  };
  const share = random.next();
  if (share < 0.45) return word();
  if (share < 0.75) return `${word()} ${word()}`;
  if (share < 0.85) return `${random.pick(common)} ${word()}`;
  if (share < 0.94) return `${random.next() < 0.3 ? 'the ' : ''}${word()} ${random.pick(kinds)}`;
  const upper = word().toUpperCase();
  if (share < 0.975)
    return random.pick([
      `${upper}-${1 + random.below(99)}`,
      `${word()}-${1 + random.below(900)}`,
      `${upper} ${1 + random.below(99)}`,
    ]);
  return random.pick([
    `${word()} (${word()}, ${random.pick(common)})`,
    `${word()} No. ${1 + random.below(300)}`,
    `${word()} ${1 + random.below(40)}`,
  ]);
}
