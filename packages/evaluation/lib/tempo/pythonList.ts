// Parser of printed Python lists, ['a', "b's"], the form of the gold ids of published steps.

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** The texts of a list; undefined for anything but a list of texts and numbers. */
export function pythonList(written: string): string[] | undefined {
  const text = written.trim();
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  const found: string[] = [];
  let at = 1;
  const blank = (): void => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  for (;;) {
    blank();
    if (at === text.length - 1) return found;
    const read = text[at] === "'" || text[at] === '"' ? quoted(text, at) : bare(text, at);
    if (!read) return undefined;
    found.push(read.value);
    at = read.end;
    blank();
    if (text[at] === ',') at += 1;
    else if (at !== text.length - 1) return undefined;
  }
}

function quoted(text: string, start: number): { value: string; end: number } | undefined {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === quote) return { value, end: at + 1 };
    if (character !== '\\') {
      value += character;
      continue;
    }
    at += 1;
    const coded = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(
      text.slice(at, at + 9),
    );
    if (coded) {
      const code = parseInt(coded.slice(1).find((each) => each !== undefined)!, 16);
      if (code > 0x10ffff) return undefined;
      value += String.fromCodePoint(code);
      at += coded[0].length - 1;
    } else value += escapes[text[at] ?? ''] ?? `\\${text[at] ?? ''}`;
  }
  return undefined;
}

function bare(text: string, start: number): { value: string; end: number } | undefined {
  const number = /^-?\d+(?:\.\d+)?/.exec(text.slice(start, start + 40));
  return number ? { value: number[0], end: start + number[0].length } : undefined;
}
