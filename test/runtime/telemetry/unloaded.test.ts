// Without OpenTelemetry: an installation that lacks all of its packages answers, asks for none of
// them, and finds an SDK that is registered by another copy of the API.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../publicApi.js';

/** Prints every module that a process asks for, by import and by require. */
const spy = `
import { createRequire, register } from 'node:module';
const Module = createRequire(import.meta.url)('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  console.log('asked for ' + request);
  return resolve(request, ...rest);
};
register('data:text/javascript,' + encodeURIComponent(\`
import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  writeSync(1, 'asked for ' + specifier + String.fromCharCode(10));
  return next(specifier, context);
}
\`));
`;

const program = `
import { Corpus, hybrid } from 'asof';
const corpus = await Corpus.open('corpus.asof');
await corpus.add([{ id: 'may', text: 'Theresa May became prime minister on 13 July 2016.' }]);
const { evidence } = await hybrid({ corpus }).run({ text: 'Who became prime minister in 2016?' });
console.log('answered ' + evidence[0].id);
const spans = [];
const noop = { isRecording: () => false, setAttributes() {}, setStatus() {}, end() {} };
globalThis[Symbol.for('opentelemetry.js.api.1')] = {
  version: '1.4.0',
  trace: { getTracer: () => ({ startActiveSpan: (name, _, run) => (spans.push(name), run(noop)) }) },
};
await hybrid({ corpus }).run({ text: 'Who became prime minister in 2016?' });
console.log('observed ' + spans[0]);
await corpus.close();
`;

describe('an installation without OpenTelemetry', () => {
  let folder: string;
  before(() => {
    assert.ok(existsSync(join(root, 'dist', 'index.js')), 'run npm run build first');
    folder = mkdtempSync(join(tmpdir(), 'asof-unloaded-'));
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'asof'), { recursive: true });
    // Copied, since packages are looked for from where a link leads.
    for (const part of ['package.json', 'dist'])
      cpSync(join(root, part), join(modules, 'asof', part), { recursive: true });
    for (const part of ['models', 'build'])
      symlinkSync(join(root, part), join(modules, 'asof', part));
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@opentelemetry' && name !== 'asof')
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
    writeFileSync(join(folder, 'package.json'), '{"name":"app","type":"module"}');
    writeFileSync(join(folder, 'spy.mjs'), spy);
    writeFileSync(join(folder, 'program.mjs'), program);
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('answers, asks for none of its packages, and sees a later SDK', () => {
    const printed = execFileSync(process.execPath, ['--import', './spy.mjs', 'program.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    }).split('\n');
    const requested = printed.filter((line) => line.startsWith('asked for '));
    assert.ok(requested.includes('asked for asof'), printed.join('\n'));
    assert.ok(
      requested.some((line) => line.endsWith('.node')),
      requested.join('\n'),
    );
    assert.deepEqual(
      requested.filter((line) => line.includes('opentelemetry')),
      [],
    );
    assert.ok(printed.includes('answered may'));
    assert.ok(printed.includes('observed retrieval corpus.asof'));
  });
});
