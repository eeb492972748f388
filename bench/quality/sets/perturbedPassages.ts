// A corpus of any size out of a small one: copies of its passages with other years and other names,
// so that hardly any two are alike, terms keep the frequencies of real text and no copy answers a
// question about the original. For timings; it makes no claim to be true.
import type { Passage } from '../../../lib/index.js';

const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;
const kept = new Set([
  ...'January February March April May June July August September October November December'.split(
    ' ',
  ),
  ...(
    'The A An In On At By For From To With As He She It They His Her Its Their This That ' +
    'These Those'
  ).split(' '),
  ...'After Before When While Since Until'.split(' '),
]);

/** `count` passages: the given ones first, then copy after copy of them. */
export function* perturbedPassages(
  passages: readonly Passage[],
  count: number,
): Generator<Passage> {
  const names = [...new Set(passages.flatMap(({ text }) => text.match(capitalised) ?? []))]
    .filter((name) => !kept.has(name))
    .sort();
  const places = new Map(names.map((name, at) => [name, at]));
  for (let made = 0; made < count; made += 1) {
    const original = passages[made % passages.length]!;
    const copy = Math.floor(made / passages.length);
    if (copy === 0) {
      yield original;
      continue;
    }
    // A name becomes another of the corpus, the same one throughout a copy.
    const renamed = (text: string): string =>
      text.replace(capitalised, (word) => {
        const at = places.get(word);
        return at === undefined ? word : names[(at + copy * 7919) % names.length]!;
      });
    const years = ((copy * 37) % 161) - 80;
    const moved = (text: string): string =>
      renamed(text).replace(/\b1\d{3}\b|\b20[0-4]\d\b/g, (year) =>
        String(Math.min(2049, Math.max(1000, Number(year) + (years === 0 ? 83 : years)))),
      );
    yield {
      ...original,
      id: `${original.id}-${copy}`,
      text: moved(original.text),
      ...(original.title === undefined ? {} : { title: moved(original.title) }),
    };
  }
}
