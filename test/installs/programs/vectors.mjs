// Vectors of another model: passages and questions bring them; the index answers as of a time.
import { Corpus, dense, hybrid, searchVectors } from 'asof';
import { parseQuestion } from 'asof/time';

// Stands for your model: letters counted.
const embed = (text) => {
  const vector = new Array(26).fill(0);
  for (const letter of text.toLowerCase())
    if (letter >= 'a' && letter <= 'z') vector[letter.charCodeAt(0) - 97] += 1;
  return vector;
};
const corpus = await Corpus.open('own.asof', {
  encoder: { id: 'letters-1', dimensions: 26 },
  sentences: false,
});
await corpus.add(
  [
    { id: 'fee-2021', text: 'The harbour fee of Lund is 14 crowns.', publishedAt: '2021-03-15' },
    { id: 'fee-2023', text: 'The harbour fee of Lund is 16 crowns.', publishedAt: '2023-03-15' },
    { id: 'mill', text: 'The mill of Lund shut.', publishedAt: '2020-01-01' },
  ].map((passage) => ({ ...passage, vector: embed(passage.text) })),
);
const ask = (system, text, askedAt) =>
  system.run({ text, askedAt, vector: embed(parseQuestion({ text }).mainContent) }, { k: 1 });
for (const make of [dense, hybrid])
  for (const askedAt of ['2022-01-01', '2024-01-01']) {
    const { evidence } = await ask(make({ corpus }), 'What is the harbour fee of Lund?', askedAt);
    console.log(make.name, askedAt, evidence[0]?.id);
  }
const [hits] = await searchVectors(corpus, embed('harbour fee of Lund'), 2, { asOf: '2022-01-01' });
console.log(hits.map(({ id, similarity }) => `${id} ${similarity.toFixed(2)}`).join(', '));
const half = { shape: 'exponential', halfLife: '365d' };
const [recent] = await searchVectors(corpus, embed('harbour fee of Lund'), 1, {
  asOf: '2024-01-01',
  decay: half,
});
console.log(recent[0].id, recent[0].temporal?.toFixed(2));
await corpus.close();
