import {describe, expect, it} from 'vitest';
import {likelyFile} from '../../../src/core/source/recorded-file.js';

describe('likelyFile(path, recorded)', () => {
  it('is the path with the longest end of the file, whatever the order', () => {
    const recorded = ['utils.py', 'data/utils.py'];
    for (const files of [recorded, [...recorded].reverse()]) {
      expect(likelyFile('/w/data/utils.py', files)).toBe('data/utils.py');
      expect(likelyFile('C:\\w\\data\\utils.py', files)).toBe('data/utils.py');
      expect(likelyFile('/w/utils.py', files)).toBe('utils.py');
    }
    expect(likelyFile('/w/my_utils.py', recorded)).toBeNull();
  });

  it('is of paths of other folders the one that shares most, and none where two share as much', () => {
    const [near, far] = ['/home/other/proj/data/utils.py', '/home/other/utils.py'];
    expect(likelyFile('/w/data/utils.py', [far, near])).toBe(near);
    expect(likelyFile('/w/data/utils.py', [far, near, '/tmp/data/utils.py'])).toBeNull();
    expect(likelyFile('/w/data/utils.py', [near, 'utils.py'])).toBe('utils.py');
    expect(likelyFile('/w/data/utils.py', [])).toBeNull();
  });
});
