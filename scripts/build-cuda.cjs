// Builds asof_cuda, the CUDA library that the addon loads: npm run build:cuda [-- --check [--all]]
// [-- --pypi]
//
// nvcc is ASOF_NVCC, or the one on PATH; --pypi installs it from Python packages into
// build-cuda/toolkit (some 370 MB) if there is none.
// --check compiles and links for the architectures with code paths of their own, and a source that
// has none for the oldest alone, or with --all everything for every one. It keeps nothing, and
// reports the time of each file, the library's size, and per architecture the registers and spilled
// bytes of its kernels. Without nvcc it reports that and succeeds; a build fails then.
// ASOF_CUDA_ARCHITECTURES replaces the architectures: a list such as 80,90.
const { execFile, execFileSync, spawnSync } = require('node:child_process');
const {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} = require('node:fs');
const { availableParallelism } = require('node:os');
const { basename, join } = require('node:path');
const { promisify } = require('node:util');
const { includedFiles } = require('./cpp-includes.cjs');

const root = join(__dirname, '..');
const folder = join(root, 'build-cuda');
const check = process.argv.includes('--check');
const { ASOF_CUDA_ARCHITECTURES: chosen } = process.env;
const distinctOnly = check && !process.argv.includes('--all') && chosen === undefined;
/// Turing multiplies by other instructions than Ampere and its successors, Hopper in warpgroups.
const distinct = '75,80,90';
const every = '75,80,86,89,90,100,120';
const architectures = (chosen ?? (distinctOnly ? distinct : every)).split(',');
const packages = [
  'nvidia-cuda-nvcc',
  'nvidia-nvvm',
  'nvidia-cuda-crt',
  'nvidia-cuda-runtime',
  'nvidia-cuda-cccl',
];

function onPath(name) {
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], {
    encoding: 'utf8',
  });
  return found.status === 0 ? found.stdout.split('\n')[0].trim() : undefined;
}

function fromPython() {
  const toolkit = join(folder, 'toolkit');
  const all = () => readdirSync(toolkit, { recursive: true }).map(String);
  const find = () => existsSync(toolkit) && all().find((path) => /[/\\]bin[/\\]nvcc$/.test(path));
  if (!find()) {
    mkdirSync(folder, { recursive: true });
    const installed = spawnSync(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--target', toolkit, ...packages],
      { encoding: 'utf8' },
    );
    if (installed.status !== 0 || !find()) {
      const reason =
        installed.error?.message ??
        `${installed.stdout}${installed.stderr}`.trim().split('\n').at(-1);
      console.log(`nvcc's Python packages could not be installed: ${reason}`);
      rmSync(toolkit, { recursive: true, force: true });
      return undefined;
    }
  }
  return join(toolkit, find());
}

/// Kernels compile longest, and should not be the last to start.
const kernelsFirst = (a, b) => b.startsWith('kernels') - a.startsWith('kernels');

