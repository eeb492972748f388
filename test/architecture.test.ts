// The architecture that a program can check: direction of imports, what packages may use of the
// core, circles, dead files, absolute paths and hosts of registries. A failure names the file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const modulesOf = (pattern: RegExp): string[] =>
  tracked.filter((path) => pattern.test(path) && path.endsWith('.ts') && !path.endsWith('.d.ts'));

/** Folders of lib/, each of which imports only from folders before it. */
const folders = [
  'runtime',
  'text',
  'time',
  'vectors',
  'statements',
  'store',
  'retrieval',
  'facts',
  'reading',
  'systems',
  'models',
  'papers',
  'cli',
];
/** What is in them, in the same order. */
const parts: Record<string, string[]> = {
  store: [
    'fields',
    'passages',
    'scorePlan',
    'format',
    'corpusOptions',
    'views',
    'info',
    'writing',
    'questionQueue',
    'derived',
    'searchableCorpus',
    'joinedCorpora',
    'storedCorpus',
    'copy',
    'corpusHandle',
    'opening',
    'remote',
    'verification',
    'backup',
    'restore',
    'corpus',
    'repair',
  ],
  facts: ['question', 'features', 'members', 'ranking', 'conflicts'],
};
const rootModules = ['pipeline', 'records', 'errors', 'binding'];
const coreEntries = ['index', 'kit', 'time/index', 'papers/index', 'models/index', 'cli/index'].map(
  (name) => `lib/${name}.ts`,
);
/** What packages may use of the core. */
const subpaths = ['', '/time', '/papers', '/models', '/kit', '/command'].map(
  (each) => `asof${each}`,
);
/** Of browser code in bundles, which no entry of asof can be. */
const bundledSources = 'packages/pages/lib/asof.ts';

