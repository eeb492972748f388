"""What a built addon needs of a system: python binary_needs.py PLATFORM FILE (scripts/prebuild.cjs).

Prints it in a few words, and fails where a system that Node runs on might not have it, or where more
than Node-API's entry points is exported.
"""

import re
import sys

import lief

NEWEST_GLIBC = (2, 28)  # of the oldest system that Node 20 runs on
NEWEST_MACOS = (11, 0)
# zig's linker takes no list of exports: C++'s operators, which any library with C++ has, and marks.
MACOS_OTHERS = r"_Z(d[al]P|n[aw]m).*|__dso_handle|_mh_dylib_header"
ENTRIES = {"napi_register_module_v1", "node_api_module_get_api_version_v1"}
SYSTEM_LIBRARIES = {
    "linux": r"(ld-linux.*|lib(c|m|dl|pthread|rt))\.so\..*",
    "linuxmusl": r"libc\.(so|musl.*)",
    "darwin": r"/usr/lib/libSystem\.B\.dylib",
    "win32": r"(?i:KERNEL32|ntdll|api-ms-win-crt-\w+-l1-1-0)\.dll",
}


def check(expected, received):
    """Fails unless there is nothing that was not expected."""
    if received:
        sys.exit(f"Expected {sys.argv[2]} {expected}, received {received}.")


def version_text(version):
    return ".".join(map(str, version[:2]))


def linux_needs(binary, is_musl):
    if is_musl:
        return "musl"
    names = [
        entry.name
        for needed in binary.symbols_version_requirement
        for entry in needed.get_auxiliary_symbols()
    ]
    versions = [
        tuple(map(int, name.removeprefix("GLIBC_").split(".")))
        for name in names
        if name.startswith("GLIBC_")
    ]
    newest = max(versions)
    if newest > NEWEST_GLIBC:
        check(f"to need at most glibc {version_text(NEWEST_GLIBC)}", version_text(newest))
    return f"glibc {version_text(newest)}"


def macos_needs(binary, cpu):
    newest = tuple(binary.build_version.minos)[:2]
    if newest > NEWEST_MACOS:
        check(f"to need at most macOS {version_text(NEWEST_MACOS)}", version_text(newest))
    if cpu == "arm64" and not binary.has_code_signature:
        check("to be signed", "a binary without a signature")
    unbound = [
        name
        for binding in binary.bindings
        if (name := binding.symbol.name.removeprefix("_"))
        and not binding.has_library
        and not binding.symbol.value  # its own, unless an earlier library has it too
        and not re.match(r"(napi|node_api)_", name)
    ]
    check("to call Node-API alone in the program that loads it", unbound)
    return f"macOS {version_text(newest)}{', signed' if binary.has_code_signature else ''}"


def library_names(binary):
    if not isinstance(binary, lief.MachO.Binary):
        return list(binary.libraries)
    itself = lief.MachO.LoadCommand.TYPE.ID_DYLIB
    return [each.name for each in binary.libraries if each.command != itself]


def main(platform, path):
    system, cpu = platform.split("-")
    binary = lief.parse(path)
    architecture = binary.abstract.header.architecture
    wanted = {"x64": "X86_64", "arm64": "ARM64"}[cpu]
    if architecture.name != wanted:
        check(f"to be for {wanted}", architecture.name)
    own = re.compile(SYSTEM_LIBRARIES[system])
    foreign = [name for name in library_names(binary) if not own.fullmatch(name)]
    check("to need the system's libraries alone", foreign)
    exported = {each.name.removeprefix("_") for each in binary.abstract.exported_functions}
    if system == "darwin":
        exported = {name for name in exported if not re.fullmatch(MACOS_OTHERS, name)}
    check("to export Node-API's entry points alone", sorted(exported ^ ENTRIES))
    if system == "win32":
        names = {
            re.sub(r"^api-ms-win-crt-.*", "universal C runtime", name) for name in binary.libraries
        }
        print(", ".join(sorted(names)))
    elif system == "darwin":
        print(macos_needs(binary, cpu))
    else:
        print(linux_needs(binary, system == "linuxmusl"))


main(*sys.argv[1:])
