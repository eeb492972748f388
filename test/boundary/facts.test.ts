// Requests of the ranking by series whose numbers point outside of what they are of, or whose
// columns differ in length: refused by name, before anything is read.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import type {
  LexiconHandle,
  PassageHandle,
  PassageTexts,
  PlainOrder,
  PlainQuestion,
} from '../../binding.js';
import {
  fullLexicon,
  matched,
  matchInputs,
  newLexicon,
  opened,
  passageTexts,
  plainOrder,
  plainQuestion,
  readPassages,
  encoder,
  type Four,
} from './facts.js';
import { assertEach } from '../assertEach.js';

const [longs, doubles] = [Uint32Array.of.bind(Uint32Array), Float64Array.of.bind(Float64Array)];
const refusal = (message: RegExp) => ({ code: 'ERR_INVALID_ARGUMENT', message });
const readWith = (lexicon: LexiconHandle, spoiled: Partial<PassageTexts> = {}): PassageHandle[] =>
  binding.readPassages(lexicon, { ...passageTexts(), ...spoiled });
const read = (spoiled: Partial<PassageTexts>): PassageHandle[] => readWith(fullLexicon(), spoiled);
/** The numbers with one replaced. */
function replaced<Numbers extends Float64Array | Uint32Array>(
  numbers: Numbers,
  place: number,
  value: number,
): Numbers {
  const copy = numbers.slice() as Numbers;
  copy[place] = value;
  return copy;
}
/** An object with a getter in place of a field, which is called when it is read. */
function trapped<Request extends object>(
  request: Request,
  field: keyof Request,
  act: () => void,
): Request {
  const { [field]: value } = request;
  const get = (): unknown => (act(), value);
  return Object.defineProperty({ ...request }, field, { get, enumerable: true });
}
const detach = ({ buffer }: Float64Array | Uint32Array | Uint8Array): void =>
  void structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
const foreign: [string, unknown][] = [
  ['nothing', undefined],
  ['an object', {}],
  ['a lexicon', newLexicon()],
  ['an encoder', encoder],
  ['a pool', opened().pool],
  ['matches', matched()],
  ['a passage', opened().passages[0]],
];

