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

  it('takes the date of what is asked, of several in a sentence', async () => {
    const text =
      'The Varn lighthouse was built in 1887 and automated in 1974. It was closed to ' +
      'visitors in 1999.';
    assert.equal((await read('When was the Varn lighthouse built?', [text]))!.text, '1887');
    assert.equal((await read('When was the Varn lighthouse automated?', [text]))!.text, '1974');
    assert.equal((await read('When was the Varn lighthouse closed?', [text]))!.text, '1999');
  });

  it('tells who came from who went', async () => {
    const text = 'Tomas Berg succeeded Ada Brandt as mayor of Lund on 1 July 2004.';
    assert.equal(
      (await read('Who succeeded Ada Brandt as mayor of Lund?', [text]))!.text,
      'Tomas Berg',
    );
    assert.equal(
      (await read('Who did Tomas Berg succeed as mayor of Lund?', [text]))!.text,
      'Ada Brandt',
    );
    assert.equal((await read('Who was the mayor of Lund in 2008?', [text]))!.text, 'Tomas Berg');
    assert.equal((await read('Who was the mayor of Lund in 2003?', [text]))!.text, 'Ada Brandt');
    const passive = 'Ada Brandt was replaced by Tomas Berg as mayor of Lund on 1 July 2004.';
    assert.equal(
      (await read('Who replaced Ada Brandt as mayor of Lund?', [passive]))!.text,
      'Tomas Berg',
    );
    assert.equal((await read('Who was the mayor of Lund in 2003?', [passive]))!.text, 'Ada Brandt');
  });

  it('dates what tells no date by its publication', async () => {
    const limits: ReadablePassage[] = [
      {
        id: 'new',
        text: 'The export limit of Varn is 900 rows.',
        publishedAt: Date.UTC(2023, 1, 1),
      },
      {
        id: 'old',
        text: 'The export limit of Varn is 500 rows.',
        publishedAt: Date.UTC(2019, 1, 1),
      },
    ];
    assert.equal(
      (await read('What was the export limit of Varn as of June 2022?', limits))!.text,
      '500 rows',
    );
    assert.equal(
      (await read('What was the export limit of Varn as of June 2023?', limits))!.text,
      '900 rows',
    );
  });

  it('asks of "as of" what held then, not what had ended', async () => {
    const text =
      'Varn United played at Mill Lane until 2002, at the Arena from 2002 to 2015, and have ' +
      'played at Riverside since 2015.';
    assert.equal((await read('Where did Varn United play as of 2020?', [text]))!.text, 'Riverside');
    const managers =
      'Varn United were managed by Ada Brandt (1998-2004), Luis Orta (2004-2009) and Mei ' +
      'Sato (since 2009).';
    assert.equal(
      (await read('Who manages Varn United now?', [managers], '2020-05-05'))!.text,
      'Mei Sato',
    );
  });

  it('reads what became of a thing from the date until which it was another', async () => {
    const text = 'The capital of Varn was Lund until 1974, when the government moved to Port Vard.';
    assert.equal((await read('What was the capital of Varn in 1960?', [text]))!.text, 'Lund');
    assert.equal((await read('What was the capital of Varn in 1985?', [text]))!.text, 'Port Vard');
  });

  it('tells where it moved from and to', async () => {
    const text = 'The headquarters of Varn Foods moved from Lund to Brann in April 2014.';
    assert.equal(
      (await read('Where was the headquarters of Varn Foods in 2010?', [text]))!.text,
      'Lund',
    );
    assert.equal(
      (await read('Where was the headquarters of Varn Foods in 2018?', [text]))!.text,
      'Brann',
    );
    const other =
      'In 1990 Ada Brandt moved from Celle to Oslo. The mill of Varn stood in Lund in 1990.';
    assert.equal((await read('Where did the mill of Varn stand in 1995?', [other]))!.text, 'Lund');
  });

  it('knows the irregular forms of what happened', async () => {
    const text =
      'Varn Foods acquired the bakery chain Mill in July 2015 for $75 million and sold it in ' +
      'March 2020.';
    assert.equal((await read('When did Varn Foods sell Mill?', [text]))!.text, 'March 2020');
    assert.equal((await read('When did Varn Foods acquire Mill?', [text]))!.text, 'July 2015');
  });

  it('takes for a quantity what the passages state in digits, with its unit', async () => {
    const versions = [
      'In Varn the default timeout is now 45 seconds. Its author is Ada Brandt.',
      'The bus fare in Lund is 2.20 euros.',
    ];
    assert.equal(
      (await read('What is the default timeout of Varn?', versions))!.text,
      '45 seconds',
    );
    assert.equal((await read('How much is the bus fare in Lund?', versions))!.text, '2.20 euros');
    assert.equal(
      (await read('What were the sales of Varn?', ['In May 2021 Varn had sales of $118 million.']))!
        .text,
      '$118 million',
    );
    assert.equal(
      (await read('What was the slogan of Varn?', [
        'The slogan of Varn was Forward Lund. It has 12 shops.',
      ]))!.text,
      'Forward Lund',
    );
  });

  it('gives the month where a month of a year is asked for', async () => {
    assert.equal(
      (await read('In which month of 2008 did the mill burn down?', [
        'The mill burned down on 21 August 2008.',
      ]))!.text,
      'August',
    );
  });

  it('dates who went by who came, wherever the sentence stands', async () => {
    const text =
      'In Varn as of 8 April 2020 the default number of workers rises from 4 to 16. Files ' +
      'may have 32 MB.';
    assert.equal(
      (await read('How many workers did Varn start by default in 2019?', [text]))!.text,
      '4',
    );
    assert.equal(
      (await read('How many workers did Varn start by default in 2022?', [text]))!.text,
      '16',
    );
  });

  it('knows who did it, and when', async () => {
    const text =
      'The mill was opened by Ada Brandt in 1990 and run by the Varn Society until 2005, ' +
      'when it was sold to Lund Foods.';
    assert.equal((await read('Who opened the mill?', [text]))!.text, 'Ada Brandt');
    assert.equal((await read('Who ran the mill in 1995?', [text]))!.text, 'Varn Society');
    const race = 'The regatta of 2018 was won by Gannet, skippered by Wren Tully, ahead of Petrel.';
    assert.equal((await read('Which boat won the regatta in 2018?', [race]))!.text, 'Gannet');
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

  it('tells the winner by the result, that of its own day', async () => {
    const finals = [
      'The Varn Cup final of 11 May 2013: Quarry beat Dockers 2–0.',
      'The Varn Cup final of 12 May 2012: Harbour 3, Quarry 1.',
    ];
    assert.equal((await read('Who won the Varn Cup in 2012?', finals))!.text, 'Harbour');
    assert.equal((await read('Who lost the Varn Cup final in 2012?', finals))!.text, 'Quarry');
    assert.equal((await read('Who lost the Varn Cup final in 2013?', finals))!.text, 'Dockers');
  });

  it('gives dates of birth and death, the requested version, and places in a roster', async () => {
    const life = 'Ada Brandt (14 June 1889 – 2 March 1971) was an astronomer.';
    assert.equal((await read('When was Ada Brandt born?', [life]))!.text, '14 June 1889');
    assert.equal((await read('When did Ada Brandt die?', [life]))!.text, '2 March 1971');
    const notes = 'Varn 3.0 is out under the Apache licence. The minimum is Python 3.8.';
    assert.equal(
      (await read('Which version of Python does Varn need?', [notes]))!.text,
      'Python 3.8',
    );
    const roll =
      'Directors: Edwin Thrale (1868–1891), Maud Lind (1891–1912), Ruben Castellan ' +
      '(1912–1934), Ines Holl (since 1934).';
    assert.equal((await read('Who was the third director?', [roll]))!.text, 'Ruben Castellan');
    assert.equal(
      (await read('Who succeeded Ruben Castellan as director?', [roll]))!.text,
      'Ines Holl',
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
    assert.ok(spanConfidence! > 0.6);
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

  it('tells who won from who lost, either way it is said', async () => {
    const passages = [
      ['Ana Lind of Norway defeated Eva Ross of Peru in the final.', 'Ana Lind', 'Eva Ross'],
      ['In the final Eva Ross lost to Ana Lind.', 'Ana Lind', 'Eva Ross'],
      ['Eva Ross was beaten by Ana Lind in the final.', 'Ana Lind', 'Eva Ross'],
    ] as const;
    for (const [text, winner, loser] of passages) {
      assert.equal((await read('Who won the final?', [text]))!.text, winner, text);
      assert.equal((await read('Who lost the final?', [text]))!.text, loser, text);
    }
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

  it('gives numbers of the unit asked for', async () => {
    const text =
      'In 2019 there were 4,210 visitors (12.5% more than before), who paid $3.2 million.';
    assert.equal((await read('How many visitors were there in 2019?', [text]))!.text, '4,210');
    assert.equal(
      (await read('By what percentage did visitors rise in 2019?', [text]))!.text,
      '12.5%',
    );
    assert.equal((await read('How much did visitors pay in 2019?', [text]))!.text, '$3.2 million');
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
