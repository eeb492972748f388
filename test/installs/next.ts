// Next.js: a minimal app with one route handler, made by hand, built and started by each of its
// bundlers; then its standalone output, which must run away from the project.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Group, Surroundings } from './cases.js';
import { answersOf, checkAnswers, ours, stop, type Environment, type Project } from './project.js';
import { answering, freePort } from './ports.js';

const files = {
  'app/layout.js':
    'export default function Layout({ children }) { return <html><body>{children}</body></html>; }',
  'app/page.js': 'export default function Page() { return <p>asof</p>; }',
  'app/ask/route.js': `import { answers } from '../../answers.mjs';
    export const dynamic = 'force-dynamic';
    export const GET = async () => Response.json(await answers('next.asof'));`,
  'app/api/asof/[[...path]]/route.js': `import { corpusServer } from '@asof/server';
    export const dynamic = 'force-dynamic';
    let server;
    const answer = async (request) => {
      server ??= corpusServer({ corpora: { ministers: 'next.asof' }, basePath: '/api/asof' });
      return (await server).fetch(request);
    };
    export { answer as GET, answer as POST };`,
};

let installed: Project | undefined;

function nextProject({ project }: Surroundings): Project {
  if (installed) return installed;
  installed = project('next');
  for (const [path, text] of Object.entries(files)) installed.write(path, text);
  installed.npm(...ours, 'next', 'react', 'react-dom');
  return installed;
}

async function checkServer(project: Project, args: readonly string[], more: Environment = {}) {
  const port = await freePort();
  const child = project.start('node', args, { PORT: String(port), ...more });
  try {
    await answering(`http://127.0.0.1:${port}/`);
    checkAnswers(await answersOf(`http://127.0.0.1:${port}/ask`), { onnx: false });
    await checkMounted(`http://127.0.0.1:${port}/api/asof`);
  } finally {
    await stop(child);
  }
}

/** A question to `@asof/server` in a route handler, with its evidence as it comes. */
async function checkMounted(base: string): Promise<void> {
  const response = await fetch(`${base}/v1/corpora/ministers/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
    body: JSON.stringify({ question: 'Who was UK prime minister as of 6 May 2021?' }),
  });
  const lines = (await response.text()).trim().split('\n');
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
  assert.deepEqual([response.status, types[0], types.at(-1)], [200, 'evidence', 'result']);
}

const cli = 'node_modules/next/dist/bin/next';

function build(project: Project, bundler: string, config: string): void {
  project.write('next.config.mjs', `export default { ${config} };`);
  project.run('node', [cli, 'build', `--${bundler}`]);
}

const started = (bundler: string): Case => ({
  name: `Next.js, ${bundler}`,
  async run(surroundings) {
    const project = nextProject(surroundings);
    build(project, bundler, '');
    await checkServer(project, [cli, 'start']);
  },
});

const needed = '{asof,@asof,@huggingface,node-gyp-build}';
const line = `outputFileTracingIncludes: { '/**': ['node_modules/${needed}/**'] }`;

const standalone = (bundler: string): Case => ({
  name: `Next.js, ${bundler}, standalone`,
  line,
  async run(surroundings) {
    const project = nextProject(surroundings);
    build(project, bundler, `output: 'standalone', ${line}`);
    const away = project.beside();
    cpSync(join(project.folder, '.next', 'standalone'), away.folder, { recursive: true });
    await project.without('node_modules', () => checkServer(away, ['server.js']));
  },
});

export const next: Group = {
  title: 'Next.js',
  cases: ['turbopack', 'webpack'].flatMap((bundler) => [started(bundler), standalone(bundler)]),
};
