// The small parts that TEMPO's data is read with: lists that Python printed, its names, and what
// stands in for an absent package.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  annotatedClasses,
  breakdownClass,
  classOrder,
  reportedClass,
  reportedClasses,
  tempoDomains,
} from '../../lib/tempo/names.js';
import { importReader } from '../../../documents/lib/parquet.js';
import { pythonList } from '../../lib/tempo/pythonList.js';

/** As Python's repr() writes a list of texts. */
function python(texts: readonly string[]): string {
  const one = (text: string): string => {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    const body = [...text].map((each) => {
      const code = each.codePointAt(0)!;
      if (each === '\\' || each === quote) return `\\${each}`;
      if (each === '\n') return '\\n';
      if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
      if (code >= 0xd800 && code < 0xe000) return `\\u${code.toString(16)}`;
      return each;
    });
    return `${quote}${body.join('')}${quote}`;
  };
  return `[${texts.map(one).join(', ')}]`;
}

describe('the parts of TEMPO', () => {
  it('reads every list of texts that Python writes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) =>
        assert.deepEqual(pythonList(python(texts)), texts),
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) =>
        assert.deepEqual(pythonList(python(texts)), texts),
      ),
    );
  });

  it('reads JSON lists, numbers and blanks, and nothing else', () => {
    assert.deepEqual(pythonList(' ["a", "b\'s", "é"] '), ['a', "b's", 'é']);
    assert.deepEqual(pythonList("['a',]"), ['a']);
    assert.deepEqual(
      [pythonList('[]'), pythonList('[ ]'), pythonList('[12, 7]')],
      [[], [], ['12', '7']],
    );
    for (const wrong of [
      '',
      '[',
      "['a'",
      "['a' 'b']",
      "['a]",
      '[,]',
      '[None]',
      "a', 'b",
      "['\\U00ffffff']",
      "['a'] x",
    ]) {
      assert.equal(pythonList(wrong), undefined, wrong);
    }
    // whatever it is, an answer
    fc.assert(fc.property(fc.string(), (text) => void pythonList(text)));
  });

  it('keeps the eleven classes of the prompt and the ten of the text', () => {
    assert.deepEqual(
      [annotatedClasses.length, reportedClasses.length, tempoDomains.length],
      [11, 10, 13],
    );
    const columns = annotatedClasses.map(reportedClass);
    const others = annotatedClasses.filter((_, at) => columns[at] === 'OTH');
    assert.deepEqual(others, [
      'historical_misinterpretation_or_reenactment',
      'artifact_verification',
    ]);
    assert.equal(new Set(columns).size, 10);
    assert.deepEqual(
      [reportedClass(''), reportedClass(undefined), reportedClass('none')],
      ['OTH', 'OTH', 'OTH'],
    );
    assert.deepEqual(
      [
        breakdownClass('causation_analysis'),
        breakdownClass('causation_analysis', 'annotated'),
        breakdownClass(undefined, 'annotated'),
      ],
      ['CAU', 'causation_analysis', 'none'],
    );
    assert.throws(() => breakdownClass('x', 'other' as 'reported'), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.ok(classOrder('EAL') < classOrder('HAC'));
  });

  it('names the command that installs an absent package', async () => {
    await assert.rejects(importReader('hyparquet-that-is-not-there', 'documents/law.parquet'), {
      code: 'ERR_NATIVE_UNAVAILABLE',
      message:
        'Expected hyparquet-that-is-not-there to read documents/law.parquet, it is not ' +
        'installed. ' +
        'Do: npm install hyparquet-that-is-not-there (or keep the data as JSON lines, which ' +
        'need nothing)',
    });
  });
});
