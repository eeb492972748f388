// Bundlers: the service built in a project that has asof installed, run there, and run once more
// from a folder of its own.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Group, Surroundings } from './cases.js';
import { checkAnswers, ours, type Project } from './project.js';

const packages = ['esbuild', 'webpack', 'webpack-cli', 'rollup', 'vite', '@vercel/nft'];
const plugins = ['@rollup/plugin-node-resolve', '@rollup/plugin-commonjs'];

let installed: Project | undefined;

/** The project of all bundlers, installed once. */
function bundlerProject({ project }: Surroundings): Project {
  if (installed) return installed;
  installed = project('bundlers');
  installed.npm(...ours, ...packages, ...plugins);
  installed.linkOnnxRuntime();
  return installed;
}

/** What a bundle says where asof is not installed: asof if it is in the bundle, else Node. */
const missing =
  /AsOfError\]?: Expected the package asof in node_modules above .* Do: npm i|Cannot find (?:package|module) 'asof'/;

/** Runs a bundle in its project, and away from it: without asof, then with it. */
async function checkBundle(project: Project, bundle: string): Promise<void> {
  checkAnswers(await project.serve('node', [bundle]), { onnx: true });
  const file = bundle.split('/').at(-1)!;
  const away = project.beside();
  cpSync(join(project.folder, bundle), join(away.folder, file));
  await project.without('node_modules', async () => {
    // Into a file: Node cuts short what it prints to a pipe after a bundle's one long line.
    const { status } = away.run('sh', ['-c', `node ${file} > said.txt 2>&1`], { mayFail: true });
    assert.notEqual(status, 0);
    assert.match(away.read('said.txt'), missing);
    away.npm(...ours);
    checkAnswers(await away.serve('node', [file]), { onnx: false });
  });
}

interface Build {
  line?: string;
  files?: Readonly<Record<string, string>>;
  command: readonly string[];
  bundle: string;
}

const bundled = (name: string, { line, files = {}, command, bundle }: Build): Case => ({
  name,
  ...(line !== undefined && { line }),
  async run(surroundings) {
    const project = bundlerProject(surroundings);
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    project.run('npx', ['--no-install', ...command]);
    await checkBundle(project, bundle);
  },
});

const esbuild = (format: string, bundle: string, ...more: string[]): Build => ({
  command: [
    ...['esbuild', 'service.mjs', '--bundle', '--platform=node', '--log-level=warning'],
    ...[`--format=${format}`, `--outfile=${bundle}`, ...more],
  ],
  bundle,
});

const webpack = (bundle: string, more = ''): Build => ({
  files: {
    'webpack.config.mjs': `export default {
      target: 'node', mode: 'production', entry: './service.mjs',
      output: { path: import.meta.dirname, filename: '${bundle}' }, ${more}
    };`,
  },
  command: ['webpack', '--config', 'webpack.config.mjs'],
  bundle,
});

const rollup: Build = {
  files: {
    'rollup.config.mjs': `import commonjs from '@rollup/plugin-commonjs';
      import resolve from '@rollup/plugin-node-resolve';
      export default {
        input: 'service.mjs', output: { file: 'rollup-out/main.mjs' }, plugins: [resolve(), commonjs()],
      };`,
  },
  command: ['rollup', '--config', 'rollup.config.mjs', '--silent'],
  bundle: 'rollup-out/main.mjs',
};

const vite = (outDir: string, config: string): Build => ({
  files: { 'vite.config.mjs': `export default ${config};` },
  command: ['vite', 'build', '--ssr', 'service.mjs', '--outDir', outDir],
  bundle: `${outDir}/service.mjs`,
});

/** The files that the tracer of serverless platforms finds are enough. */
const traced: Case = {
  name: '@vercel/nft',
  async run(surroundings) {
    const project = bundlerProject(surroundings);
    project.write(
      'trace.mjs',
      `import { nodeFileTrace } from '@vercel/nft';
       console.log(JSON.stringify([...(await nodeFileTrace(['service.mjs'])).fileList]));`,
    );
    const files = JSON.parse(project.run('node', ['trace.mjs']).output) as string[];
    const away = project.beside();
    for (const path of files)
      if (!path.includes('onnxruntime-node'))
        cpSync(join(project.folder, path), join(away.folder, path), { recursive: true });
    await project.without('node_modules', async () =>
      checkAnswers(await away.serve('node', ['service.mjs']), { onnx: false }),
    );
  },
};

const cases: readonly Case[] = [
  bundled('esbuild, ESM', esbuild('esm', 'esbuild-out/main.mjs')),
  bundled('esbuild, CommonJS', esbuild('cjs', 'esbuild-out/main.cjs')),
  bundled('esbuild, --external:asof', {
    ...esbuild('esm', 'esbuild-out/external.mjs', '--external:asof'),
  }),
  bundled('webpack 5', webpack('webpack-out/main.cjs')),
  bundled('webpack 5, externals', {
    ...webpack('webpack-out/external.cjs', `externals: /^asof/, externalsType: 'commonjs'`),
  }),
  bundled('Rollup', rollup),
  bundled('Vite SSR', vite('vite-out', '{}')),
  bundled('Vite SSR, ssr.noExternal', vite('vite-whole', '{ ssr: { noExternal: true } }')),
  traced,
];

export const bundlers: Group = { title: 'Bundlers', cases };
