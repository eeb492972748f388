// What a built addon needs of a system, and that every system with Node has it.
const { elfOf } = require('./elf.cjs');
const { machoOf } = require('./macho.cjs');
const { peOf } = require('./pe.cjs');

const newestGlibc = '2.28'; // of the oldest system that Node 20 runs on
const newestMacos = '11.0';

const olderOrSame = (version, limit) => {
  const [a, b] = [version, limit].map((each) => each.split('.').map(Number));
  return a[0] < b[0] || (a[0] === b[0] && (a[1] ?? 0) <= b[1]);
};

/**
 * Throws where a file could not be loaded wherever Node runs on its target, or exports more than
 * Node-API's entry points; returns what it needs in a few words.
 */
function needsOf(target, file) {
  const fail = (expected, received) => {
    throw new Error(`Expected ${file} to ${expected}, received ${received}.`);
  };
  const [system, processor] = target.split('-');
  const known = { linux: elfOf, linuxmusl: elfOf, darwin: machoOf, win32: peOf }[system](file);
  const own = {
    linux: /^(ld-linux.*|lib(c|m|dl|pthread|rt))\.so/,
    linuxmusl: /^libc\.(so|musl)/,
    darwin: /^\/usr\/lib\/libSystem\.B\.dylib$/,
    win32: /^(KERNEL32|ntdll|api-ms-win-crt-\w+-l1-1-0)\.dll$/i,
  }[system];
  const foreign = known.libraries.filter((name) => !own.test(name));
  if (foreign.length > 0) fail("need the system's libraries alone", foreign.join(', '));
  const entries = ['napi_register_module_v1', 'node_api_module_get_api_version_v1'];
  if (entries.join() !== known.exported.toSorted().join())
    fail(`export ${entries.join(' and ')}`, known.exported.slice(0, 9).join(', '));
  if (known.processor !== undefined && known.processor !== processor)
    fail(`be for ${processor}`, known.processor);
  if (system === 'linux') {
    const glibc = known.versions.flatMap((each) => /^GLIBC_([\d.]+)$/.exec(each)?.[1] ?? []);
    const newer = glibc.filter((each) => !olderOrSame(each, newestGlibc));
    if (newer.length > 0) fail(`need at most glibc ${newestGlibc}`, newer.join(', '));
    return `glibc ${glibc.reduce((oldest, each) => (olderOrSame(each, oldest) ? oldest : each))}`;
  }
  if (system === 'darwin') {
    const foreignNames = known.ofProcess.filter((name) => !/^(napi|node_api)_/.test(name));
    if (foreignNames.length > 0) fail("call Node's functions alone", foreignNames.join(', '));
    if (!known.macos || !olderOrSame(known.macos, newestMacos))
      fail(`need at most macOS ${newestMacos}`, known.macos);
    if (processor === 'arm64' && !known.isSigned) fail('be signed', 'one that is not');
    return `macOS ${known.macos}${known.isSigned ? ', signed' : ''}`;
  }
  return system === 'linuxmusl' ? 'musl' : known.libraries.toSorted().join(', ');
}

module.exports = { needsOf };
