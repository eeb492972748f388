// Generators of documents: words, sentences, Markdown of many kinds, and what is neither.
import fc from 'fast-check';

const word = fc.constantFrom(
  'mill',
  'harbour',
  'Ann',
  'Lee',
  'opened',
  'U.S.',
  '3.5',
  '2021',
  'naïve',
  '漢字',
  '👩‍🚀',
  'x'.repeat(40),
  '\uD800',
  'e.g.',
  '(see',
  'no.',
);
const sentence = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 12 }),
    fc.constantFrom('.', '!', '?', '', ':', ' .'),
  )
  .map(([words, end]) => words.join(' ') + end);
const space = fc.constantFrom(' ', '  ', '\n', '\n\n', '\r\n', '\r\n\r\n', '\t', '\u00a0', '');
const block = fc.constantFrom(
  '# Title\n',
  '## Part *two*\n\n',
  '### [Link](x) `code`\n',
  'Heading\n===\n',
  'Other\n---\n',
  '```js\nconst a = 1;\n\nlet b;\n```\n',
  '~~~\nopen fence\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n',
  '- one\n- two\n  wrapped\n  - three\n\n',
  '1. first\n2. second\n',
  '> said\n> again\n\n',
  '    indented\n',
  '<div>\nraw\n</div>\n\n',
  '***\n',
  '---\n',
  '[a]: http://example.org\n',
  '\n\n',
  '   \n',
);

/** Text that is more or less prose. */
export const prose = fc
  .array(fc.tuple(sentence, space), { maxLength: 30 })
  .map((parts) => parts.flat().join(''));

/** Blocks and prose in any order, with any line ends. */
export const markdown = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: block },
        fc.tuple(sentence, space).map((each) => each.join('')),
      ),
      {
        maxLength: 25,
      },
    ),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([parts, lineEnd]) => parts.join('').replaceAll('\n', lineEnd));
