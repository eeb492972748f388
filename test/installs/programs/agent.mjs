// An agent: it remembers what it is told, notices what contradicts it, and asks by its tool.
import { conflicts, Corpus } from 'asof';
import { asofTool } from '@asof/ai-sdk';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const memory = await Corpus.open('memory.asof', { history: true });
async function remember(note) {
  const found = (await conflicts(memory, [note])).flatMap(({ earlier }) => earlier);
  for (const { id, relation } of found) console.log(`${note.text} ${relation} ${id}`);
  const ended = found.filter(({ relation }) => relation === 'supersedes').map(({ id }) => id);
  // A day as validTo is in force itself: the note before holds to the day before.
  const validTo = new Date(Date.parse(note.publishedAt) - 1);
  if (ended.length > 0) await memory.update(ended, { validTo });
  await memory.add([note]);
}
await remember({ id: 'n1', text: 'The parcel fee is 5 euros.', publishedAt: '2022-02-20' });
await remember({ id: 'n2', text: 'Ann lives in Bern.', publishedAt: '2021-03-01' });
await remember({ id: 'n3', text: 'The parcel fee is 6 euros.', publishedAt: '2023-02-20' });
await remember({ id: 'n4', text: 'Ann lives in Oslo.', publishedAt: '2024-06-01' });

// A model that calls the tool once and answers with the first passage; yours is a real one.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1);
    if (last.role === 'tool') {
      const { evidence } = last.content[0].output.value;
      const content = [{ type: 'text', text: evidence[0].text }];
      return { content, finishReason: { unified: 'stop' }, usage, warnings: [] };
    }
    const input = JSON.stringify({ question: last.content[0].text, only: 'current', k: 1 });
    const content = [{ type: 'tool-call', toolCallId: '1', toolName: 'search', input }];
    return { content, finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
  },
});
for (const prompt of ['How much is the parcel fee?', 'Where does Ann live?']) {
  const tools = { search: asofTool(memory) };
  const { text } = await generateText({ model, prompt, tools, stopWhen: stepCountIs(3) });
  console.log(prompt, text);
}
console.log(new Date(memory.get('n1').validTo).toISOString(), memory.versions('n1').length);
await memory.close();
