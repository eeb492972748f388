// Quantised products at every level against float64: awkward sizes, layout and rounding, int8 to
// the bit, bf16 within its bound, and odd values. What survives a threshold is in
// quantizedSurvivors.test.ts. The oracle shares no code with the kernels.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import {
  bf16Product,
  int8Product,
  lengths,
  rounded,
  storedProduct,
  type Rounded,
  type Storage,
} from '../oracle/quantized.js';
import { atEveryExtension, awkwardSizes, floatUnit, normals, shifted } from './levels.js';

const vectorsOf = (matrix: Float32Array, d: number) =>
  Array.from({ length: matrix.length / d }, (_, row) => matrix.subarray(row * d, (row + 1) * d));
const storages: Storage[] = ['bf16', 'int8'];

interface ProductCase {
  queries: Rounded[];
  rows: Rounded[];
  storage: Storage;
  level: string;
}

function assertProducts(
  out: Float32Array,
  { queries, rows, storage, level }: ProductCase,
  what: string,
): void {
  assert.equal(out.length, queries.length * rows.length);
  queries.forEach((query, i) =>
    rows.forEach((row, j) => {
      const found = out[i * rows.length + j]!;
      if (storage === 'int8')
        return assert.equal(
          found + 0,
          int8Product(query, row) + 0,
          `${what}, query ${i}, row ${j}`,
        );
      if (!/bf16|amx/.test(level))
        return assert.equal(
          found + 0,
          bf16Product(query, row) + 0,
          `${what}, query ${i}, row ${j}`,
        );
      const d = row.stored.length;
      const { value, magnitude } = storedProduct(query, row);
      assert.ok(
        Math.abs(found - value) <= (d + 8) * floatUnit * magnitude + d * 2 ** -125,
        `${what}, query ${i}, row ${j}: ${found} for ${value}`,
      );
    }),
  );
}

