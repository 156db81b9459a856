import {element} from '../dom.js';

/** Returns the right edge of a header. Dragging it resizes the column; a double click restores the width. */
export function resizer(): HTMLElement {
  return element('span', {className: 'resizer', attributes: {'aria-hidden': 'true'}});
}

/** Whether an event is on such an edge. */
export const isOnResizer = ({target}: Event): boolean => target instanceof Element && target.matches('.resizer');

/**
 * Listens to the edges in a row of headers.
 *
 * @param resize is called with the column's position among the shown ones, and its width in CSS px; null for the
 *   default width
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
    // Prevents selecting text during the drag.
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