const core = modulesOf(/^lib\//);
const satellites = modulesOf(/^packages\/[^/]+\/lib\//);
const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/');
const manifestOf = (folder: string) =>
  JSON.parse(read(`${folder}/package.json`)) as {
    name: string;
    exports: Record<string, string | { default: string }>;
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
  };

const specifiersOf = (path: string): string[] =>
  [...read(path).matchAll(/(?:\bfrom |import\(\s*|new URL\(\s*|^import )'([^'\s]+)'/gm)].map(
    ([, name]) => name!,
  );

/** The modules here that a module imports, or starts as a thread, as paths from the root. */
function imports(path: string): string[] {
  const near = specifiersOf(path).filter((name) => name.startsWith('.'));
  const threads = read(path).matchAll(/installedFile\('(lib\/[^']+\.ts)'\)/g);
  return [
    ...near.map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, '.ts')),
    ...[...threads].map(([, name]) => name!),
  ];
}

describe('the page of the architecture', () => {
  /** The folders that a line of its first section lists. */
  const listed = (parent: string): string[] => {
    const line = new RegExp(`^${parent}/ +(.*)$`, 'm').exec(read('docs/architecture.md'));
    return line![1]!.split(/ +/);
  };
  const existing = (parent: string): string[] => [
    ...new Set(tracked.flatMap((path) => new RegExp(`^${parent}/([^/]+)/`).exec(path)?.[1] ?? [])),
  ];

  it('lists the folders of lib in the order of their imports', () =>
    assert.deepEqual(listed('lib'), folders));

  for (const parent of ['lib', 'packages', 'native'])
    it(`lists every folder of ${parent}`, () =>
      assert.deepEqual(listed(parent).sort(), existing(parent).sort()));
});

describe('the core', () => {
  it('has folders that import only from those before them and from the root modules', () => {
    const wrong: string[] = [];
    const placeOf = (path: string): string | undefined => /^lib\/(\w+)\//.exec(path)?.[1];
    for (const path of core) {
      const folder = placeOf(path);
      for (const target of imports(path).filter((each) => each.startsWith('lib/'))) {
        const other = placeOf(target);
        if (folder === undefined || other === folder) continue;
        const isFine =
          other === undefined
            ? rootModules.includes(target.slice(4, -3))
            : folders.includes(other) && folders.indexOf(other) < folders.indexOf(folder);
        if (!isFine) wrong.push(`${path} imports ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  for (const [folder, names] of Object.entries(parts))
    it(`has parts of ${folder} that import only from those before them`, () => {
      const inside = core.filter((path) => path.startsWith(`lib/${folder}/`));
      const placeOf = (path: string): number =>
        names.indexOf(path.split('/')[2]!.replace(/\.ts$/, ''));
      const placeless = inside.filter((path) => placeOf(path) < 0);
      assert.deepEqual(placeless, []);
      const wrong = inside.flatMap((path) =>
        imports(path)
          .filter((target) => inside.includes(target) && placeOf(target) > placeOf(path))
          .map((target) => `${path} imports ${target}`),
      );
      assert.deepEqual(wrong, []);
    });

  it('has folders in folders that import one way', () => {
    // Of each folder the files and folders in it, which are one node each: no circle among them.
    const foldersInside = new Set(
      core.flatMap((path) =>
        path
          .split('/')
          .slice(1, -1)
          .map((_, depth, parts) => ['lib', ...parts.slice(0, depth + 1)].join('/')),
      ),
    );
    for (const folder of foldersInside) {
      const childOf = (path: string): string => path.slice(folder.length + 1).split('/')[0]!;
      const below = new Map<string, Set<string>>();
      for (const path of core.filter((each) => each.startsWith(`${folder}/`)))
        for (const target of imports(path).filter((each) => each.startsWith(`${folder}/`))) {
          const [from, to] = [childOf(path), childOf(target)];
          if (from !== to) below.set(from, (below.get(from) ?? new Set()).add(to));
        }
      const circle = circleIn(below);
      assert.equal(circle, undefined, `in ${folder}: ${circle?.join(' -> ')}`);
    }
  });

  it('has root modules that import no folder but the runtime', () => {
    const wrong = rootModules.flatMap((name) =>
      imports(`lib/${name}.ts`).filter((target) => /^lib\/(?!runtime\/)\w+\//.test(target)),
    );
    assert.deepEqual(wrong, []);
  });

  it('knows of packages in the command line alone', () => {
    const wrong = core.filter(
      (path) =>
        !path.startsWith('lib/cli/') &&
        specifiersOf(path).some((name) => name.startsWith('@asof/') || name.startsWith('asof')),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('a package', () => {
  it('uses of asof its subpaths, of others what its package.json names', () => {
    const wrong: string[] = [];
    for (const path of satellites) {
      if (path === bundledSources) continue;
      const { dependencies = {}, peerDependencies = {} } = manifestOf(packageOf(path));
      const allowed = [...Object.keys({ ...dependencies, ...peerDependencies }), '@asof/pages'];
      for (const name of specifiersOf(path)) {
        const isFine =
          name.startsWith('.') || name.startsWith('node:')
            ? !normalize(join(dirname(path), name)).startsWith('..')
            : /^asof(?:\/|$)/.test(name)
              ? subpaths.includes(name)
              : /\/page\//.test(path) || allowed.some((each) => `${name}/`.startsWith(`${each}/`));
        if (!isFine) wrong.push(`${path} imports ${name}`);
      }
      for (const target of imports(path))
        if (packageOf(target) !== packageOf(path)) wrong.push(`${path} imports ${target}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('uses each name of asof/kit and asof/command, which have no more than before', () => {
    const used = new Map<string, Set<string>>(subpaths.map((name) => [name, new Set()]));
    for (const path of satellites)
      for (const [, names, from] of read(path).matchAll(/\{([^}]*)\} from '(asof[^']*)'/g))
        for (const name of namesIn(names!)) used.get(from!)?.add(name);
    // Ratchets: they only fall.
    const most = { kit: 80, 'cli/index': 32 };
    for (const [file, limit] of Object.entries(most)) {
      const text = read(`lib/${file}.ts`);
      const names = [
        ...[...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, each]) =>
          namesIn(each!),
        ),
        ...[...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name!),
      ];
      const entry = file === 'kit' ? 'asof/kit' : 'asof/command';
      assert.deepEqual(
        names.filter((name) => !used.get(entry)!.has(name)),
        [],
        `${entry} has names that no package uses`,
      );
      assert.ok(names.length <= limit, `${entry} has ${names.length} names, ${limit} before`);
    }
  });
});

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map(
      (each) =>
        each
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0]!,
    )
    .filter((name) => name !== '');

/** A circle of a graph, if it has one. */
function circleIn(below: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(node)) return [...above.slice(above.indexOf(node)), node];
    if (done.has(node)) return undefined;
    done.add(node);
    for (const next of below.get(node) ?? []) {
      const circle = visit(next, [...above, node]);
      if (circle) return circle;
    }
    return undefined;
  };
  for (const node of below.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}

describe('the modules', () => {
  const all = [...core, ...satellites];

  it('do not import each other in a circle', () => {
    const below = all.map((path): [string, Set<string>] => [
      path,
      new Set(imports(path).filter((target) => target !== path && all.includes(target))),
    ]);
    assert.equal(circleIn(new Map(below))?.join(' -> '), undefined);
  });

  it('are reached from public entries, the command line, the worker or the pages', () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path) || !all.includes(path)) return;
      reached.add(path);
      imports(path).forEach(visit);
    };
    const packages = [...new Set(satellites.map(packageOf))];
    const entries = packages.flatMap((folder) =>
      Object.values(manifestOf(folder).exports).flatMap((entry) =>
        typeof entry === 'string'
          ? []
          : [`${folder}/${entry.default.replace('./dist', 'lib').replace('.js', '.ts')}`],
      ),
    );
    const pages = [
      'packages/evaluation/lib/report/page/main.ts',
      'packages/server/lib/page/main.ts',
      ...satellites.filter((path) => path.startsWith('packages/pages/')),
    ];
    const started = ['lib/cli/main.ts', 'lib/models/onnx/worker.ts'];
    [...coreEntries, ...started, ...entries, ...pages].forEach(visit);
    assert.deepEqual(
      all.filter((path) => !reached.has(path)),
      [],
    );
  });

  it('of pages, which run in a browser, are imported by nothing else', () => {
    const isOfPage = (path: string): boolean =>
      /^packages\/(?:evaluation\/lib\/report|server\/lib)\/page\//.test(path);
    assert.deepEqual(
      satellites.filter((path) => !isOfPage(path) && imports(path).some(isOfPage)),
      [],
    );
  });
});

describe('what is tracked', () => {
  it('has no absolute path and no registry host', () => {
    const banned = [
      /(?:^|["'\s])\/(?:work|root|home|tmp)\//,
      /https?:\/\/[\w.-]*(?:npm|pypi|python|debian|crates|maven)[\w.-]*\//i,
    ];
    const wrong: string[] = [];
    for (const path of tracked.filter(
      (each) =>
        each !== 'test/architecture.test.ts' &&
        /\.(ts|cpp|hpp|cjs|py|md|json|txt|yml)$|\.ci\/run$/.test(each),
    ))
      read(path)
        .split('\n')
        .forEach(
          (line, at) =>
            banned.some((word) => word.test(line)) &&
            wrong.push(`${path}:${at + 1}: ${line.trim().slice(0, 80)}`),
        );
    assert.deepEqual(wrong, []);
  });
});
