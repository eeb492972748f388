// What the passages state of a noun makes a question of it one of a quantity.
import assert from 'node:assert/strict';
import { inferType } from '../../lib/reading/inferredType.js';

const kind = (question: string, ...texts: string[]): string | undefined =>
  inferType(
    question,
    texts.map((text) => ({ text })),
  );

describe('the kind that passages tell', () => {
  it('is a quantity where most of what is stated of the noun is one', () => {
    assert.equal(
      kind('What is the default timeout?', 'The default timeout is now 45 seconds.'),
      'number',
    );
    assert.equal(
      kind('What were the sales of Varn?', 'Sales of Varn in May 2021 rose to $118 million.'),
      'number',
    );
    assert.equal(
      kind('What is the impact factor of the Annals?', 'The Annals has an impact factor of 3.3.'),
      'number',
    );
  });
  it('stays a name where names are stated, years, or nothing', () => {
    assert.equal(
      kind('What was the slogan of Varn?', 'The slogan of Varn was Forward Lund. It has 12 shops.'),
      'name',
    );
    assert.equal(
      kind(
        'What is the default timeout?',
        'The timeout was 30 once.',
        'The timeout is gone.',
        'The timeout is set by Varn.',
      ),
      'name',
    );
    assert.equal(kind('What was the emblem of Varn?', 'The emblem of 1931 was a heron.'), 'name');
    assert.equal(
      kind('What was the mill located in Lund designed as?', 'It is located at 12 Mill Lane.'),
      'name',
    );
  });
  it('leaves the kinds that a question tells', () => {
    assert.equal(kind('Who set the timeout?', 'The timeout is 45 seconds.'), 'person');
    assert.equal(kind('When was the timeout set?', 'The timeout is 45 seconds.'), 'date');
  });
  it('reads a text that is one long word no slower than its length', () => {
    const started = process.cpuUsage();
    kind(
      'What is the timeout?',
      `timeout of ${'A'.repeat(20_000)}`,
      'timeout of A '.repeat(2_000),
      `timeout of ${'A '.repeat(10_000)}`,
    );
    assert.ok(process.cpuUsage(started).user < 500_000);
  });
});
