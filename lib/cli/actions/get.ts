// `asof get`: passages of a corpus as JSON lines.
import type { Invocation } from '../command.js';
import { shownCorpus } from '../credentials.js';
import { readIds } from '../inputs/ids.js';
import { openNamed } from '../inputs/storedCorpus.js';
import { asRecordedOf } from '../options/asRecorded.js';
import { passageJson, versionJson } from '../../json/passage.js';

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, positionals, flags } = invocation;
  const folder = positionals[0]!;
  await using corpus = await openNamed(folder, invocation, { readOnly: true });
  const asRecorded = asRecordedOf(invocation);
  let code = 0;
  for await (const id of readIds(invocation)) {
    const found = flags.has('versions')
      ? (await corpus.versions(id)).map((version) => versionJson(version, corpus.timeZone))
      : (await corpus.getMany([id], asRecorded)).flatMap((passage) =>
          passage ? [passageJson(passage, corpus.timeZone)] : [],
        );
    for (const each of found) await terminal.print(`${JSON.stringify(each)}\n`);
    if (found.length > 0) continue;
    terminal.say(
      `asof: Expected a passage ${JSON.stringify(id)} in ${shownCorpus(folder)}, found none.`,
    );
    code = 1;
  }
  return code;
}
