// The case ai7 tests this major version of the AI SDK.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

it('is ai@7', () => {
  const { version } = JSON.parse(readFileSync('node_modules/ai/package.json', 'utf8')) as {
    version: string;
  };
  assert.match(version, /^7\./);
});
