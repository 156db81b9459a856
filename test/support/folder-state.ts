import {lstatSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/**
 * Returns the contents of a folder: the name, kind, mode, time and bytes of each entry, without the bytes of large
 * files.
 */
export function folderState(folder: string): readonly unknown[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .sort()
    .map(name => {
      const path = join(folder, name);
      const {mode, mtimeNs, size, nlink} = lstatSync(path, {bigint: true});
      const isRead = lstatSync(path).isFile() && size < 4n << 20n;
      return {name, mode, mtimeNs, size, nlink, bytes: isRead ? readFileSync(path, 'base64') : null};
    });
}
