import type {LineTiming} from './line-timings.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Sidecar, TagSite} from '../source/sidecar.js';
import type {SourcePlace} from '../source/source-index.js';
import {isCell} from '../source/notebook-cell.js';
import {isSameFile} from '../source/recorded-file.js';

/**
 * Returns, for each line, how many other lines use one of its names and so share its figures: lines of this file, and
 * lines of other files that the runner saw open such a range. Without a runner, lines that could have opened it.
 *
 * @param path path of the file, with "/" or "\"
 * @param recorded its path in the sidecar; null if it has none
 * @param placesFor returns the lines of the workspace that use a name
 */
export function otherLinesOf(
  timings: readonly Pick<LineTiming, 'names'>[],
  path: string,
  recorded: string | null,
  sidecar: Pick<Sidecar, 'sites'> | null,
  placesFor: (name: string) => readonly Pick<SourcePlace, 'file' | 'line' | 'cell'>[] = () => [],
): number[] {
  const placesOf = new Map<string, Set<string>>();
  const add = (name: string, place: string) => {
    const places = placesOf.get(name);
    if (places) places.add(place);
    else placesOf.set(name, new Set([place]));
  };
  timings.forEach(({names}, line) => {
    for (const {name} of names) add(name, `here ${String(line)}`);
  });
  // Lines of this file may have moved, so its current text counts rather than what the runner saw.
  for (const {name, file, line} of sidecar ? sitesElsewhere(sidecar, recorded, path) : [])
    add(name, `${file} ${String(line)}`);
  if (!sidecar) {
    for (const name of [...placesOf.keys()]) {
      for (const {file, line, cell} of placesFor(name))
        if (!isSameFile(path, file)) add(name, `${file} ${String(cell ?? '')} ${String(line)}`);
    }
  }
  return timings.map(({names}, line) => {
    const others = new Set<string>();
    for (const {name} of names) for (const place of placesOf.get(name) ?? []) others.add(place);
    others.delete(`here ${String(line)}`);
    return others.size;
  });
}

/** Called on every keystroke, so the sites of a sidecar are cached. */
const foundSites = new WeakMap<object, Map<string | null, readonly TagSite[]>>();

/**
 * Returns the sites in other files. A notebook's cells run as files with names that the kernel makes up, so a cell's
 * site cannot be assigned to a cell of the notebook. For a notebook, no cell's site counts as another file's.
 */
function sitesElsewhere(sidecar: Pick<Sidecar, 'sites'>, recorded: string | null, path: string): readonly TagSite[] {
  let found = foundSites.get(sidecar);
  if (!found) foundSites.set(sidecar, (found = new Map<string | null, readonly TagSite[]>()));
  const isNotebook = path.endsWith('.ipynb');
  return getOrAdd(found, isNotebook ? '*.ipynb' : recorded, () =>
    sidecar.sites.filter(({file}) => file !== recorded && !(isNotebook && isCell(file))),
  );
}
