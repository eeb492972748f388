// The extractive reader on passages of our own: kinds, times, contests, lists and records.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPassages } from '../../lib/reading/reader.js';
import type { ReadablePassage } from '../../lib/reading/answer.js';
import { failsWith } from '../failsWith.js';

const read = async (text: string, passages: (string | ReadablePassage)[], askedAt?: string) =>
  (
    await readPassages(
      { text, ...(askedAt ? { askedAt } : {}) },
      passages.map((each, at) => (typeof each === 'string' ? { id: `p${at}`, text: each } : each)),
      { leastConfidence: 0 },
    )
  ).answer;

describe('the extractive reader', () => {
  it('takes the span whose own date fits, of several in a sentence', async () => {
    const career = {
      id: 'career',
      title: 'Tomas Berg',
      text:
        'Tomas Berg played for Lund FC (1999-2001), Vard United (2001-2004) and Brann City ' +
        '(2004-2008).',
    };
    assert.equal(
      (await read('Which team did Tomas Berg play for in 2000?', [career]))!.text,
      'Lund FC',
    );
    assert.equal(
      (await read('Which team did Tomas Berg play for between May 2002 and June 2003?', [career]))!
        .text,
      'Vard United',
    );
    assert.equal(
      (await read('Which team did Tomas Berg play for in 2007?', [career]))!.text,
      'Brann City',
    );
  });

  it('gives the sentence alone where it is not sure of a span', async () => {
    const question = { text: 'Where did Nora Vik live in 1950?' };
    const sentence = 'In 1950 Nora Vik lived in Trondheim.';
    const passages = [{ id: 'a', text: sentence }];
    const { answer } = await readPassages(question, passages);
    const confidence = answer!.spanConfidence!;
    assert.ok(confidence > 0.6 && confidence < 1);
    const least = [0, confidence, 1];
    const texts = await Promise.all(
      least.map(async (leastConfidence) => {
        const reading = await readPassages(question, passages, { leastConfidence });
        return [reading.answer!.text, reading.answer!.spanConfidence];
      }),
    );
    assert.deepEqual(texts, [
      ['Trondheim', confidence],
      ['Trondheim', confidence],
      [sentence, undefined],
    ]);
    for (const leastConfidence of [-0.1, 1.1, NaN, '1'] as number[])
      await assert.rejects(
        readPassages(question, passages, { leastConfidence }),
        failsWith('ERR_INVALID_ARGUMENT', /read\.leastConfidence.*a number from 0 to 1/),
      );
  });

  it('takes what held until another followed', async () => {
    const text =
      'Ada Brandt became director of the museum in 1990. Luis Orta took over as director of ' +
      'the museum in 1996. Mei Sato followed as director ' +
      'of the museum in 2004.';
    assert.equal(
      (await read('Who was the director of the museum in 1999?', [text]))!.text,
      'Luis Orta',
    );
    assert.equal(
      (await read('Who was the director of the museum in 1992?', [text]))!.text,
      'Ada Brandt',
    );
  });

  it('answers simple questions with a span', async () => {
    const lighthouse = 'The Varn lighthouse was built in 1887 and automated in 1974.';
    const mayors = 'Tomas Berg succeeded Ada Brandt as mayor of Lund on 1 July 2004.';
    const price = 'The price of the annual pass is 89 euros since 1 March 2024.';
    for (const [question, text, expected] of [
      ['When was it automated?', lighthouse, /^1974$/],
      ['Who succeeded Ada Brandt as mayor of Lund?', mayors, /^Tomas Berg$/],
      ['What is the current price of the annual pass?', price, /^89\b/],
      ['What is the default timeout of Varn?', 'The default timeout is 45 seconds.', /^45/],
      ['Who opened the mill?', 'The mill was opened by Ada Brandt in 1990.', /^Ada Brandt$/],
    ] as const) {
      const { answer } = await readPassages({ text: question }, [{ id: 'a', text }]);
      assert.match(answer!.text, expected, question);
      assert.ok(answer!.spanConfidence! >= 0.6, question);
    }
  });

  it('gives the sentence where its spans compete, and never the wrong one', async () => {
    const roll =
      'Directors: Edwin Thrale (1868–1891), Maud Lind (1891–1912), Ruben Castellan ' +
      '(1912–1934), Ines Holl (since 1934).';
    const moved = 'The headquarters of Varn Foods moved from Lund to Brann in April 2014.';
    const mayors = 'Tomas Berg succeeded Ada Brandt as mayor of Lund on 1 July 2004.';
    const workers = 'In Varn as of 8 April 2020 the number of workers rises from 4 to 16.';
    const sold =
      'Varn Foods acquired the bakery chain Mill in July 2015 and sold it in March 2020.';
    for (const [question, text, right] of [
      ['Who was the third director?', roll, 'Ruben Castellan'],
      ['Who succeeded Ruben Castellan as director?', roll, 'Ines Holl'],
      ['Where was the headquarters of Varn Foods in 2010?', moved, 'Lund'],
      ['Who was the mayor of Lund in 2003?', mayors, 'Ada Brandt'],
      ['How many workers did Varn start in 2019?', workers, '4'],
      ['When did Varn Foods sell Mill?', sold, 'March 2020'],
      ['Who won the final?', 'Ana Lind of Norway defeated Eva Ross of Peru.', 'Ana Lind'],
    ] as const) {
      const { answer } = await readPassages({ text: question }, [{ id: 'a', text }]);
      assert.ok([text, right].includes(answer!.text), `${question} ${answer!.text}`);
    }
  });

  it('gives the sentence for why, and for yes or no', async () => {
    const text = 'The mill was closed in 1999 for want of grain.';
    for (const question of ['Why was the mill closed?', 'Was the mill closed in 1999?'])
      assert.equal((await read(question, [text]))!.text, text);
  });

  it('gives the month where a month of a year is asked for', async () => {
    assert.equal(
      (await read('In which month of 2008 did the mill burn down?', [
        'The mill burned down on 21 August 2008.',
      ]))!.text,
      'August',
    );
  });

  it('asks in the present of what has not ended', async () => {
    const text =
      'Luis Orta ran the mill of Varn from 1990 to 2004. The mill of Varn is now run by Mei Sato.';
    assert.equal(
      (await read('Who runs the mill of Varn?', [text], '2020-05-05'))!.text,
      'Mei Sato',
    );
    const port = 'In Varn the default port changes from 4040 to 5151 in June 2019.';
    assert.equal(
      (await read('What is the default port of Varn?', [port], '2020-05-05'))!.text,
      '5151',
    );
  });

  it('takes the date of the clause that a date opens', async () => {
    const text =
      'The mill was run by Varn until 2017, when it was sold to Rondal. In 2022 Rondal sold ' +
      'it to Lund.';
    assert.equal((await read('When was the mill sold to Rondal?', [text]))!.text, '2017');
  });

  it('looks beyond the first passage', async () => {
    const answer = await read('Where did Nora Vik live in 1950?', [
      'Nora Vik was a painter.',
      'In 1950 Nora Vik lived in Trondheim.',
    ]);
    const { spanConfidence, ...others } = answer!;
    assert.ok(spanConfidence! > 0 && spanConfidence! < 1);
    assert.deepEqual(others, {
      text: 'Trondheim',
      sentence: 'In 1950 Nora Vik lived in Trondheim.',
      evidence: ['p1'],
    });
  });

  it('does not repeat the question', async () => {
    assert.equal(
      (await read('Who succeeded Nora Vik as mayor of Lund?', [
        'Nora Vik was mayor of Lund until 1990, and Jon Falk succeeded her.',
      ]))!.text,
      'Jon Falk',
    );
  });

  it('lists what the question asks several of', async () => {
    const answer = await read('Which two players contested the final?', [
      'Ana Lind of Norway defeated Eva Ross of Peru in the final.',
    ]);
    assert.deepEqual(answer!.items, ['Ana Lind', 'Eva Ross']);
    assert.equal(answer!.text, 'Ana Lind and Eva Ross');
  });

  it('names the subject of a record that its lines leave out', async () => {
    const record = {
      id: 'r',
      title: 'Otto Krem',
      text: 'Regional Science Prize 1931.\nBorn: 4 June 1877, Celle\nAwarded "for work on bile".',
    };
    assert.equal(
      (await read('Who won the Regional Science Prize in 1931?', [record]))!.text,
      'Otto Krem',
    );
  });

  it('gives the year where a year is asked for', async () => {
    assert.equal(
      (await read('In what year did the mill burn down?', ['The mill burned down in June 1950.']))!
        .text,
      '1950',
    );
  });

  it('gives the best sentence without an answer type, and nothing without passages', async () => {
    assert.equal(
      (await read('Tell me about the mill', [
        { id: 'm', text: 'It is old. The mill burned down.', sentence: 'The mill burned down.' },
      ]))!.text,
      'The mill burned down.',
    );
    assert.equal(await read('Who was it?', []), undefined);
  });

  it('reads long passages of one thing to the end', async () => {
    for (const piece of [
      'Ana Lind (1999), ',
      '1999 ',
      '!',
      'A',
      'of ',
      '"',
      '(',
      'in May ',
      'a\n',
    ]) {
      const passages = Array.from({ length: 5 }, (_, at) => ({
        id: `p${at}`,
        text: piece.repeat(Math.ceil(4_000 / piece.length)),
      }));
      for (const question of [
        'Who was it in 1999?',
        'What position was it?',
        'How many were there?',
      ])
        assert.ok(await read(question, passages));
    }
  });

  it('gives words of the passages or their titles, whatever they are', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.record({ title: text, text }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('Who', 'Where', 'When', 'How many', 'What team', 'What position', ''),
        async (about, made, wh) => {
          const passages = made.map((each, at) => ({ id: `p${at}`, ...each }));
          const answer = (await read(`${wh} ${about}?`, passages))!;
          const flat = (words: string): string => words.replace(/\s+/g, ' ');
          for (const item of answer.items ?? [answer.text]) {
            assert.ok(
              passages.some(({ title, text: body }) =>
                [body, title, `${title.trim()}: ${body}`].some((words) =>
                  flat(words).includes(flat(item)),
                ),
              ),
              item,
            );
          }
          assert.equal(answer.evidence.length, 1);
        },
      ),
      { numRuns: 200 },
    );
  });
});
