// Builds asof_cuda, the library that the addon opens where a device is asked for: npm run build:cuda [-- --check] [-- --pypi]
//
// nvcc is ASOF_NVCC, or the one on PATH; --pypi installs it from Python packages into build-cuda/toolkit (some 370 MB) where there is none.
// --check compiles and links for every architecture and keeps nothing. Without nvcc it says so, and fails unless --check was asked for.
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, rmSync, copyFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');

const root = join(__dirname, '..');
const folder = join(root, 'build-cuda');
const architectures = (process.env.ASOF_CUDA_ARCHITECTURES ?? '75,80,86,89,90,100,120').split(',');
const packages = ['nvidia-cuda-nvcc', 'nvidia-nvvm', 'nvidia-cuda-crt', 'nvidia-cuda-runtime', 'nvidia-cuda-cccl'];

function onPath(name) {
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.split('\n')[0].trim() : undefined;
}

function fromPython() {
  const toolkit = join(folder, 'toolkit');
  const all = () => readdirSync(toolkit, { recursive: true }).map(String);
  const find = () => existsSync(toolkit) && all().find((path) => /[/\\]bin[/\\]nvcc$/.test(path));
  if (!find()) {
    mkdirSync(folder, { recursive: true });
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', toolkit, ...packages], { stdio: 'inherit' });
  }
  return join(toolkit, find());
}

function sources() {
  const all = readdirSync(join(root, 'native/cuda'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.cpp') && !path.startsWith('emulation'));
  // The host's code that the library shares with the addon.
  return [...all.map((path) => join('native/cuda', path)), 'native/kernels/quantized/pack.cpp', 'native/encoder/time_network.cpp'];
}

function build(nvcc, check) {
  const objects = join(folder, 'objects');
  rmSync(objects, { recursive: true, force: true });
  mkdirSync(objects, { recursive: true });
  const code = architectures.flatMap((each) => ['-gencode', `arch=compute_${each},code=sm_${each}`]);
  const last = architectures.at(-1);
  const host = ['-Xcompiler', '-fPIC,-fvisibility=hidden,-ffp-contract=off'];
  const options = ['-std=c++20', '-O3', '-fmad=false', '--expt-relaxed-constexpr', ...host, '-I', join(root, 'native')];
  const later = ['-gencode', `arch=compute_${last},code=compute_${last}`];
  const made = sources().map((source) => {
    const object = join(objects, `${source.replace(/[/\\]/g, '_')}.o`);
    console.log(`nvcc ${relative(root, join(root, source))}`);
    const inputs = ['--threads', '2', '-x', 'cu', '-c', join(root, source), '-o', object];
    execFileSync(nvcc, [...options, ...code, ...later, ...inputs], { stdio: 'inherit' });
    return object;
  });
  const library = join(folder, 'asof_cuda.so');
  execFileSync(nvcc, ['-shared', '-cudart', 'static', ...code, ...made, '-o', library, '-Xlinker', '--exclude-libs,ALL'], { stdio: 'inherit' });
  console.log(`${basename(library)}: linked for sm_${architectures.join(', sm_')} and later`);
  if (check) return;
  for (const place of [join('build', 'Release'), join('prebuilds', `${process.platform}-${process.arch}`)]) {
    if (existsSync(join(root, place))) copyFileSync(library, join(root, place, basename(library))); // where the addon looks for it
  }
}

const check = process.argv.includes('--check');
const nvcc = process.env.ASOF_NVCC ?? onPath('nvcc') ?? (process.argv.includes('--pypi') ? fromPython() : undefined);
if (nvcc === undefined) {
  console.log('CUDA library not built: no nvcc (set ASOF_NVCC, put it on PATH, or run with --pypi).');
  process.exitCode = check ? 0 : 1;
} else {
  build(nvcc, check);
}
