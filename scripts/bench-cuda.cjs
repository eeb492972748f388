// npm run bench:cuda [-- ROWS DIMENSIONS QUERIES K]: searches of the device beside the CPU's, PyTorch's and FAISS's (of the python that ASOF_PYTHON
// names, or python3, where they can be imported), and what part of the device's limit they reach: reading all int8 panels once, or multiplying
// them, whichever takes longer. One table. Without a device it says so in a line and ends with 0.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { root, folder, compile, deviceHere } = require('./cuda-tests.cjs');

// Vendor's figures: bytes a second, and int8 operations a second of dense matrices.
const limits = [
  [/H200/, 4.8e12, 1979e12], [/H100.*PCIe/, 2.0e12, 1513e12], [/H100/, 3.35e12, 1979e12], [/A100.*80/, 2.0e12, 624e12], [/A100/, 1.55e12, 624e12],
  [/B200/, 8e12, 4500e12], [/L40S/, 0.864e12, 733e12], [/\bL4\b/, 0.3e12, 242e12], [/4090/, 1.008e12, 660e12], [/\bT4\b/, 0.32e12, 130e12],
];

const failure = compile(['cuda_facts', 'bench_cuda']);
const device = failure === undefined ? deviceHere() : { reason: 'the native benchmark did not compile' };
if (failure !== undefined) {
  console.error(failure);
  process.exitCode = 1;
}
if (!device.library) console.log(`not run: no device (${device.reason})`);
else {
  console.log(`Device: ${device.name}`);
  const given = process.argv.slice(2);
  const done = spawnSync(join(folder, 'bench_cuda'), [device.library, ...given], { cwd: root, encoding: 'utf8' });
  if (!done.stdout.trim()) throw new Error(done.stderr);
  const own = JSON.parse(done.stdout);
  const { rows, dimensions, queries, k } = own;
  const milliseconds = (seconds) => (seconds * 1000).toFixed(3);
  const table = [
    { search: 'asof on the CPU, int8 certified', milliseconds: milliseconds(own.cpu), queriesASecond: Math.round(queries / own.cpu) },
    { search: 'asof on the device, int8 certified', milliseconds: milliseconds(own.device), queriesASecond: Math.round(queries / own.device) },
  ];
  const python = process.env.ASOF_PYTHON || 'python3';
  const others = spawnSync(python, ['bench/cuda/others.py', ...[rows, dimensions, queries, k].map(String)], { cwd: root, encoding: 'utf8' });
  for (const line of (others.stdout ?? '').split('\n').filter((each) => each.startsWith('{'))) {
    const { name, seconds, reason } = JSON.parse(line);
    if (seconds === undefined) table.push({ search: name, milliseconds: `not run: ${reason}` });
    else table.push({ search: name, milliseconds: milliseconds(seconds), queriesASecond: Math.round(queries / seconds) });
  }
  console.log(`${queries} queries over ${rows} rows of ${dimensions}, k = ${k}; loading took ${own.loading.toFixed(1)} s`);
  console.table(table);
  const known = limits.find(([name]) => name.test(device.name));
  if (known) {
    const memory = (rows * (Math.ceil(dimensions / 64) * 64 + 16)) / known[1];
    const tensor = (2 * rows * Math.ceil(dimensions / 64) * 64 * queries) / known[2];
    const part = (Math.max(memory, tensor) / own.device) * 100;
    const limit = `memory ${milliseconds(memory)} ms, tensor cores ${milliseconds(tensor)} ms`;
    console.log(`Limits: ${limit}; reached ${part.toFixed(0)} % of the ${memory > tensor ? 'memory' : 'tensor'} limit (wanted: 60 %).`);
  } else console.log('Limits: not known of this device.');
  console.log(own.same ? 'The device found what the CPU found, bit for bit.' : 'FAILED: the device found other rows than the CPU.');
  if (!own.same) process.exitCode = 1;
}