describe('passages to be read', () => {
  const refused: [string, Partial<PassageTexts>, RegExp][] = [
    ['a text without title', { titles: ['Ida'] }, /titles.*as many as texts/],
    ['a text without reference', { references: doubles(40) }, /references.*of 2/],
    ['a text without sentences', { sentenceEnds: longs(2) }, /sentenceEnds.*of 2/],
    ['sentences that end beyond the last', { sentenceEnds: longs(2, 4) }, /sentenceEnds.*up to 3/],
    ['sentences that end before it', { sentenceEnds: longs(2, 2) }, /sentenceEnds.*up to 3/],
    ['ends that descend', { sentenceEnds: longs(4, 3) }, /sentenceEnds.*ascending/],
    ['half a span', { sentences: longs(0, 9, 10, 19, 0) }, /sentenceEnds.*ascending/],
    ['a sentence beyond its text', { sentences: longs(0, 9, 10, 20, 0, 3) }, /sentences.*within/],
    ['one that ends before it begins', { sentences: longs(9, 0, 10, 19, 0, 3) }, /sentences.*asc/],
    ['sentences that descend', { sentences: longs(10, 19, 0, 9, 0, 3) }, /sentences.*ascending/],
    ['a publication without end', { publishedUntil: doubles(50) }, /publishedUntil.*of 2/],
    ['a passage without validity', { validFrom: doubles(0) }, /validFrom.*of 2/],
    ['a validity without end', { validTo: doubles(0) }, /validTo.*of 2/],
    ['an instant too many', { publishedAt: doubles(1, 2, 3) }, /publishedAt.*of 2/],
  ];
  for (const [what, spoiled, message] of refused)
    it(`with ${what} are refused`, () => assert.throws(() => read(spoiled), refusal(message)));

  it('may have empty texts, sentences and times, and none at all', () => {
    const none = {
      ...{ texts: [], titles: [], sentenceEnds: longs(), sentences: longs() },
      ...{ references: doubles(), publishedAt: doubles(), publishedUntil: doubles() },
      ...{ validFrom: doubles(), validTo: doubles() },
    };
    assert.deepEqual(read(none), []);
    const empty = { texts: ['', ''], sentences: longs(0, 0, 0, 0, 0, 0) };
    const [first] = read(empty);
    assert.deepEqual([...binding.passageColumns(first!).text.words], []);
  });

  it('are read from no array that a getter of the request detaches', () => {
    for (const field of ['sentenceEnds', 'sentences', 'references', 'validTo'] as const) {
      const request = passageTexts();
      const trap = trapped(request, 'publishedAt', () => detach(request[field]));
      assert.throws(
        () => binding.readPassages(fullLexicon(), trap),
        refusal(new RegExp(`${field}.*detached`)),
        field,
      );
    }
  });

  it('have no end that a getter of the request moves behind its check', () => {
    const request = passageTexts();
    const trap = trapped(request, 'publishedAt', () => request.sentenceEnds.fill(9));
    assert.throws(() => binding.readPassages(fullLexicon(), trap), refusal(/sentenceEnds/));
  });

  it('have times that a function says the instants of', () => {
    const { texts } = passageTexts();
    const [from, to] = [Date.UTC(1970, 0), Date.UTC(1971, 0)];
    const readBy = (instantsOf: unknown, spoiled: Partial<PassageTexts> = {}): PassageHandle =>
      binding.readPassages(
        fullLexicon(),
        { ...passageTexts(), ...spoiled },
        instantsOf as Parameters<typeof binding.readPassages>[2],
      )[0]!;
    const asked: number[][] = [];
    const later = (stretches: Float64Array, hasOffset: Uint8Array): Float64Array => {
      asked.push([...stretches, ...hasOffset]);
      return doubles(1, 2, from, to, 1, 2, from, to);
    };
    const { times, titleTimes } = binding.passageColumns(readBy(later));
    assert.deepEqual(asked, [[from, to, from, to, 0, 0]]);
    assert.deepEqual([...times.subarray(0, 5)], [1, 2, NaN, texts[0]!.indexOf('1970'), 0]);
    assert.deepEqual([...titleTimes], [1, 2, NaN, -1, 4]);

    const wrong: [unknown, RegExp][] = [
      [null, /instantsOf.*a function/],
      [{}, /instantsOf.*a function/],
      [() => undefined, /instants.*Float64Array/],
      [() => [1, 2, 3, 4], /instants.*Float64Array/],
      [() => doubles(1, 2), /instants.*of 8/],
      [() => new Float64Array(9), /instants.*of 8/],
      ...[NaN, Infinity, -1e300].flatMap((wrong) =>
        Array.from({ length: 8 }, (_, place): [unknown, RegExp] => [
          () => replaced(new Float64Array(8), place, wrong),
          /instants.*times/,
        ]),
      ),
    ];
    for (const [instantsOf, message] of wrong)
      assert.throws(() => readBy(instantsOf), refusal(message), String(instantsOf));
    // Also where there is nothing to ask.
    const timeless = { texts: ['Ida', 'Ida'], titles: ['', ''], sentenceEnds: longs(0, 0) };
    const nothing = { ...timeless, sentences: longs() };
    assert.throws(() => readBy(1, nothing), refusal(/instantsOf.*a function/));
    assert.ok(readBy(() => assert.fail(), nothing));
    // A mention without an interval has any numbers.
    const never = { ...timeless, texts: ['Ida now', 'Ida'], references: doubles(NaN, NaN) };
    const unknown = (stretches: Float64Array): Float64Array => {
      assert.deepEqual([...stretches], [NaN, NaN]);
      return doubles(NaN, NaN, NaN, NaN);
    };
    const request = {
      ...passageTexts(),
      ...never,
      sentenceEnds: longs(1, 1),
      sentences: longs(0, 7),
    };
    const [passage] = binding.readPassages(newLexicon(), request, unknown);
    assert.deepEqual([...binding.passageColumns(passage!).times], []);

    const mine = new Error('mine');
    const thrown = (): never => {
      throw mine;
    };
    assert.throws(
      () => readBy(thrown),
      (error) => error === mine,
    );
  });

  it('are compared with by words of a string', () => {
    assert.equal(binding.isComparison('higher than in '), true);
    assert.equal(binding.isComparison(''), false);
    for (const wrong of [undefined, 1, ['than ']])
      assert.throws(() => binding.isComparison(wrong as never), refusal(/before.*string/));
  });

  it('have another validity of numbers', () => {
    const [passage] = readPassages(fullLexicon());
    assert.throws(() => binding.withValidity(passage!, '1' as never, 2), refusal(/from.*number/));
    assert.throws(
      () => binding.withValidity(passage!, 1, undefined as never),
      refusal(/to.*number/),
    );
  });

  it('have words and texts by numbers of the lexicon', () => {
    const lexicon = fullLexicon();
    const word = { term: '7.1rc', low: '7.1rc', capital: false, value: true, length: 5 };
    assert.deepEqual(binding.wordOf(lexicon, 2), word);
    const texts = ['ida', '1970', '7.1rc', 'rc'];
    assert.deepEqual(binding.textsOf(lexicon, longs(0, 1, 2, 3)), texts);
    assertEach([...texts, 'c'], (text) => binding.numberOf(lexicon, text), [0, 1, 2, 3, -1]);
    assert.ok(binding.lexiconBytes(lexicon) > binding.lexiconBytes(newLexicon()));
    assert.throws(() => binding.wordOf(lexicon, 4), refusal(/word.*0 to 3/));
    assert.throws(() => binding.wordOf(newLexicon(), 0), refusal(/word/));
    assert.throws(() => binding.textsOf(lexicon, longs(4)), refusal(/numbers.*4/));
    assert.throws(() => binding.numberOf(lexicon, 1 as never), refusal(/text.*string/));
  });
});

