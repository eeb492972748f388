// Other sentences for the facts of the generated sets, by name: what a wording that nothing was
// made with costs.
import { readFileSync } from 'node:fs';

const read = (file: string): Record<string, Record<string, string[]>> =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Record<
    string,
    Record<string, string[]>
  >;
const unseen = read('bridgeWordings.json');

export const wordings: Record<string, Record<string, string[]>> = {
  ...read('wordings.json'),
  unseen: Object.assign({}, unseen['tennis-c'], unseen['nws-c'], unseen['covid-c']),
};
