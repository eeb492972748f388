#!/usr/bin/env node
// prebuildify believes it drives node-gyp: it calls `<this> rebuild --target=X --devdir=D
// [--arch=A] (--release|--debug)`. This shim drives cmake-js instead, or takes the addon that
// ASOF_BUILT names, which was built from the same sources.
const { spawnSync } = require('node:child_process');
const { copyFileSync, mkdirSync } = require('node:fs');

if (process.env.ASOF_BUILT) {
  mkdirSync('build/Release', { recursive: true });
  // prebuildify strips and moves it
  copyFileSync(process.env.ASOF_BUILT, 'build/Release/asof.node');
  process.exit(0);
}
const arch = process.argv
  .find((argument) => argument.startsWith('--arch='))
  ?.slice('--arch='.length);
const args = [require.resolve('cmake-js/bin/cmake-js'), 'rebuild', '-l', 'warn', '-p', '2'];
if (process.argv.includes('--debug')) args.push('--debug');
if (arch) args.push('--arch', arch);
process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
