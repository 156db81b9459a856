import {describe, expect, it} from 'vitest';
import {recordedFileOf} from '../../../src/core/source/recorded-file.js';

describe('recordedFileOf(path, recorded, placeOf)', () => {
  const recorded = ['utils.py', 'data/utils.py', '/job/other.py'];

  it('is the path with the longest end of the file, whatever the order', () => {
    for (const files of [recorded, [...recorded].reverse()]) {
      expect(recordedFileOf('/w/data/utils.py', files)).toBe('data/utils.py');
      expect(recordedFileOf('C:\\w\\data\\utils.py', files)).toBe('data/utils.py');
      expect(recordedFileOf('/w/utils.py', files)).toBe('utils.py');
      expect(recordedFileOf('/job/other.py', files)).toBe('/job/other.py');
    }
    expect(recordedFileOf('/w/my_utils.py', recorded)).toBeNull();
  });

  it('means no other file than the one that lies where the path leads', () => {
    const placeOf = (file: string) => (file === 'utils.py' ? '/w/utils.py' : null);
    expect(recordedFileOf('/w/utils.py', ['utils.py'], placeOf)).toBe('utils.py');
    expect(recordedFileOf('/w/data/utils.py', ['utils.py'], placeOf)).toBeNull();
  });

  it('asks where those lie that can mean the file, and no others', () => {
    const asked: string[] = [];
    const placeOf = (file: string) => {
      asked.push(file);
      return null;
    };
    recordedFileOf('/w/data/utils.py', [...recorded, 'model/utils.py'], placeOf);
    expect(asked).toEqual(['utils.py', 'data/utils.py']);
  });
});
