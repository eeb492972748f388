// `asof get`: passages of a corpus as JSON lines.
import { Corpus } from '../../store/corpus.js';
import type { Invocation } from '../command.js';
import { readIds } from '../inputs/ids.js';
import { passageJson } from '../tables/passageJson.js';

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, positionals } = invocation;
  const folder = positionals[0]!;
  await using corpus = await Corpus.open(folder, { readOnly: true });
  let code = 0;
  for await (const id of readIds(invocation)) {
    const passage = corpus.get(id);
    if (passage) await terminal.print(`${JSON.stringify(passageJson(passage, corpus.timeZone))}\n`);
    else {
      terminal.say(`asof: Expected a passage ${JSON.stringify(id)} in ${folder}, found none.`);
      code = 1;
    }
  }
  return code;
}
