// Prompts as templates in files: each of the package's and of a researcher's own, sent to a server
// on loopback, its slots filled and its answer read, in tags and in JSON of other names.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Corpus } from '../../lib/index.js';
import { openAiCompatible } from '../../lib/models/openAiCompatible.js';
import { createSystem, withPrompts, type ReadOptions } from '../../lib/papers/index.js';
import { promptNames } from '../../lib/text/promptTemplates.js';
import type { TextModel } from '../../lib/text/textModel.js';
import { asof } from '../cli/spawn.js';
import { temporaryFolder } from '../store/fixtures.js';

interface Sent {
  messages: { role: string; content: string }[];
  response_format?: unknown;
}

/** The papers' form: one text, slots, tags, the last of them open. */
const own: Record<string, string> = {
  question:
    'json: content = mainContent\njson: when = constraint\njson: order = condition\n---\n' +
    'Take it apart: {question}\n',
  keywords: 'tag: Keywords = keywords\n---\n<Question> {question} </Question>\n<Keywords>\n',
  summary:
    'tag: Summarization = sentence\n---\n<Context> {title} | {text} </Context>\n' +
    '<Question> {question} </Question>\n<Summarization>\n',
  facts: 'json: doc_index + 1 = passage\n---\nFacts for {question}\n{passages}\n',
  direct: 'tag: Answer = answer\n---\n{examples}\n<Question> {question} </Question>\n<Answer>\n',
  chainOfThought:
    'tag: Thought = reasoning\ntag: Answer = answer\n---\n' +
    '<Question> {question} </Question> ({asked}. {time})\n<Thought>\n',
  concatenated:
    'examples: 2\ntag: Answer = answer\n---\n=== prompt\n{examples}\n<Context> {passages} ' +
    '</Context>\n<Question> {question} </Question>\n<Answer>\n=== example\n' +
    '<Question> {question} </Question> <Answer> {answer} </Answer>\n',
  combinedReading:
    'tag: Thought = reasoning\ntag: Answer = answer\n---\n<Context> {passages} </Context>\n' +
    '<Question> {question} </Question>\n<Thought>\n',
  relevance:
    'tag: Thought = reasoning\ntag: Response = relevant\n---\nRelevant?\n<Context> {passage} ' +
    '</Context>\n' +
    '<Question> {question} </Question>\n<Thought>\n',
  independentReading:
    'tag: Summarization = statement\n---\n<Document> {passage} </Document>\n' +
    '<Question> {question} </Question>\n<Summarization>\n',
};

/** What a model of its form writes, by the words of its prompt. */
const answers: readonly [RegExp, string][] = [
  [/^Take it apart/, '{"content":"Who ran the mill?","when":"in 1999","order":"none"}'],
  [/<Keywords>$/, '["ran", "mill"] </Keywords>'],
  [/^<Context> Mill .*<Summarization>$/s, ' Luis Orta ran the mill from 1996. </Summarization>'],
  [/^Facts for/, '[{"doc_index":0,"head":"mill","relation":"head","value":"Luis Orta"}]'],
  [/^Relevant/, 'He did. </Thought>\n<Response> Yes </Response>'],
  [/<Thought>$/, 'He ran it in 1999. </Thought>\n<Answer> Luis Orta </Answer>'],
  [/<Document>/, 'Luis Orta from 1996 to 2004. </Summarization>'],
  [/<Answer>$/, ' Luis Orta </Answer> <Question> another'],
];

