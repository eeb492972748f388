// What a prompt must say for JSON to come back from a model that is bound by nothing: the task
// alone, the task with the schema, with a description and an example, with both. The schema is kept
// from the model but for what the prompt says, as many servers do. usage: node --import tsx
// bench/quality/text/jsonPrompts.ts --base-url URL --model NAME [--cases N]
import { parseArgs } from '../../options.js';
import { AsOfError, type TextModel } from '../../../lib/index.js';
import { generateJson } from '../../../lib/text/jsonAnswer.js';
import { openAiCompatible } from '../../../lib/models/index.js';

interface Post {
  name: string;
  years: string;
}

const names = [
  'Agnes Dorn',
  'Paul Weir',
  'Ilse Brandt',
  'Tomas Rea',
  'Nora Quill',
  'Henrik Aas',
  'Mabel Stone',
  'Luis Prado',
  'Eva Holm',
  'Jonas Reed',
  'Clara Voss',
  'Otto Lind',
];
const posts = [
  'keeper of the light at Cape Merrow',
  'mayor of Stenby',
  'editor of the Harbour Post',
  'captain of the ferry Aurora',
  'head of the weather station',
  'organist of Saint Olaf',
];
const cases: { prompt: string; post: Post }[] = names.map((name, at) => {
  const [from, to, office] = [1902 + at * 7, 1909 + at * 8, posts[at % posts.length]!];
  return {
    prompt: `${name} was ${office} from ${from} to ${to}, longer than anyone before.\nWho was ${office}, and from which year to which year?`,
    post: { name, years: `${from} to ${to}` },
  };
});

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, years: { type: 'string' } },
  required: ['name', 'years'],
  additionalProperties: false,
};
const shown = `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
const told =
  'Reply with one JSON object that has the name and the two years, like this: {"name": "Ada ' +
  'Byron", "years": "1840 to 1844"}';
const forms: [string, string[]][] = [
  ['the task alone', []],
  ['with the schema', [shown]],
  ['described, an example', [told]],
  ['described, and the schema', [told, shown]],
];

const { values } = parseArgs({
  options: { 'base-url': { type: 'string' }, model: { type: 'string' }, cases: { type: 'string' } },
});
if (!values['base-url'] || !values.model)
  throw new Error('Expected --base-url URL and --model NAME of an OpenAI-compatible server.');
const server = openAiCompatible({
  baseURL: values['base-url'],
  model: values.model,
  timeoutMs: 300_000,
});
const unbound: TextModel = {
  id: server.id,
  generate: ({ jsonSchema: _, ...request }) => server.generate(request),
};

console.log(
  '| prompt | fits at first | fits at all | right | tokens read | tokens written |\n| --- | ' +
    '--- | --- | --- | --- | --- |',
);
const asked = cases.slice(0, Number(values.cases ?? cases.length));
for (const [form, added] of forms) {
  const sums = { first: 0, fits: 0, right: 0, read: 0, written: 0 };
  for (const { prompt, post } of asked) {
    try {
      const { value, repaired, usage } = await generateJson<Post>(
        unbound,
        { prompt: [prompt, ...added].join('\n\n'), maxTokens: 80, temperature: 0 },
        schema,
      );
      sums.first += repaired ? 0 : 1;
      sums.fits += 1;
      sums.right += value.name === post.name && value.years === post.years ? 1 : 0;
      sums.read += usage?.inputTokens ?? 0;
      sums.written += usage?.outputTokens ?? 0;
    } catch (error) {
      if (!AsOfError.is(error) || !error.details.faults) throw error;
      const usage = error.details.usage as
        | { inputTokens?: number; outputTokens?: number }
        | undefined;
      sums.read += usage?.inputTokens ?? 0;
      sums.written += usage?.outputTokens ?? 0;
    }
  }
  const mean = (sum: number): string => (sum / asked.length).toFixed(0);
  console.log(
    `| ${form} | ${sums.first}/${asked.length} | ${sums.fits}/${asked.length} | ${sums.right}/${asked.length} | ${mean(sums.read)} | ` +
      `${mean(sums.written)} |`,
  );
}
