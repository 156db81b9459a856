import {KeyList, type KeyHelp} from '../shared/key-list.js';
import {isShortcut} from '../shared/keyboard-chart.js';
import type {Flame} from './flame.js';
import type {SearchBox} from './search-box.js';
import {t} from '../shared/translate.js';

/** The keys' actions other than moving in the picture. */
export interface KeyActions {
  search(): void;
  help(): void;
  /** Closes the list of keys, else ends the search. Returns whether there was one of them. */
  leave(): boolean;
}

const menuHelp: KeyHelp = [['Shift+F10, M', t('Menu of the block')]];

/**
 * Returns the list of the keys, hidden until `?` is pressed.
 *
 * @param hasMenu whether blocks have a menu
 * @param onClose returns the focus
 */
export function keyList(hasMenu: boolean, onClose: () => void): KeyList {
  const keys: KeyHelp = [
    ['↑ ↓ ← →', t('Move along the tree')],
    ['Enter', t('Zoom to the block')],
    ['Escape, Backspace', t('Leave the search, else go one block back')],
    ['Home', t('Back to the root')],
    ...(hasMenu ? menuHelp : []),
    ['/', t('Search')],
    ['?', t('These keys')],
  ];
  return new KeyList(t('Keys of the flame graph'), keys, onClose);
}

/** Returns the actions of keys in a view with a search and a list of keys. */
export function searchAndHelp(search: SearchBox, keys: KeyList): KeyActions {
  return {
    search: () => search.focus(),
    help: () => keys.toggle(),
    leave: () => keys.close() || search.clear(),
  };
}

/** Makes keys act on the picture while it has the focus. */
export function bindKeys(canvas: HTMLCanvasElement, flame: Flame, actions: KeyActions): void {
  const back = () => {
    if (!actions.leave()) flame.zoomOut();
  };
  const byKey: Readonly<Record<string, () => void>> = {
    Escape: back,
    Backspace: back,
    Home: () => flame.zoomTo(0),
    Enter: () => flame.zoomTo(Math.max(0, flame.focusedNode)),
    ArrowUp: () => flame.move('up'),
    ArrowDown: () => flame.move('down'),
    ArrowLeft: () => flame.move('left'),
    ArrowRight: () => flame.move('right'),
    ContextMenu: () => flame.askMenu(),
    m: () => flame.askMenu(),
    '/': () => actions.search(),
    '?': () => actions.help(),
  };
  canvas.addEventListener('keydown', event => {
    const key = event.shiftKey && event.key === 'F10' ? 'ContextMenu' : event.key;
    if (isShortcut(event) || !Object.hasOwn(byKey, key)) return;
    event.preventDefault();
    byKey[key]();
  });
}
