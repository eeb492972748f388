// What a library of Windows (PE, 64 bits) asks of the system that loads it, read from its headers.
const { readFileSync } = require('node:fs');

const processors = { 0x8664: 'x64', 0xaa64: 'arm64' };

/** The processor, the libraries that the file needs, and the names that it defines for others. */
function peOf(file) {
  const bytes = readFileSync(file);
  const header = bytes.readUInt16LE(0) === 0x5a4d ? bytes.readUInt32LE(0x3c) : 0;
  const optional = header + 24;
  if (
    header === 0 ||
    bytes.readUInt32LE(header) !== 0x4550 ||
    bytes.readUInt16LE(optional) !== 0x20b
  )
    throw new Error(`Expected ${file} to be a PE file of 64 bits, received something else.`);
  const sections = Array.from({ length: bytes.readUInt16LE(header + 6) }, (_, i) => {
    const at = optional + bytes.readUInt16LE(header + 20) + i * 40;
    return {
      address: bytes.readUInt32LE(at + 12),
      size: bytes.readUInt32LE(at + 16),
      offset: bytes.readUInt32LE(at + 20),
    };
  });
  const place = (address) => {
    const found = sections.find(
      (each) => address >= each.address && address < each.address + each.size,
    );
    return address - found.address + found.offset;
  };
  const text = (address) =>
    bytes.toString('latin1', place(address), bytes.indexOf(0, place(address)));
  const directory = (number) => bytes.readUInt32LE(optional + 112 + number * 8);

  const libraries = [];
  // Imports, and those that are looked for at their first call.
  for (const [number, width, name] of [
    [1, 20, 12],
    [13, 32, 4],
  ]) {
    for (
      let at = directory(number) && place(directory(number));
      at && bytes.readUInt32LE(at + name);
      at += width
    )
      libraries.push(text(bytes.readUInt32LE(at + name)));
  }
  const exported = [];
  if (directory(0)) {
    const at = place(directory(0));
    const names = place(bytes.readUInt32LE(at + 32));
    for (let i = 0; i < bytes.readUInt32LE(at + 24); i++)
      exported.push(text(bytes.readUInt32LE(names + i * 4)));
  }
  return { processor: processors[bytes.readUInt16LE(header + 4)], libraries, exported };
}

module.exports = { peOf };
