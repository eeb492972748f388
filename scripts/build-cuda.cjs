// Builds asof_cuda, the library that the addon opens where a device is asked for: npm run
// build:cuda [-- --check] [-- --pypi]
//
// nvcc is ASOF_NVCC, or the one on PATH; --pypi installs it from Python packages into
// build-cuda/toolkit (some 370 MB) where there is none.
// --check compiles and links for every architecture, keeps nothing, and prints what each file took,
// the library's size, and what ptxas says of every architecture's kernels: registers, and bytes
// spilled. Where there is no nvcc and none can be had it says so, and fails unless --check was
// asked for.
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, rmSync, copyFileSync, statSync } = require('node:fs');
const { basename, join } = require('node:path');

const root = join(__dirname, '..');
const folder = join(root, 'build-cuda');
const architectures = (process.env.ASOF_CUDA_ARCHITECTURES ?? '75,80,86,89,90,100,120').split(',');
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

function sources() {
  const all = readdirSync(join(root, 'native/cuda'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.cpp') && !path.startsWith('emulation'));
  // The host's code that the library shares with the addon.
  return [
    ...all.map((path) => join('native/cuda', path)),
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

/// What ptxas says, line by line: of each kernel for each architecture its registers and its spills.
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

function tell(kernels) {
  for (const architecture of architectures) {
    const own = kernels.filter((each) => each.architecture.replace('90a', '90') === architecture);
    const most = own.reduce((a, b) => (b.registers > a.registers ? b : a), {
      registers: 0,
      name: '',
    });
    const spilling = own.filter((each) => each.spills > 0);
    const told = spilling.map(
      (each) => `${demangled(each.name)} (${each.registers} registers) ${each.spills} bytes`,
    );
    const spills = told.length === 0 ? 'none spills' : `spilled: ${told.join(', ')}`;
    console.log(
      `sm_${architecture}: ${own.length} kernels, at most ${most.registers} registers (${demangled(most.name)}), ${spills}`,
    );
  }
}

function build(nvcc, check) {
  const objects = join(folder, 'objects');
  rmSync(objects, { recursive: true, force: true });
  mkdirSync(objects, { recursive: true });
  // Of Hopper what Hopper alone has, too (wgmma): its code runs on no other generation anyway.
  const code = architectures
    .map((each) => (each === '90' ? '90a' : each))
    .flatMap((each) => ['-gencode', `arch=compute_${each},code=sm_${each}`]);
  const last = architectures.at(-1);
  const later = ['-gencode', `arch=compute_${last},code=compute_${last}`];
  const host = ['-Xcompiler', '-fPIC,-fvisibility=hidden,-ffp-contract=off'];
  const small = /--compress-mode/.test(execFileSync(nvcc, ['--help'], { encoding: 'utf8' }))
    ? ['--compress-mode=size']
    : [];
  const options = [
    '-std=c++20',
    '-O3',
    '-fmad=false',
    '--expt-relaxed-constexpr',
    ...small,
    ...host,
    '-I',
    join(root, 'native'),
    '-Xptxas',
    '-v',
  ];
  const kernels = [];
  const made = sources().map((source) => {
    const object = join(objects, `${source.replace(/[/\\]/g, '_')}.o`);
    const began = Date.now();
    const inputs = ['--threads', '2', '-x', 'cu', '-c', join(root, source), '-o', object];
    const run = spawnSync(nvcc, [...options, ...code, ...later, ...inputs], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const said = `${run.stdout}${run.stderr}`;
    if (run.status !== 0) throw new Error(`nvcc failed at ${source}:\n${said}`);
    kernels.push(...kernelsOf(said));
    console.log(`nvcc ${source}: ${((Date.now() - began) / 1000).toFixed(0)} s`);
    return object;
  });
  const library = join(folder, 'asof_cuda.so');
  const alone = [
    '-Xcompiler',
    '-static-libstdc++,-static-libgcc',
    '-Xlinker',
    '--exclude-libs,ALL',
  ]; // it needs a driver and nothing else
  const linking = [
    '-shared',
    '-cudart',
    'static',
    ...small,
    ...code,
    ...made,
    '-o',
    library,
    ...alone,
  ];
  execFileSync(nvcc, linking, { stdio: 'inherit' });
  const size = (statSync(library).size / 1e6).toFixed(1);
  console.log(
    `${basename(library)}: ${size} MB, linked for sm_${architectures.join(', sm_')} and, as PTX, for later ones`,
  );
  tell(kernels);
  if (check) return rmSync(library);
  for (const place of [
    join('build', 'Release'),
    join('prebuilds', `${process.platform}-${process.arch}`),
  ]) {
    // where the addon looks for it
    if (existsSync(join(root, place))) copyFileSync(library, join(root, place, basename(library)));
  }
}

const check = process.argv.includes('--check');
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
  build(nvcc, check);
}
