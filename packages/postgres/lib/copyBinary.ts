// Rows in the binary format of COPY: a header, then each tuple as its number of fields and each
// field as its length and bytes, big-endian.
/** A value by its type in PostgreSQL; arrays end in s. */
export type Field =
  | { int2: number }
  | { int4: number }
  | { int8: number }
  | { float8: number }
  | { text: string }
  | { bytes: Uint8Array }
  /** JSON as text. */
  | { jsonb: string }
  | { float8s: ArrayLike<number> }
  | { int2s: ArrayLike<number> }
  | { int4s: ArrayLike<number> }
  | { int8s: readonly bigint[] }
  /** int8s as their upper and lower 32 bits in turn. */
  | { halves: readonly number[] }
  | { texts: readonly string[] }
  | { vector: Float32Array }
  | null;

const oids = { float8s: 701, int8s: 20, int2s: 21, int4s: 23, texts: 25 };

/** Bytes of one message to the server. */
const messageBytes = 1 << 18;

/** Buffers of rows for COPY. */
export function* copyBuffers(rows: Iterable<readonly Field[]>): Generator<Buffer> {
  const writer = new CopyWriter();
  for (const row of rows) {
    writer.row(row);
    if (writer.bytes > messageBytes) yield writer.take();
  }
  yield writer.end();
}

export class CopyWriter {
  private buffer = Buffer.allocUnsafe(1 << 20);
  private used = 0;

  constructor() {
    this.used += this.buffer.write('PGCOPY\n\xff\r\n\0', 0, 'latin1');
    this.int4(0);
    this.int4(0);
  }

  private room(bytes: number): void {
    if (this.used + bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.buffer.length, this.used + bytes));
    this.buffer.copy(grown, 0, 0, this.used);
    this.buffer = grown;
  }
  private int2(value: number): void {
    this.used = this.buffer.writeInt16BE(value, this.used);
  }
  private int4(value: number): void {
    this.used = this.buffer.writeInt32BE(value, this.used);
  }
  private text(text: string): void {
    this.room(3 * text.length);
    this.used += this.buffer.write(text, this.used, 'utf8');
  }
  private array(oid: number, count: number): void {
    this.int4(count === 0 ? 0 : 1);
    this.int4(0);
    this.int4(oid);
    if (count === 0) return;
    this.int4(count);
    this.int4(1);
  }

  row(fields: readonly Field[]): void {
    this.room(2);
    this.int2(fields.length);
    for (const field of fields) this.field(field);
  }

  private field(field: Field): void {
    this.room(8);
    if (field === null) return this.int4(-1);
    const at = this.used;
    this.used += 4;
    if ('int2' in field) this.int2(field.int2);
    else if ('int4' in field) this.int4(field.int4);
    else if ('int8' in field) {
      this.room(12);
      this.used = this.buffer.writeBigInt64BE(BigInt(field.int8), this.used);
    } else if ('float8' in field) {
      this.room(12);
      this.used = this.buffer.writeDoubleBE(field.float8, this.used);
    } else if ('text' in field) this.text(field.text);
    else if ('jsonb' in field) {
      this.room(1);
      this.buffer[this.used++] = 1; // version of the format
      this.text(field.jsonb);
    } else if ('bytes' in field) {
      this.room(field.bytes.length);
      this.buffer.set(field.bytes, this.used);
      this.used += field.bytes.length;
    } else if ('vector' in field) {
      const { vector } = field;
      this.room(4 + 4 * vector.length);
      this.int2(vector.length);
      this.int2(0);
      for (const each of vector) this.used = this.buffer.writeFloatBE(each, this.used);
    } else this.arrayField(field);
    this.buffer.writeInt32BE(this.used - at - 4, at);
  }

  private arrayField(field: Extract<Field, object>): void {
    if ('texts' in field) {
      const { texts } = field;
      this.room(20 + texts.reduce((sum, each) => sum + 4 + 4 * each.length, 0));
      this.array(oids.texts, texts.length);
      for (const each of texts) {
        const length = this.buffer.write(each, this.used + 4, 'utf8');
        this.int4(length);
        this.used += length;
      }
      return;
    }
    if ('halves' in field) {
      const { halves } = field;
      this.room(20 + 6 * halves.length);
      this.array(oids.int8s, halves.length / 2);
      for (let i = 0; i < halves.length; i += 2) {
        this.int4(8);
        this.used = this.buffer.writeUInt32BE(halves[i]!, this.used);
        this.used = this.buffer.writeUInt32BE(halves[i + 1]!, this.used);
      }
      return;
    }
    if ('int8s' in field) {
      this.room(20 + 12 * field.int8s.length);
      this.array(oids.int8s, field.int8s.length);
      for (const each of field.int8s) {
        this.int4(8);
        this.used = this.buffer.writeBigInt64BE(each, this.used);
      }
      return;
    }
    const name = 'float8s' in field ? 'float8s' : 'int2s' in field ? 'int2s' : 'int4s';
    const values = (field as Record<string, ArrayLike<number>>)[name]!;
    this.room(20 + 12 * values.length);
    this.array(oids[name], values.length);
    for (let i = 0; i < values.length; i += 1) {
      this.int4(name === 'float8s' ? 8 : name === 'int2s' ? 2 : 4);
      if (name === 'float8s') this.used = this.buffer.writeDoubleBE(values[i]!, this.used);
      else if (name === 'int2s') this.int2(values[i]!);
      else this.int4(values[i]!);
    }
  }

  get bytes(): number {
    return this.used;
  }

  /** What was written since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.buffer.subarray(0, this.used));
    this.used = 0;
    return taken;
  }

  end(): Buffer {
    this.room(2);
    this.int2(-1);
    return this.take();
  }
}
