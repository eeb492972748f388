// Who did what a question asks of, by the place of its verb.
import assert from 'node:assert/strict';
import { isAgent, verbAsked } from '../../lib/reading/subjects.js';

/** Whether `name` is who does the first `verb` of a sentence. */
const does = (name: string, verb: string, sentence: string): boolean => {
  const at = (words: string): { start: number; end: number } => ({
    start: sentence.indexOf(words),
    end: sentence.indexOf(words) + words.length,
  });
  return isAgent(sentence, [at(verb)], { ...at(name), form: 'name' });
};

describe('the verb of which a question asks the doer', () => {
  const cases: [string, string | undefined][] = [
    ['Who opened the bridge in Lund?', 'opened'],
    ['Which boat won the cup in 1990?', 'won'],
    ['Who has managed Varn since 2009?', 'managed'],
    ['Who currently runs the mill?', 'runs'],
    ['Which old mill company owned the bridge?', 'owned'],
    ['In 1990, who led Varn?', 'led'],
    ['Who was mayor of Lund?', undefined],
    ['Who did Ada Brandt beat?', undefined],
    ['Which team did he play for?', undefined],
    ['When was the bridge opened?', undefined],
    ['How many boats won?', undefined],
  ];
  for (const [question, verb] of cases) it(question, () => assert.equal(verbAsked(question), verb));
});

describe('who does a verb', () => {
  it('stands before it, or behind "by"', () => {
    assert.ok(does('Ada Brandt', 'opened', 'In May Ada Brandt opened the bridge.'));
    assert.ok(does('Ada Brandt', 'opened', 'Ada Brandt, who also opened the mill, died.'));
    assert.ok(does('Ada Brandt', 'opened', 'The bridge was opened by the minister Ada Brandt.'));
  });
  it('is not what it is done to, nor who does something else', () => {
    assert.ok(!does('Mill Bridge', 'opened', 'Mill Bridge was opened by Ada Brandt.'));
    assert.ok(!does('Mill Bridge', 'opened', 'Mill Bridge was opened in May.'));
    assert.ok(!does('Lund', 'opened', 'Ada Brandt of Varn opened the bridge in Lund.'));
    assert.ok(
      !does('Luis Orta', 'opened', 'The bridge, opened in May, was paid for by Luis Orta.'),
    );
    assert.ok(!does('Varn', 'owning', 'It was bought, with Varn owning all of it.'));
  });
});
