// node scripts/bench-cuda.cjs [[ROWS [DIMENSIONS [STORAGES]]]]: searches of the device against the
// CPU's, PyTorch's and FAISS's (of the python that ASOF_PYTHON names, or python3, where they can be
// imported), by default of 10,000,000 x 384 in int8, bf16 and f32, from one query to 1000; which
// part of a limit they reach: reading all rows once, or multiplying them, whichever takes longer,
// by the vendor's figures and by what PyTorch reaches in this run; and steps a second of training.
// Without a device it says so in a line, before it compiles anything, and ends with 0.
const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { root, folder, compile, deviceHere } = require('./cuda-tests.cjs');

// Vendor's figures, dense: bytes a second, operations a second of int8 and bf16 by tensor cores, of
// f32 by the others.
const limits = [
  [/H200/, 4.8e12, 1979e12, 989e12, 67e12],
  [/H100.*PCIe/, 2.0e12, 1513e12, 756e12, 51e12],
  [/H100/, 3.35e12, 1979e12, 989e12, 67e12],
  [/A100.*80/, 2.0e12, 624e12, 312e12, 19.5e12],
  [/A100/, 1.55e12, 624e12, 312e12, 19.5e12],
  [/B200/, 8e12, 4500e12, 2250e12, 80e12],
  [/L40S/, 0.864e12, 733e12, 362e12, 91.6e12],
  [/\bL4\b/, 0.3e12, 242e12, 121e12, 30.3e12],
  [/4090/, 1.008e12, 660e12, 165e12, 82.6e12],
  [/\bT4\b/, 0.32e12, 130e12, 65e12, 8.1e12],
];

/// The lines of JSON that a command prints; what it said besides, where it failed.
function linesOf(command, given, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, given, {
      cwd: root,
      env: { ...process.env, ...environment },
      timeout: 30 * 60_000,
    });
    let [out, said] = ['', ''];
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (said += text));
    const end = (fault) =>
      resolve({
        lines: out
          .split('\n')
          .filter((each) => each.startsWith('{'))
          .map((each) => JSON.parse(each)),
        fault,
      });
    child.on('error', (fault) => end(fault.message));
    child.on('close', (code, signal) =>
      end(code === 0 ? undefined : `${signal ?? `exit code ${code}`} ${said.trim().slice(-2000)}`),
    );
  });
}

const milliseconds = (seconds) =>
  !Number.isFinite(seconds) ? '' : (seconds * 1000).toFixed(seconds < 0.01 ? 3 : 1);
const known = ({ seconds }) => Number.isFinite(seconds);
const percent = (part) => (Number.isFinite(part) ? `${(part * 100).toFixed(0)} %` : '');

/// The least seconds a search can take: bytes and operations by rates of { memory, int8, bf16, f32
/// }.
function least(rates, { storage, queries }, bytes, { rows, dimensions }) {
  const padded = storage === 'f32' ? dimensions : Math.ceil(dimensions / 64) * 64;
  const [memory, products] = [
    bytes / rates?.memory,
    (2 * rows * padded * queries) / rates?.[storage],
  ];
  return { seconds: Math.max(memory, products), by: memory > products ? 'memory' : 'products' };
}

function searchTable(lines, { vendor, measured }) {
  const sizes = lines.find((line) => line.rows !== undefined);
  const loads = new Map(
    lines.filter((line) => line.bytes !== undefined).map((line) => [line.storage, line]),
  );
  for (const { storage, bytes, loading } of loads.values()) {
    console.log(
      `${storage}: ${(bytes / 1e9).toFixed(2)} GB a search reads; rows and f32 vectors were copied in ${loading.toFixed(1)} s`,
    );
  }
  return lines
    .filter((line) => line.device !== undefined)
    .map((line) => {
      const { storage, queries, k, timed, cpu, device, same } = line;
      const { bytes } = loads.get(storage);
      const [told, reached] = [vendor, measured].map((rates) => least(rates, line, bytes, sizes));
      return {
        storage,
        queries,
        k,
        asked: timed ? 'a third, spline' : 'all',
        'CPU ms': milliseconds(cpu),
        'device ms': milliseconds(device),
        times: (cpu / device).toFixed(1),
        'queries/s': Math.round(queries / device),
        'limit ms': milliseconds(told.seconds),
        by: known(told) ? told.by : '',
        reached: percent(told.seconds / device),
        'of measured': percent(reached.seconds / device),
        bits: same ? 'the same' : 'OTHERS',
      };
    });
}

