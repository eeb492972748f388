// docs/http-api.md is made of the description that the server has of itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { start } from './started.js';

const { httpApi, page } = createRequire(import.meta.url)('../../../../scripts/http-api.cjs') as {
  httpApi(description: unknown): string;
  page: string;
};

describe('the page of the HTTP API', () => {
  it('is that of the description: npm run build; node scripts/http-api.cjs', async () => {
    const { call, stop } = await start({ token: 'a-token-of-this-test' });
    const { json } = await call('GET', '/openapi.json');
    await stop();
    assert.equal(readFileSync(page, 'utf8'), httpApi(json));
    for (const path of Object.keys(json['paths'] as object))
      assert.ok(httpApi(json).includes(` ${path}\n`), path);
  });
});