describe('prompts as templates', () => {
  const folder = temporaryFolder();
  let server: Server;
  let model: TextModel;
  let corpus: Corpus;
  const sent: Sent[] = [];
  const question = { text: 'Who ran the mill in 1999?', askedAt: '2012-05-01' };

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const asked = JSON.parse(body) as Sent;
        sent.push(asked);
        const prompt = asked.messages.at(-1)!.content;
        const content = answers.find(([words]) => words.test(prompt))?.[1] ?? '';
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ choices: [{ message: { content } }] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    model = openAiCompatible({ baseURL, model: 'tagged' });
    mkdirSync(folder.path('prompts'));
    for (const [name, text] of Object.entries(own))
      writeFileSync(folder.path(`prompts/${name}.txt`), text);
    corpus = await Corpus.open(folder.path('mill.asof'));
    await corpus.add([
      {
        id: 'mill',
        title: 'Mill',
        text: 'Luis Orta ran the mill from 1996 to 2004.',
        publishedAt: '2005-01-01',
      },
      { id: 'later', title: 'Mill', text: 'The mill stands.', publishedAt: '2006-01-01' },
    ]);
  });
  after(async () => {
    await corpus.close();
    server.close();
  });

  const promptsOf = async (run: () => Promise<unknown>): Promise<string[]> => {
    sent.length = 0;
    await run();
    return sent.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
  };
  const read = (mode: ReadOptions['mode'], of: TextModel, examples?: ReadOptions['examples']) =>
    createSystem('bm25', { corpus, model: of, read: { mode, examples } }).run(question);

  it('are of the package where nobody gives others: slots filled, JSON asked for', async () => {
    const files = readdirSync(new URL('../../prompts/', import.meta.url)).sort();
    assert.deepEqual(files, promptNames.map((name) => `${name}.txt`).sort());
    const prompts = await promptsOf(async () => {
      for (const mode of ['direct', 'chainOfThought', 'concatenated'] as const)
        await read(mode, model).catch(() => undefined);
      await createSystem('mrag', { corpus, model }).run(question);
    });
    assert.ok(prompts.length > 6);
    for (const prompt of prompts) {
      assert.doesNotMatch(prompt, /\{[a-z][A-Za-z]*\}/);
      assert.match(prompt, /JSON/);
    }
    assert.ok(sent.every((each) => each.response_format !== undefined));
  });

  it("are a researcher's: tags and JSON of other names are read as answers", async () => {
    const tagged = withPrompts(model, folder.path('prompts'));
    class Mine {
      id = 'mine';
      generate = async () => Promise.resolve({ text: this.own() });
      own(): string {
        return 'kept';
      }
    }
    assert.equal(withPrompts(new Mine(), folder.path('prompts')).own(), 'kept');
    assert.match(tagged.id, /^openai-compatible:tagged prompts [0-9a-f]{8}$/);
    const examples = ['a', 'b', 'c'].map((each) => ({ question: `Who is ${each}?`, answer: each }));
    for (const mode of ['direct', 'chainOfThought', 'concatenated', 'selfMrag'] as const) {
      const prompts = await promptsOf(async () => {
        const { answer } = await read(mode, tagged, examples);
        assert.equal(answer?.text, 'Luis Orta', mode);
      });
      assert.ok(sent.every((each) => each.response_format === undefined));
      for (const prompt of prompts) assert.doesNotMatch(prompt, /\{[a-z][A-Za-z]*\}/);
      if (mode === 'concatenated')
        assert.match(
          prompts[0]!,
          /<Answer> a <\/Answer>\n\n<Question> Who is b\?.*b <\/Answer>\n</,
        );
      if (mode === 'concatenated') assert.doesNotMatch(prompts[0]!, /Who is c/);
    }
    let trace: { stage: string; notes?: Record<string, unknown> }[] = [];
    await promptsOf(async () => {
      ({ trace } = await createSystem('mrag', { corpus, model: tagged }).run(question));
    });
    const noteOf = (stage: string, name: string): unknown =>
      trace.find((each) => each.stage.startsWith(stage))?.notes?.[name];
    assert.equal(noteOf('decompose', 'by'), tagged.id);
    assert.equal(noteOf('findKeywords', 'by'), tagged.id);
    assert.equal(noteOf('rank(semantic x', 'summaries'), 2);
    const facts = await createSystem('re3', { corpus, model: tagged }).run(question);
    assert.equal(facts.trace.find(({ stage }) => stage.startsWith('drop'))?.notes?.['dropped'], 0);
  });

  it('are those of --prompts on the command line', async () => {
    const ask = ['ask', folder.path('mill.asof'), question.text, '--prompts'];
    const { code, stderr } = await asof([...ask, folder.path('prompts')]);
    assert.equal(code, 2);
    assert.match(stderr, /--prompts are of a language model: add --model, or omit them\./);
    const { port } = server.address() as AddressInfo;
    const named = ['--model', 'tagged', '--base-url', `http://127.0.0.1:${port}/v1`];
    const of = [...ask, folder.path('prompts'), ...named, '--system', 'bm25', '--read', 'direct'];
    const { stdout } = await asof([...of, '--json']);
    assert.match(stdout, /"answer":"Luis Orta"/);
    assert.match(sent.at(-1)!.messages[0]!.content, /<Question> Who ran the mill in 1999\? <\/Q/);
  });

  it('are refused by file where they are none', () => {
    for (const [name, text, message] of [
      ['answer', 'x', /answer\.txt: Expected a prompt named question, .* received answer/],
      [
        'direct',
        '{questoin}',
        /direct\.txt: Expected slots question, asked.*received \{questoin\}/,
      ],
      ['direct', 'tags: a\n---\nx', /Expected lines examples: N, tag: .* received tags: a/],
      ['direct', '=== sytem\nx', /Expected sections system, prompt, .* received sytem/],
      ['direct', '=== system\nx', /Expected a section prompt, received none/],
    ] as const) {
      const own = mkdtempSync(folder.path('bad-'));
      writeFileSync(join(own, `${name}.txt`), text);
      assert.throws(() => withPrompts(model, own), { code: 'ERR_INVALID_INPUT', message });
    }
    for (const empty of [folder.path('none'), mkdtempSync(folder.path('empty-'))])
      assert.throws(() => withPrompts(model, empty), { code: 'ERR_NOT_FOUND' });
  });
});
