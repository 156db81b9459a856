import {describe, expect, it} from 'vitest';
import {searchPathOf, withFolderFirst} from '../../../src/launch/programs/search-path.js';

describe('withFolderFirst(env, folder, isWindows)', () => {
  it('puts a folder before those of PATH', () => {
    expect(withFolderFirst({PATH: '/usr/bin', Path: 'other'}, '/venv/bin', false)).toEqual({
      PATH: '/venv/bin:/usr/bin',
      Path: 'other',
    });
  });

  it('keeps the name that the variable has on Windows, of which there must be one', () => {
    const env = withFolderFirst({A: 'b', Path: 'C:\\Windows'}, 'D:\\my venv\\Scripts', true);
    expect(env).toEqual({A: 'b', Path: 'D:\\my venv\\Scripts;C:\\Windows'});
    expect(searchPathOf(env, true)).toBe('D:\\my venv\\Scripts;C:\\Windows');
  });

  it('makes one where there is none', () => {
    expect(withFolderFirst({}, '/venv/bin', false)).toEqual({PATH: '/venv/bin:'});
    expect(searchPathOf({}, true)).toBeUndefined();
  });
});
