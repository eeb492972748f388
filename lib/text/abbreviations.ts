// Expansion of abbreviations of states and bodies in questions, since neither a static encoder nor
// BM25 relates UK to United Kingdom. Capitals only ("us" is a pronoun); the original words stay.

const names: Readonly<Record<string, string>> = {
  UK: 'United Kingdom',
  US: 'United States',
  USA: 'United States',
  UAE: 'United Arab Emirates',
  USSR: 'Soviet Union',
  GDR: 'East Germany',
  DRC: 'Democratic Republic of the Congo',
  PRC: "People's Republic of China",
  EU: 'European Union',
  UN: 'United Nations',
  PM: 'prime minister',
  CEO: 'chief executive',
  MP: 'member of parliament',
  GDP: 'gross domestic product',
  WWI: 'First World War',
  WWII: 'Second World War',
};

/** "Who was UK PM?" becomes "Who was UK PM? United Kingdom prime minister". */
export function expandAbbreviations(text: string): string {
  const expansions = new Set<string>();
  for (const [word] of text
    .replace(/\b([A-Z])\.(?=[A-Z]\.)|(?<=[A-Z]\.[A-Z])\./g, '$1')
    .matchAll(/\b[A-Z]{2,4}\b/g)) {
    if (Object.hasOwn(names, word)) expansions.add(names[word]!);
  }
  return expansions.size === 0 ? text : `${text} ${[...expansions].join(' ')}`;
}