describe('quantized', () => {
  for (const storage of storages) {
    it(`${storage} rows lie in panels of 16, rounded to nearest, with their lengths rounded up`, async () => {
      for (const d of [...awkwardSizes, 127, 129, 384]) {
        const rows = normals(37 * d, d);
        rows.fill(0, 5 * d, 6 * d);
        const { panels, records } = addon.quantizedPanels(
          await addon.packQuantized(shifted(rows, 1), d, storage),
        );
        const bytes = storage === 'int8' ? 1 : 2;
        const panelBytes = Math.ceil((d * bytes) / 64) * 1024;
        assert.equal(panels.length, 3 * panelBytes);
        assert.equal(records.length, 3 * 64);
        const view = new DataView(panels.buffer, panels.byteOffset);
        const expected = new Uint8Array(panels.length);
        const expectedView = new DataView(expected.buffer);
        const perGroup = 4 / bytes;
        vectorsOf(rows, d).forEach((row, r) => {
          const made = rounded(row, storage);
          made.stored.forEach((value, c) => {
            const at =
              Math.floor(r / 16) * panelBytes +
              Math.floor(c / perGroup) * 64 +
              (r % 16) * 4 +
              (c % perGroup) * bytes;
            if (storage === 'int8') expectedView.setInt8(at, value);
            else {
              const whole = new DataView(new ArrayBuffer(4));
              whole.setFloat32(0, value);
              expectedView.setUint16(at, whole.getUint16(0), true);
            }
          });
          const record = Math.floor(r / 16) * 64;
          const { kept, lost } = lengths(row, made);
          const [scale, error, long] = [0, 16, 32].map(
            (field) => records[record + 16 + field + (r % 16)]!,
          );
          assert.equal(scale, made.scale);
          assert.ok(
            error! >= lost && error! <= lost * (1 + 2 ** -22),
            `row ${r} of ${d}: error ${error} for ${lost}`,
          );
          assert.ok(
            long! >= kept && long! <= kept * (1 + 2 ** -22),
            `row ${r} of ${d}: length ${long} for ${kept}`,
          );
        });
        for (let at = 0; at < expected.length; at += 4)
          assert.equal(
            view.getUint32(at),
            expectedView.getUint32(at),
            `${d} dimensions, byte ${at}`,
          );
        for (let panel = 0; panel < 3; panel += 1) {
          const record = records.subarray(panel * 64, panel * 64 + 64);
          assert.equal(record[0], Math.max(...record.subarray(32, 48)));
          assert.equal(record[1], Math.max(...record.subarray(48, 64)));
        }
      }
    });

    it(`${storage} stores what cannot be multiplied as zeros with an infinite error`, async () => {
      const d = 19;
      for (const odd of [NaN, Infinity, -Infinity, 2 ** 61]) {
        const rows = normals(18 * d, 3);
        rows[17 * d + 18] = odd;
        const { panels, records } = addon.quantizedPanels(
          await addon.packQuantized(rows, d, storage),
        );
        const panelBytes = panels.length / 2;
        for (let group = 0; group < panelBytes / 64; group += 1) {
          const at = panelBytes + group * 64 + 4;
          assert.deepEqual([...panels.subarray(at, at + 4)], [0, 0, 0, 0]);
        }
        assert.equal(records[64 + 32 + 1], Infinity);
        assert.equal(records[64], Infinity);
        assert.equal(records[64 + 48 + 1], 0);
        assert.notEqual(records[0], Infinity);
      }
    });

    atEveryExtension((level) => {
      for (const d of [...awkwardSizes, 2, 4, 5, 63, 127, 128, 129, 384, 4096]) {
        it(`${storage} products of ${d} dimensions`, async () => {
          const queries = normals(5 * d, d + 1);
          const rows = normals(35 * d, d);
          const packed = await addon.packQuantized(rows, d, storage);
          const out = await addon.quantizedProducts(packed, shifted(queries, 3));
          const [q, r] = [queries, rows].map((matrix) =>
            vectorsOf(matrix, d).map((vector) => rounded(vector, storage)),
          );
          assertProducts(out, { queries: q!, rows: r!, storage, level }, `${d} dimensions`);
        });
      }

      it(`${storage} products of every number of queries and rows`, async () => {
        const d = 70;
        const rows = normals(149 * d, 1);
        const queries = normals(300 * d, 2);
        const [q, r] = [queries, rows].map((matrix) =>
          vectorsOf(matrix, d).map((vector) => rounded(vector, storage)),
        );
        for (const n of [
          0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 80, 96, 112, 113, 128, 149,
        ]) {
          const packed = await addon.packQuantized(rows.subarray(0, n * d), d, storage);
          for (const nq of n === 49
            ? [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 255, 256, 257, 300]
            : [0, 1, 2, 9, 33]) {
            const out = await addon.quantizedProducts(packed, queries.subarray(0, nq * d));
            assertProducts(
              out,
              { queries: q!.slice(0, nq), rows: r!.slice(0, n), storage, level },
              `${nq} queries, ${n} rows`,
            );
          }
        }
      });

      it(`${storage} products of vectors at the ends of what can be stored`, async () => {
        const d = 35;
        const scales = [
          2 ** -149,
          2 ** -130,
          2 ** -120,
          2 ** -62,
          2 ** -59,
          1,
          2 ** 40,
          2 ** 57,
          NaN,
          0,
        ];
        const rows = new Float32Array(
          scales.flatMap((scale, at) => [...normals(d, at)].map((value) => value * scale)),
        );
        const packed = await addon.packQuantized(rows, d, storage);
        const out = await addon.quantizedProducts(packed, rows);
        const all = vectorsOf(rows, d).map((vector) => rounded(vector, storage));
        all.forEach((query, i) =>
          all.forEach((row, j) => {
            const found = out[i * all.length + j]!;
            const { value, magnitude } = storedProduct(query, row);
            const [exact, reach] = [value, magnitude].map(
              (stored) => stored * query.scale * row.scale,
            );
            assert.ok(
              Math.abs(found - exact!) <= (d + 8) * floatUnit * reach! + d * 2 ** -125,
              `query ${i}, row ${j}: ${found} for ${exact}`,
            );
          }),
        );
      });
    });
  }

  it('refuses another storage, too many dimensions and queries of another length', async () => {
    assert.throws(() => addon.packQuantized(new Float32Array(4), 2, 'int2' as never), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /int2/,
    });
    assert.throws(() => addon.packQuantized(new Float32Array(65537), 65537, 'int8'), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /dimensions/,
    });
    const packed = await addon.packQuantized(new Float32Array(4), 2, 'int8');
    assert.throws(() => addon.quantizedProducts(packed, new Float32Array(3)), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /queries/,
    });
  });
});
