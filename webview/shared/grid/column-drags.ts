/** Returns the position of an event's column among the shown ones; -1 for none. */
export function shownOf({target}: Event): number {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.cell') : null;
  return Number(cell?.dataset['shown'] ?? -1);
}

/**
 * Listens to titles that are dragged along a row of headers.
 *
 * @param move is called when a title was dropped on another header, with the positions of both columns among the shown
 *   ones
 */
export function listenToDrags(head: HTMLElement, move: (from: number, to: number) => void): void {
  let dragged: number | null = null;
  head.addEventListener('dragstart', event => {
    dragged = shownOf(event);
  });
  head.addEventListener('dragover', event => {
    if (dragged !== null) event.preventDefault();
  });
  head.addEventListener('dragend', () => {
    dragged = null;
  });
  head.addEventListener('drop', event => {
    const target = shownOf(event);
    event.preventDefault();
    if (dragged !== null && target >= 0) move(dragged, target);
    dragged = null;
  });
}