describe('pools', () => {
  const refused: [string, Partial<PlainQuestion>, RegExp][] = [
    ['a term without form', { lows: ['ida'] }, /lows.*as many as terms/],
    ['a term without weight', { weights: doubles(1) }, /weights.*of 2/],
    ['a term without rarity', { rarities: doubles(1) }, /rarities.*of 2/],
    ['a term without flags', { flags: Uint8Array.of(1) }, /flags.*of 2/],
    ['a name of no term', { names: longs(2) }, /names.*below 2.*2/],
    ['names that end beyond the last', { nameEnds: longs(2) }, /nameEnds.*up to 1/],
    ['names that descend', { nameEnds: longs(1, 0) }, /nameEnds.*ascending/],
    ['names without end', { nameEnds: longs() }, /nameEnds.*ascending/],
    ['a pair of no first term', { pairs: longs(2, 1) }, /pairs.*below 2.*2/],
    ['a pair of no second term', { pairs: longs(0, 2) }, /pairs.*below 2.*2/],
    ['half a pair', { pairs: longs(0, 1, 0) }, /pairs/],
    ['an anchor of no strings', { anchor: [1] as unknown as string[] }, /anchor.*strings/],
    ['a role that is no string', { role: 1 as unknown as string }, /role.*string/],
    ['a kind of answers of none', { wanted: 10 }, /wanted.*to 9/],
    ['a negative kind of answers', { wanted: -1 }, /wanted.*from 0/],
    ['an order of none', { order: 3 }, /order.*to 2/],
  ];
  for (const [what, spoiled, message] of refused)
    it(`of a question with ${what} are refused`, () => {
      const { lexicon, passages } = opened();
      const question = { ...plainQuestion(), ...spoiled };
      assert.throws(() => binding.openPool(lexicon, passages, question), refusal(message));
    });

  it('of passages of another lexicon are refused, as their vocabulary is', () => {
    const { lexicon, passages } = opened();
    const mixed = [passages[0]!, opened().passages[1]!];
    const message = refusal(/passages.*read with the lexicon/);
    assert.throws(() => binding.openPool(lexicon, mixed, plainQuestion()), message);
    assert.throws(() => binding.vocabularyOf(lexicon, mixed), message);
  });

  it('are of no passage, term or name where there is none', () => {
    const { lexicon } = opened();
    const nothing = {
      ...{ terms: [], lows: [], weights: doubles(), rarities: doubles(), anchor: [], role: '' },
      ...{ flags: new Uint8Array(), nameEnds: longs(), names: longs(), pairs: longs() },
    };
    const question = { ...plainQuestion(), ...nothing };
    const pool = binding.openPool(lexicon, [], question);
    assert.deepEqual([...binding.poolTexts(pool, longs()).ends], [0]);
    const none = doubles();
    const { handle } = binding.matchStatements(pool, none, none, none, none);
    binding.compareMatches(handle, new Uint8Array());
    assert.equal(binding.membersOf(handle, plainOrder(), new Uint8Array()).match.length, 0);
    assert.throws(() => binding.featuresOf(handle, 0), refusal(/match/));
    // A name of no term names nothing.
    const unnamed = { ...plainQuestion(), nameEnds: longs(0), names: longs() };
    assert.ok(binding.openPool(lexicon, readPassages(lexicon), unnamed));
  });

  it('keep their words while the lexicon grows', () => {
    const { lexicon, pool } = opened();
    const inputs = matchInputs(pool) as Four;
    const before = binding.matchStatements(pool, ...inputs);
    readWith(lexicon, { titles: ['x', 'y'] });
    const after = binding.matchStatements(pool, ...inputs);
    for (let match = 0; match < before.candidate.length; match += 1)
      assert.deepEqual(
        binding.featuresOf(after.handle, match),
        binding.featuresOf(before.handle, match),
      );
  });

  it('read no array that a getter of the question detaches', () => {
    const { lexicon, passages } = opened();
    for (const field of ['weights', 'rarities', 'nameEnds'] as const) {
      const question = plainQuestion();
      const last = field === 'nameEnds' ? 'names' : 'flags';
      const trap = trapped(question, last, () => detach(question[field]));
      assert.throws(
        () => binding.openPool(lexicon, passages, trap),
        refusal(new RegExp(`${field}.*detached`)),
        field,
      );
    }
  });
});

