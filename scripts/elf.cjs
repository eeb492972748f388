// What a shared object of Linux (ELF, 64 bits, little-endian) asks of the system that loads it, read
// from its dynamic section: no tool of another platform is needed for that.
const { readFileSync } = require('node:fs');

const tags = { needed: 1, stringTable: 5, symbolTable: 6, versionNeeds: 0x6ffffffe };

/**
 * The libraries that the file needs, the symbol versions that it needs of them (such as
 * "GLIBC_2.17"), and the names of the symbols that it defines for others.
 */
function elfOf(file) {
  const bytes = readFileSync(file);
  if (bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1)
    throw new Error(`Expected ${file} to be an ELF file of 64 bits, received something else.`);
  const word = (at) => Number(bytes.readBigUInt64LE(at));
  const sections = [];
  for (let i = 0; i < bytes.readUInt16LE(60); i++) {
    const at = word(40) + i * bytes.readUInt16LE(58);
    sections.push({
      type: bytes.readUInt32LE(at + 4),
      address: word(at + 16),
      offset: word(at + 24),
      size: word(at + 32),
    });
  }
  const [dynamic] = sections.filter(({ type }) => type === 6);
  const entries = [];
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16)
    entries.push({ tag: word(at), value: word(at + 8) });
  const section = (tag) => {
    const address = entries.find((each) => each.tag === tag)?.value;
    return sections.find((each) => each.address === address);
  };
  const strings = section(tags.stringTable).offset;
  const text = (at) => bytes.toString('latin1', strings + at, bytes.indexOf(0, strings + at));

  const versions = new Set();
  const needs = section(tags.versionNeeds);
  for (let at = needs?.offset; at !== undefined; ) {
    let part = at + bytes.readUInt32LE(at + 8);
    for (let left = bytes.readUInt16LE(at + 2); left > 0; left--) {
      versions.add(text(bytes.readUInt32LE(part + 8)));
      part += bytes.readUInt32LE(part + 12);
    }
    const next = bytes.readUInt32LE(at + 12);
    at = next === 0 ? undefined : at + next;
  }

  const exported = [];
  const symbols = section(tags.symbolTable);
  for (let at = symbols.offset; at < symbols.offset + symbols.size; at += 24) {
    const defined = bytes.readUInt16LE(at + 6) !== 0;
    const binding = bytes[at + 4] >> 4; // 1 and 2: global and weak
    if (defined && (binding === 1 || binding === 2)) exported.push(text(bytes.readUInt32LE(at)));
  }
  const libraries = entries
    .filter(({ tag }) => tag === tags.needed)
    .map(({ value }) => text(value));
  return { libraries, versions: [...versions], exported };
}

module.exports = { elfOf };
