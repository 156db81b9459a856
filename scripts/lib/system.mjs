// Checks whether Node 24 and better-sqlite3 have binaries for this system.

const oldestGlibc = '2.28';

/**
 * Returns a sentence if they have none, else null.
 *
 * @param glibc the version of the system's C library, null if it is another one
 */
export function whyOtherSystem(platform = process.platform, arch = process.arch, glibc = glibcVersion(platform)) {
  if (!['linux', 'darwin', 'win32'].includes(platform) || !['x64', 'arm64'].includes(arch)) {
    return `GPU Lens does not run on ${platform} with ${arch}: take Linux, macOS or Windows on x64 or arm64.`;
  }
  if (platform !== 'linux') return null;
  const remedy = 'take a newer system, also in a container, such as the image "node:24"';
  if (glibc === null)
    return `GPU Lens needs glibc ${oldestGlibc} or later, and this system has another C library: ${remedy}.`;
  const [major, minor] = glibc.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestGlibc.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `GPU Lens needs glibc ${oldestGlibc} or later, and this system has ${glibc}: ${remedy}.`;
}

function glibcVersion(platform) {
  if (platform !== 'linux') return null;
  // Names of hosts in the report would be looked up.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ?? null;
}