/// A line a contender, a column a shape.
function othersTable(own, lines) {
  const table = {};
  const shape = ({ queries, k }) => `${queries}, k ${k}`;
  for (const line of own) {
    if (line.device !== undefined && !line.timed)
      (table[`asof ${line.storage}, exact`] ??= {})[shape(line)] = milliseconds(line.device);
  }
  for (const line of lines.filter((each) => each.name !== undefined)) {
    if (line.queries === undefined) console.log(`${line.name} not run: ${line.reason}`);
    else
      (table[line.name] ??= {})[shape(line)] =
        line.seconds === undefined
          ? `not run: ${line.reason.slice(0, 40)}`
          : milliseconds(line.seconds);
  }
  return table;
}

function tellCeilings(vendor, measured) {
  const told = (rates, name, unit) =>
    rates?.[name]
      ? `${(rates[name] / 1e12).toFixed(name === 'memory' ? 2 : 0)} ${unit}`
      : 'not known';
  for (const [name, unit] of [
    ['memory', 'TB/s'],
    ['int8', 'Tops/s'],
    ['bf16', 'Tflop/s'],
    ['f32', 'Tflop/s'],
  ]) {
    console.log(
      `${name}: ${told(vendor, name, unit)} by its vendor, ${told(measured, name, unit)} in PyTorch's hands here`,
    );
  }
}

async function main() {
  const device = await deviceHere();
  if (!device.library) return console.log(`not run: no device (${device.reason})`);
  console.log(`Device: ${device.told}`);
  const failure = compile(['bench_cuda']);
  if (failure !== undefined) throw new Error(`the native benchmark did not compile: ${failure}`);
  const own = await linesOf(join(folder, 'bench_cuda'), [device.library, ...process.argv.slice(2)]);
  const sizes = own.lines.find((line) => line.rows !== undefined);
  if (sizes === undefined) throw new Error(own.fault);
  const others = await linesOf(process.env.ASOF_PYTHON || 'python3', [
    'bench/cuda/others.py',
    String(sizes.rows),
    String(sizes.dimensions),
  ]);
  const known = limits.find(([name]) => name.test(device.name));
  const vendor = known && { memory: known[1], int8: known[2], bf16: known[3], f32: known[4] };
  const measured = Object.fromEntries(
    others.lines.filter((line) => line.ceiling).map(({ ceiling, rate }) => [ceiling, rate]),
  );
  tellCeilings(vendor, measured);
  console.log(
    `${sizes.rows} rows of ${sizes.dimensions}; the CPU's searches by ${sizes.threads} threads`,
  );
  console.table(searchTable(own.lines, { vendor, measured }));
  console.log('Milliseconds beside others (queries, k), all rows:');
  console.table(othersTable(own.lines, others.lines));
  const environment = { ASOF_CUDA_LIBRARY: device.library };
  const training = await linesOf(
    process.execPath,
    ['--import', 'tsx', 'bench/cuda/training.ts', String(sizes.dimensions)],
    environment,
  );
  console.log('Training a time encoder, steps a second:');
  const steps = ({ batch, cpu, device: there }) => ({
    batch,
    CPU: cpu.toFixed(0),
    device: there.toFixed(0),
    times: (there / cpu).toFixed(1),
  });
  console.table(training.lines.map(steps));
  const searches = own.lines.filter((line) => line.device !== undefined);
  for (const fault of [own.fault, training.fault].filter(Boolean))
    console.error(`FAILED: ${fault}`);
  const good =
    searches.length > 0 && searches.every((line) => line.same) && !own.fault && !training.fault;
  const found = 'The device found what the CPU found, bit for bit.';
  console.log(
    good ? found : 'FAILED: the device found other rows than the CPU, or not everything ran.',
  );
  if (!good) process.exitCode = 1;
}

main().catch((fault) => {
  console.error(fault.message);
  process.exitCode = 1;
});
