#!/usr/bin/env node
// prebuildify believes it drives node-gyp: it calls `<this> rebuild --target=X --devdir=D [--arch=A] (--release|--debug)`.
// This shim drives cmake-js instead.
const { spawnSync } = require('node:child_process');

const arch = process.argv.find((argument) => argument.startsWith('--arch='))?.slice('--arch='.length);
const args = [require.resolve('cmake-js/bin/cmake-js'), 'rebuild', '-l', 'warn', '-p', '2'];
if (process.argv.includes('--debug')) args.push('--debug');
if (arch) args.push('--arch', arch);
process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
