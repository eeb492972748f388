// Matcher of AsOfErrors for assert.rejects and assert.throws, by code, message and details.
import assert from 'node:assert/strict';
import { AsOfError } from '../lib/errors.js';

export const failsWith =
  (code: string, pattern = /./, details: Readonly<Record<string, unknown>> = {}) =>
  (error: unknown): true => {
    assert.ok(AsOfError.is(error), String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    for (const [name, value] of Object.entries(details))
      assert.equal(error.details[name], value, name);
    return true;
  };
