// Retrieval over a folder: the guide of asof itself, read, asked, edited and read again.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { InputReport, readDocuments } from '@asof/documents';
import { Corpus, hybrid } from 'asof';

await cp('node_modules/asof/docs/guide', 'guide', { recursive: true });
const corpus = await Corpus.open('guide.asof', { history: true });
const read = async () => {
  const report = new InputReport();
  const onFault = (fault) => console.warn(fault.message);
  const { added, replaced } = await corpus.add(readDocuments('guide', { report, onFault }));
  const removed = await corpus.delete(await report.leftovers(corpus));
  return { documents: report.documents.size, added, replaced, removed };
};
const first = await read();
console.log(first.documents > 20, first.added > 100, first.replaced, first.removed);

const system = hybrid({ corpus });
const text = 'How are passages updated without encoding them again?';
const { evidence } = await system.run({ text }, { k: 1, perDocument: true });
console.log(evidence[0].chunk.parent, evidence[0].title);

const page = await readFile('guide/decay.md', 'utf8');
await writeFile('guide/decay.md', page.slice(0, page.indexOf('\n## ')));
const { added, replaced, removed } = await read();
console.log(added, replaced, removed > 0);
await corpus.close();
