// Corpora of an attacker, by drawn numbers: a manifest, a bitmap or a section with another content
// under right checksums, so that no checksum tells.
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { SectionArray } from '../../../binding.js';
import { binding } from '../../../lib/binding.js';
import type { Draw } from './damage.js';

type Json = Record<string, unknown>;

const hex = (checksum: number): string => checksum.toString(16).padStart(8, '0');
const crcOf = (bytes: Uint8Array): string => hex(binding.crc32c(bytes));

/** Another manifest under its right checksum, which is the last word of the head. */
function changeManifest(path: string, change: (manifest: Json) => void): void {
  const file = join(path, 'manifest');
  const text = readFileSync(file, 'utf8');
  const [head, ...lines] = text.split('\n');
  const body = lines.join('\n').trimEnd();
  const manifest = JSON.parse(body) as Json;
  change(manifest);
  const forged = JSON.stringify(manifest);
  const [before, after] = [body, forged].map((each) => crcOf(Buffer.from(each))) as [
    string,
    string,
  ];
  writeFileSync(file, `${head!.replace(before, after)}\n${forged}\n`);
}

function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Json;
  for (const each of Object.values(value)) yield* objectsIn(each);
}

/** In the manifest and the file's name, numbers of the file before become those of the forged. */
function replaceFile(
  path: string,
  file: string,
  numbers: readonly (readonly [number, number])[],
): void {
  let name = basename(file);
  for (const [before, after] of numbers) name = name.replace(hex(before), hex(after));
  if (name !== basename(file)) renameSync(file, join(path, 'segments', name));
  changeManifest(path, (manifest) => {
    for (const each of objectsIn(manifest))
      for (const [key, value] of Object.entries(each)) {
        const found = numbers.find(([before]) => before === value && before > 255);
        if (found) each[key] = found[1];
      }
  });
}

const odd = [0, 1, -1, 2, 7, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 1e308, 0.5, null, '', 'x', true];
const values = [
  ...odd,
  '../../beside',
  '\0',
  [],
  {},
  [null, null],
  new Array<number>(1000).fill(0),
];

function forgeManifest(path: string, draw: Draw): string {
  let what = '';
  changeManifest(path, (manifest) => {
    const objects = [...objectsIn(manifest)].filter((each) => Object.keys(each).length > 0);
    const holder = objects[draw(objects.length)]!;
    const keys = Object.keys(holder);
    const key = keys[draw(keys.length)]!;
    what = `manifest ${Array.isArray(holder) ? 'an element' : key}`;
    const value = values[draw(values.length)];
    if (draw(6) === 0) delete holder[key];
    else if (draw(8) === 0 && Array.isArray(holder)) holder.push(holder[Number(key)]);
    else holder[key] = value;
    what += ` = ${JSON.stringify(value).slice(0, 20)}`;
  });
  return what;
}

function forgeBitmap(path: string, file: string, draw: Draw): string {
  const whole = readFileSync(file);
  const kind = draw(4);
  const bytes = [
    () => whole.subarray(0, draw(whole.length)),
    () => Buffer.from(whole).fill(draw(256), draw(whole.length)),
    () => Buffer.alloc(whole.length, 255),
    () => Buffer.concat([whole, Buffer.alloc(draw(1000))]),
  ][kind]!();
  writeFileSync(file, bytes);
  replaceFile(path, file, [[binding.crc32c(whole), binding.crc32c(bytes)]]);
  return `bitmap ${['cut', 'filled', 'ones', 'longer'][kind]}`;
}

/** A section's elements with others among them, which may be more or fewer. */
function spoiled(data: SectionArray, draw: Draw): [SectionArray, string] {
  const numbers = data as unknown as { [at: number]: unknown; length: number };
  const value = (number: number): unknown =>
    data instanceof BigInt64Array || data instanceof BigUint64Array
      ? BigInt(Math.trunc(number))
      : number;
  const drawn = [0, 1, 255, 65_535, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 53, -1, NaN];
  const some = (): unknown => value(drawn[draw(typeof data[0] === 'bigint' ? 8 : 9)]!);
  const kind = data.length === 0 ? 3 : draw(6);
  if (kind === 0) numbers[draw(data.length)] = some();
  if (kind === 1) for (let i = 0; i < 5; i += 1) numbers[draw(data.length)] = value(draw(2 ** 32));
  if (kind === 2) return [data.slice(0, draw(data.length)), 'cut'];
  if (kind === 3) {
    const longer = new (data.constructor as new (length: number) => SectionArray)(
      2 * data.length + 3,
    );
    (longer as Uint8Array).set(data as Uint8Array);
    return [longer, 'doubled'];
  }
  if (kind === 4) (data as Uint8Array).fill(some() as number);
  if (kind === 5) data.copyWithin(draw(data.length), draw(data.length));
  return [data, ['one', 'five', '', '', 'filled', 'moved'][kind]!];
}

async function forgeSection(path: string, file: string, draw: Draw): Promise<string> {
  const segment = binding.Segment.open(file);
  const sections = segment.sections().map(({ name }) => ({ name, data: segment.read(name) }));
  const [bytes, checksum] = [segment.bytes, segment.checksum];
  segment.close();
  const at = draw(sections.length);
  const { name } = sections[at]!;
  let how = 'removed';
  if (draw(7) === 0) sections.splice(at, 1);
  else [sections[at]!.data, how] = spoiled(sections[at]!.data, draw);
  rmSync(file);
  const descriptor = openSync(file, 'w+');
  await binding.writeSegment({ descriptor, path: file }, sections);
  closeSync(descriptor);
  const again = binding.Segment.open(file);
  const numbers = [
    [bytes, again.bytes],
    [checksum, again.checksum],
  ] as const;
  again.close();
  replaceFile(path, file, numbers);
  return `${name} ${how}`;
}

/** Forges one part of the corpus at `path`, and returns a description. */
export async function forge(path: string, draw: Draw): Promise<string> {
  const files = readdirSync(join(path, 'segments')).map((name) => join(path, 'segments', name));
  const kind = draw(10);
  const bitmaps = files.filter((name) => name.endsWith('.del'));
  const segments = files.filter((name) => !name.endsWith('.del'));
  if (kind < 2) return forgeManifest(path, draw);
  if (kind < 3) return forgeBitmap(path, bitmaps[draw(bitmaps.length)]!, draw);
  return forgeSection(path, segments[draw(segments.length)]!, draw);
}
