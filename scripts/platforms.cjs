// The platforms that have a package @asof/PLATFORM (as lib/binding.ts lists them), and the compiler
// that builds for all of them.
module.exports = {
  zigVersion: '0.17.1',
  /** By platform, zig's name of the target. */
  zigTargets: {
    'linux-x64': 'x86_64-linux-gnu.2.17',
    'linux-arm64': 'aarch64-linux-gnu.2.17',
    'linuxmusl-x64': 'x86_64-linux-musl',
    'linuxmusl-arm64': 'aarch64-linux-musl',
    'darwin-x64': 'x86_64-macos.11.0',
    'darwin-arm64': 'aarch64-macos.11.0',
    'win32-x64': 'x86_64-windows-gnu',
    'win32-arm64': 'aarch64-windows-gnu',
  },
};