function sources() {
  const all = readdirSync(join(root, 'native/cuda'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.cpp') && !path.startsWith('emulation'));
  // The host's code that the library shares with the addon.
  return [
    ...all.sort(kernelsFirst).map((path) => join('native/cuda', path)),
    'native/kernels/quantized/pack.cpp',
    'native/encoder/time_network.cpp',
  ];
}

/// asof::cuda::FAMILY::KERNEL<SHAPE, ...> of a mangled name: KERNEL SHAPE.
const demangled = (name) => {
  const found = /\d(?:products|candidates|training|time)\d+([a-z_]+)(?:I((?:L\w\d+E)+))?/.exec(
    name,
  );
  return found ? `${found[1]} ${(found[2] ?? '').replace(/L\w(\d+)E/g, '$1 ')}`.trim() : name;
};

/// Registers and spilled bytes of each kernel and architecture, from the output of ptxas.
function kernelsOf(text) {
  const kernels = [];
  for (const line of text.split('\n')) {
    const entry = /Compiling entry function '(\w+)' for 'sm_(\w+)'/.exec(line);
    if (entry) kernels.push({ name: entry[1], architecture: entry[2], registers: 0, spills: 0 });
    const last = kernels.at(-1);
    const spills = /(\d+) bytes spill stores, (\d+) bytes spill loads/.exec(line);
    if (last && spills) last.spills += Number(spills[1]) + Number(spills[2]);
    const used = /Used (\d+) registers/.exec(line);
    if (last && used) last.registers = Number(used[1]);
  }
  return kernels;
}

function report(kernels) {
  for (const architecture of architectures) {
    const own = kernels.filter((each) => each.architecture.replace('90a', '90') === architecture);
    const most = own.reduce((a, b) => (b.registers > a.registers ? b : a), {
      registers: 0,
      name: '',
    });
    const spilling = own.filter((each) => each.spills > 0);
    const list = spilling.map(
      (each) => `${demangled(each.name)} (${each.registers} registers) ${each.spills} bytes`,
    );
    const spills = list.length === 0 ? 'none spills' : `spilled: ${list.join(', ')}`;
    console.log(
      `sm_${architecture}: ${own.length} kernels, at most ${most.registers} registers (${demangled(most.name)}), ${spills}`,
    );
  }
}

/// Whether a source, or what it includes, differs between architectures.
const hasOwnPaths = (source) =>
  [source, ...includedFiles(source)].some(
    (path) =>
      path !== join('native', 'cuda', 'target.hpp') && // defines ASOF_WARPGROUPS
      /__CUDA_ARCH__|ASOF_WARPGROUPS/.test(readFileSync(join(root, path), 'utf8')),
  );

/// The architectures that a source is compiled for.
const architecturesOf = (source) =>
  distinctOnly && !hasOwnPaths(source) ? architectures.slice(0, 1) : architectures;

/// Options of nvcc for the device code of architectures.
function codeFor(compiled) {
  // 90a: with Hopper's own instructions (wgmma); code for 90 runs on no other generation anyway.
  const code = compiled
    .map((each) => (each === '90' ? '90a' : each))
    .flatMap((each) => ['-gencode', `arch=compute_${each},code=sm_${each}`]);
  // The PTX of 90a is for no other generation, and that of 90 takes a compilation of its own: the
  // check has the PTX of another architecture.
  const portable = check ? compiled.filter((each) => each !== '90') : compiled;
  const last = portable.at(-1) ?? '90';
  return { code, later: ['-gencode', `arch=compute_${last},code=compute_${last}`] };
}

/// Options of nvcc: for a source, and for linking.
function optionsFor(nvcc) {
  const small = /--compress-mode/.test(execFileSync(nvcc, ['--help'], { encoding: 'utf8' }))
    ? ['--compress-mode=size']
    : [];
  const language = ['-std=c++20', '-O3', '-fmad=false', '--expt-relaxed-constexpr'];
  const host = ['-Xcompiler', '-fPIC,-fvisibility=hidden,-ffp-contract=off'];
  const shared = [...language, ...small, ...host, '-I', join(root, 'native'), '-Xptxas', '-v'];
  const compiling = (source) => {
    const { code, later } = codeFor(architecturesOf(source));
    return [...shared, ...code, ...later, '--threads', '2'];
  };
  const { code } = codeFor(architectures);
  return { compiling, linking: ['-shared', '-cudart', 'static', ...small, ...code] };
}

/// Compiles the sources, several at once, into objects; returns these and the kernels' figures.
async function compile(nvcc, optionsOf) {
  const objects = join(folder, 'objects');
  rmSync(objects, { recursive: true, force: true });
  mkdirSync(objects, { recursive: true });
  const run = promisify(execFile);
  const kernels = [];
  const compiled = [];
  const remaining = sources();
  const worker = async () => {
    for (let source = remaining.shift(); source !== undefined; source = remaining.shift()) {
      const object = join(objects, `${source.replace(/[/\\]/g, '_')}.o`);
      const began = Date.now();
      const inputs = ['-x', 'cu', '-c', join(root, source), '-o', object];
      const { stdout, stderr } = await run(nvcc, [...optionsOf(source), ...inputs], {
        maxBuffer: 1 << 28,
      }).catch((error) => {
        throw new Error(`nvcc failed at ${source}:\n${error.stdout}${error.message}`);
      });
      kernels.push(...kernelsOf(`${stdout}${stderr}`));
      compiled.push(object);
      console.log(`nvcc ${source}: ${((Date.now() - began) / 1000).toFixed(0)} s`);
    }
  };
  const workers = Math.max(2, Math.ceil(availableParallelism() / 2));
  await Promise.all(Array.from({ length: workers }, worker));
  kernels.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { kernels, objects: compiled.sort() };
}

async function build(nvcc) {
  const { compiling, linking } = optionsFor(nvcc);
  const { kernels, objects } = await compile(nvcc, compiling);
  const library = join(folder, 'asof_cuda.so');
  const alone = [
    '-Xcompiler',
    '-static-libstdc++,-static-libgcc',
    '-Xlinker',
    '--exclude-libs,ALL',
  ]; // it depends on nothing but the driver
  execFileSync(nvcc, [...linking, ...objects, '-o', library, ...alone], { stdio: 'inherit' });
  const size = (statSync(library).size / 1e6).toFixed(1);
  console.log(
    `${basename(library)}: ${size} MB, linked for sm_${architectures.join(', sm_')} and, as PTX, for later ones`,
  );
  report(kernels);
  if (check) return rmSync(library);
  const compiled = join(root, 'build', 'Release'); // the addon's folder
  if (existsSync(compiled)) copyFileSync(library, join(compiled, basename(library)));
}

const nvcc =
  process.env.ASOF_NVCC ??
  onPath('nvcc') ??
  (process.argv.includes('--pypi') ? fromPython() : undefined);
if (nvcc === undefined) {
  console.log(
    `CUDA library not ${check ? 'checked' : 'built'}: no nvcc (set ASOF_NVCC, put it on PATH, or run with --pypi).`,
  );
  process.exitCode = check ? 0 : 1;
} else {
  void build(nvcc);
}
