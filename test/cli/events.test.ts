// `asof ask` with a question that names an event in place of a date.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../store/fixtures.js';
import { asof } from './spawn.js';

describe('asof ask about the time of an event', () => {
  const folder = temporaryFolder();
  const question = 'Who was mayor of Lund when the Harbour Tower collapsed?';
  before(async () => {
    const lines = [
      { id: 'dahl', text: 'Per Dahl was mayor of Lund from 1986 to 1994.' },
      { id: 'ruud', text: 'Siri Ruud was mayor of Lund from 1994 to 2003.' },
      { id: 'tower', text: 'The Harbour Tower collapsed on 9 November 1989.' },
    ];
    const file = folder.path('passages.jsonl');
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.equal((await asof(['index', folder.path('corpus'), file])).code, 0);
  });

  it('prints the event, its time and the passage that tells it', async () => {
    const { code, stdout } = await asof(['ask', folder.path('corpus'), question]);
    assert.equal(code, 0);
    assert.match(stdout, /when the Harbour Tower collapsed: 1989-11-09, stated by tower/);
    assert.match(stdout, /Per Dahl/);
  });

  it('has them in its JSON, next to the question as it was asked', async () => {
    const { stdout } = await asof(['ask', folder.path('corpus'), question, '--json']);
    const record = JSON.parse(stdout) as Record<string, unknown>;
    const { confidence, ...resolved } = record['resolved'] as Record<string, unknown>;
    assert.deepEqual(resolved, {
      phrase: 'when the Harbour Tower collapsed',
      start: '1989-11-09',
      end: '1989-11-09',
      passage: 'tower',
      asked: 'Who was mayor of Lund on 9 November 1989?',
    });
    assert.ok((confidence as number) > 0.7 && (confidence as number) <= 1);
    assert.equal(record['question'], question);
    const { constraint_text: text } = record['constraint'] as Record<string, unknown>;
    assert.equal(text, 'on 9 November 1989');
  });

  it('leaves the event as it is where settings switch the stage off', async () => {
    const settings = folder.path('settings.json');
    writeFileSync(settings, JSON.stringify({ system: 'hybrid', settings: { events: false } }));
    const command = ['ask', folder.path('corpus'), question, '--json', '--settings', settings];
    const { code, stdout, stderr } = await asof(command);
    assert.equal(code, 0, stderr);
    assert.equal('resolved' in (JSON.parse(stdout) as object), false);
  });
});
