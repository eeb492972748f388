// The targets that the addon is built for, and the compiler that builds for all of them. The package
// @asof/PLATFORM has prebuilds/PLATFORM of one target, or of two on Linux: one for each C library.
const zigTargets = {
  'linux-x64': 'x86_64-linux-gnu.2.17',
  'linux-arm64': 'aarch64-linux-gnu.2.17',
  'linuxmusl-x64': 'x86_64-linux-musl',
  'linuxmusl-arm64': 'aarch64-linux-musl',
  'darwin-x64': 'x86_64-macos.11.0',
  'darwin-arm64': 'aarch64-macos.11.0',
  'win32-x64': 'x86_64-windows-gnu',
  'win32-arm64': 'aarch64-windows-gnu',
};

/** A target in the words of prebuildify and node-gyp-build. */
function prebuildOf(target) {
  const [system, arch] = target.split('-');
  const platform = system.replace('musl', '');
  const libc = platform !== 'linux' ? undefined : system === platform ? 'glibc' : 'musl';
  const file = libc ? `asof.${libc}.node` : 'asof.node';
  const folder = `${platform}-${arch}`;
  return { platform, arch, libc, folder, path: `prebuilds/${folder}/${file}` };
}

module.exports = {
  zigVersion: '0.17.1',
  /** By target, zig's name of it. */
  zigTargets,
  prebuildOf,
  /** Those that have a package, as lib/binding.ts lists them. */
  platforms: Object.keys(zigTargets).filter((target) => !target.startsWith('linuxmusl')),
};