describe('matches', () => {
  it('of columns of another length are refused', () => {
    const { pool } = opened();
    const good = matchInputs(pool) as Four;
    ['idf', 'termIdf', 'scores', 'cosines'].forEach((name, place) => {
      for (const length of [good[place]!.length - 1, good[place]!.length + 1]) {
        const inputs = good.with(place, new Float64Array(Math.max(0, length))) as Four;
        if (length < 0) continue;
        assert.throws(
          () => binding.matchStatements(pool, ...inputs),
          refusal(new RegExp(`${name} to be a Float64Array of`)),
        );
      }
      const detached = new Float64Array(good[place]!);
      if (detached.length === 0) return;
      detach(detached);
      assert.throws(
        () => binding.matchStatements(pool, ...(good.with(place, detached) as Four)),
        refusal(new RegExp(`${name}.*detached`)),
      );
    });
  });

  it('take any number for an idf, a score and a cosine', () => {
    const { pool } = opened();
    for (const number of [NaN, Infinity, -Infinity, -1, 0, 1e300]) {
      const inputs = matchInputs(pool).map((each) => each.fill(number)) as Four;
      const { handle } = binding.matchStatements(pool, ...inputs);
      binding.compareMatches(handle, new Uint8Array());
      binding.membersOf(handle, plainOrder(), new Uint8Array());
    }
  });

  it('of no such number are refused', () => {
    const matches = matched();
    const count = 5;
    assert.ok(binding.featuresOf(matches, count - 1));
    for (const match of [-1, count, 0.5, NaN, 2 ** 32]) {
      const message = refusal(/match.*whole number from 0 to 4/);
      assert.throws(() => binding.featuresOf(matches, match), message);
      assert.throws(() => binding.varyingOf(matches, match), message);
      assert.throws(() => binding.hasSubject(matches, match), message);
      assert.throws(() => binding.compareStatements(matches, 0, match), message);
      assert.throws(() => binding.compareStatements(matches, match, 0), message);
    }
  });

  it('are compared and left out one by one', () => {
    const short = new Uint8Array(4);
    assert.throws(() => binding.compareMatches(matched(), short), refusal(/measured.*one a match/));
    assert.throws(
      () => binding.membersOf(matched(), plainOrder(), short),
      refusal(/excluded.*one a match/),
    );
  });
});

