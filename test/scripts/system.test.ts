import {describe, expect, it} from 'vitest';
import {whyOtherSystem} from '../../scripts/lib/system.mjs';

describe('whyOtherSystem(platform, arch, glibc)', () => {
  it.each([
    ['linux', 'x64', '2.28', null],
    ['linux', 'arm64', '2.36', null],
    ['darwin', 'arm64', null, null],
    ['linux', 'x64', '2.17', expect.stringContaining('this system has 2.17: take a newer system')],
    ['linux', 'x64', null, expect.stringContaining('this system has another C library: take')],
    ['linux', 'ppc64', '2.36', expect.stringContaining('does not run on linux with ppc64: take Linux, macOS or')],
    ['freebsd', 'x64', null, expect.stringContaining('does not run on freebsd')],
  ])('%s %s %s', (platform, arch, glibc, answer) => {
    expect(whyOtherSystem(platform, arch, glibc)).toEqual(answer);
  });

  it('has nothing against this system', () => {
    expect(whyOtherSystem()).toBeNull();
  });
});
