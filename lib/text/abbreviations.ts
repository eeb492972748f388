// Writes out, in a question, the few abbreviations of states and bodies that passages write out
// too: neither a static encoder nor BM25 knows that UK is the United Kingdom. Capitals only ("us"
// is a pronoun); nothing is taken away.

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

/**
 * The text with the names of its abbreviations behind it: "Who was UK PM?" becomes "Who was UK PM?
 * United Kingdom prime minister".
 */
export function expandAbbreviations(text: string): string {
  const found = new Set<string>();
  for (const [word] of text
    .replace(/\b(\p{Lu})\.(?=\p{Lu}\.)|(?<=\p{Lu}\.\p{Lu})\./gu, '$1')
    .matchAll(/\b\p{Lu}{2,4}\b/gu)) {
    if (Object.hasOwn(names, word)) found.add(names[word]!);
  }
  return found.size === 0 ? text : `${text} ${[...found].join(' ')}`;
}