describe('members', () => {
  const refused: [string, Partial<PlainOrder>, RegExp][] = [
    ['an order of none', { order: 3 }, /order.*to 2/],
    ['a negative order', { order: -1 }, /order.*from 0/],
    ['an order of none as read', { operatorOrder: 3 }, /operatorOrder.*to 2/],
    ['a place below 1', { place: 0 }, /place.*from 1/],
    ['a place that is no number', { place: NaN }, /place/],
    ['half a window', { window: doubles(1) }, /window.*of 2/],
    ['no window as read', { operatorWindow: doubles() }, /operatorWindow.*of 2/],
    ['half a named time', { named: doubles(1) }, /named.*of 2/],
    ['two windows in which a state is held', { held: doubles(1, 2, 3, 4) }, /held.*of 2/],
    ['half an alternative', { alternatives: doubles(1, 2, 3) }, /alternatives/],
    ['a time of asking that is no number', { askedAt: '1' as unknown as number }, /askedAt/],
    ['a flag that is no boolean', { isEvent: 1 as unknown as boolean }, /isEvent.*boolean/],
  ];
  for (const [what, spoiled, message] of refused)
    it(`of ${what} are refused`, () =>
      assert.throws(
        () => binding.membersOf(matched(), { ...plainOrder(), ...spoiled }, new Uint8Array()),
        refusal(message),
      ));

  it('are of any window', () => {
    const numbers = [NaN, -Infinity, Infinity, 1e300, -1e300, 0];
    const matches = matched();
    for (const start of numbers)
      for (const end of numbers)
        for (const order of [0, 1, 2]) {
          const window = doubles(start, end);
          const asked = { ...plainOrder(), order, window, held: window, operatorWindow: window };
          const { rank } = binding.membersOf(matches, asked, new Uint8Array());
          assert.ok(rank.every((each) => each >= 0 && each < rank.length));
        }
  });

  it('read no array that a getter of what is asked detaches', () => {
    const excluded = new Uint8Array(5);
    const trap = trapped(plainOrder(), 'isEvent', () => detach(excluded));
    assert.throws(
      () => binding.membersOf(matched(), trap, excluded),
      refusal(/excluded.*detached/),
    );
  });

  it('hold in a window of two numbers by a time of five', () => {
    const window = doubles(0, 1);
    const holdsIn = (own: Float64Array, other = window): number =>
      binding.holdingIn(own, other, false, 0);
    const time = doubles(0, 10, NaN, 0);
    assert.throws(() => holdsIn(doubles(1, 2)), refusal(/time.*of 4/));
    assert.throws(() => holdsIn(time, doubles(1)), refusal(/window.*of 2/));
    assert.equal(holdsIn(time), 0);
  });
});

describe('handles', () => {
  const uses: [string, string, (handle: never) => unknown][] = [
    ['lexicon', 'a lexicon', (handle) => readWith(handle)],
    ['lexicon', 'a lexicon', (handle) => binding.vocabularyOf(handle, [])],
    ['lexicon', 'a lexicon', (handle) => binding.openPool(handle, [], plainQuestion())],
    ['passage', 'a passage', (handle) => binding.passageColumns(handle)],
    ['passage', 'a passage', (handle) => binding.withValidity(handle, 0, 1)],
    ['passage', 'a passage', (handle) => binding.vocabularyOf(opened().lexicon, [handle])],
    ['pool', 'a pool', (handle) => binding.poolTexts(handle, longs())],
    ['pool', 'a pool', (handle) => binding.poolWords(handle, longs(), longs())],
    ['pool', 'a pool', (handle) => binding.coverageOf(handle, doubles(), doubles())],
    [
      'pool',
      'a pool',
      (handle) => binding.matchStatements(handle, doubles(), doubles(), doubles(), doubles()),
    ],
    ['matches', 'matches', (handle) => binding.compareMatches(handle, new Uint8Array())],
    ['matches', 'matches', (handle) => binding.featuresOf(handle, 0)],
    ['matches', 'matches', (handle) => binding.varyingOf(handle, 0)],
    ['matches', 'matches', (handle) => binding.hasSubject(handle, 0)],
    ['matches', 'matches', (handle) => binding.compareStatements(handle, 0, 0)],
    ['matches', 'matches', (handle) => binding.membersOf(handle, plainOrder(), new Uint8Array())],
  ];
  it('of another kind are refused by name', () => {
    for (const [name, own, use] of uses)
      for (const [what, handle] of foreign)
        if (what !== own)
          assert.throws(
            () => use(handle as never),
            refusal(new RegExp(`^Expected ${name} to be what \\w+ gave`)),
            `${name}, ${what}`,
          );
  });
});
