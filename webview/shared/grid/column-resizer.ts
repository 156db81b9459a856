import {element} from '../dom.js';

/** The right edge of a header, by which its column is made wider. A double click undoes that. */
export function resizer(): HTMLElement {
  return element('span', {className: 'resizer', attributes: {'aria-hidden': 'true'}});
}

/** Whether an event is on such an edge. */
export const isOnResizer = ({target}: Event): boolean => target instanceof Element && target.matches('.resizer');

/**
 * Listens to the edges in a row of headers.
 *
 * @param resize is called with the place of the column among those shown, and its width in CSS px; null for its own width
 */
export function listenToResizers(head: HTMLElement, resize: (shown: number, px: number | null) => void): void {
  const cellOf = ({target}: Event) => (target as Element).closest<HTMLElement>('.cell');
  head.addEventListener('dblclick', event => {
    const cell = isOnResizer(event) ? cellOf(event) : null;
    if (cell) resize(Number(cell.dataset['shown']), null);
  });
  head.addEventListener('pointerdown', event => {
    const cell = isOnResizer(event) ? cellOf(event) : null;
    if (!cell || event.button !== 0) return;
    // No text is selected on the way.
    event.preventDefault();
    const shown = Number(cell.dataset['shown']);
    const offsetPx = cell.offsetWidth - event.clientX;
    const move = (moved: PointerEvent) => {
      resize(shown, offsetPx + moved.clientX);
    };
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  });
}
