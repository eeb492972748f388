// Child process of onDevice.test.ts, since a device's memory is measured when it is opened:
// searches an index on the device and on the CPU; prints { same, device, taken } or { code, message
// }.
import { AsOfError, VectorIndex } from '../../lib/index.js';
import { devices } from '../../lib/models/index.js';
import { normals } from '../kernels/levels.js';

const [dimensions, rows] = [64, 20_000];
const given = { dimensions, vectors: normals(rows * dimensions, 1) };
const queries = normals(3 * dimensions, 2);

try {
  using here = new VectorIndex(given);
  using there = new VectorIndex({ ...given, device: 'cuda' });
  const { scans: _, ...wanted } = await here.searchBatch(queries, 9);
  const { scans, ...found } = await there.searchBatch(queries, 9);
  const { memory = 0, freeMemory = 0 } = (await devices())[1]!;
  const same = JSON.stringify(found) === JSON.stringify(wanted);
  process.stdout.write(
    JSON.stringify({ same, device: scans[0]!.device, taken: memory - freeMemory }),
  );
} catch (error) {
  if (!AsOfError.is(error)) throw error;
  process.stdout.write(JSON.stringify({ code: error.code, message: error.message }));
}
