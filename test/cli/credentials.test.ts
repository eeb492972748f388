// URLs in messages: what stays of them, and that users and passwords never do.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serverUrls, shownCorpus, withoutCredentials } from '../../lib/cli/credentials.js';

describe('URLs of servers', () => {
  it('are shown by host, port and database', () => {
    assert.equal(shownCorpus('wiki.asof'), 'wiki.asof');
    assert.equal(
      shownCorpus('postgres://me:pw@a:1/x?sslmode=require,postgresql://b/y'),
      'postgres://a:1/x,postgres://b/y',
    );
    assert.equal(shownCorpus('postgres://me:p w@a:b/x'), 'postgres://...');
    assert.equal(
      shownCorpus('opensearch://me:pw@a:9200/wiki?tls=false,opensearch://b/wiki'),
      'opensearch://a:9200/wiki,opensearch://b/wiki',
    );
    assert.equal(shownCorpus('opensearch://me:p w@a:b/x'), 'opensearch://...');
  });

  it('are divided at commas before the next one alone', () =>
    assert.deepEqual(serverUrls('postgres://me:a,b@h/x, postgresql://i/y'), [
      'postgres://me:a,b@h/x',
      'postgresql://i/y',
    ]));

  it('of OpenSearch are divided likewise', () =>
    assert.deepEqual(serverUrls('opensearch://me:a,b@h, opensearch://i/y'), [
      'opensearch://me:a,b@h',
      'opensearch://i/y',
    ]));

  it('lose users and passwords in messages, which else stay as they are', () => {
    for (const [message, expected] of [
      ['Expected a, received b@c.d.', 'Expected a, received b@c.d.'],
      ['at "postgres://me:p@ss@h/x".', 'at "postgres://h/x".'],
      ['at postgres:/me:pw@h/x, found', 'at postgres:/h/x, found'],
      ['of postgres://a:b@h/x,postgres://c:d@i/y?', 'of postgres://h/x,postgres://i/y?'],
      ['at "opensearch://me:p@ss@h/x".', 'at "opensearch://h/x".'],
      ['of opensearch://a:b@h,opensearch://c:d@i/y?', 'of opensearch://h,opensearch://i/y?'],
      ['of postgres://h/x?user=me&password=pw&a=b', 'of postgres://h/x?user=...&password=...&a=b'],
    ] as const)
      assert.equal(withoutCredentials(message), expected);
  });

  it('have no password of the arguments in a message, whatever it is made of', () => {
    const secret = fc.string({ minLength: 3, maxLength: 12 }).map((text) => `~${text}~`);
    fc.assert(
      fc.property(secret, fc.boolean(), fc.boolean(), (password, isQuoted, isNamed) => {
        const url = `postgres://me:${password}@h:5432/x`;
        const argument = isNamed ? `a=${url}` : url;
        const message = `Expected a folder, received ${isQuoted ? JSON.stringify(argument) : argument}.`;
        assert.ok(!withoutCredentials(message, ['copy', argument]).includes(password));
      }),
    );
  });
});
