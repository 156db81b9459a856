/** Runs in a page: returns the controls and texts that are partly hidden and cannot be scrolled into view. */
export function cutOff(): string[] {
  const controls = 'button, input, select, summary, [role=tab], vscode-button, vscode-dropdown, vscode-checkbox';
  const isSeen = (element: Element) => element.checkVisibility({visibilityProperty: true});
  const nameOf = (element: Element) =>
    `${element.localName} ${element.getAttribute('aria-label') ?? element.textContent.slice(0, 60)}`;
  const isFreeOf = (overflow: string) => /auto|scroll/.test(overflow);
  /** Returns whether an element is cut off on one side by an ancestor that cannot be scrolled. */
  const isCut = (element: Element, side: 'X' | 'Y'): boolean => {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    const [from, to] = side === 'X' ? [left, right] : [top, bottom];
    for (let around = element.parentElement; around; around = around.parentElement) {
      const overflow = getComputedStyle(around)[`overflow${side}`];
      if (isFreeOf(overflow)) return false;
      const box = around.getBoundingClientRect();
      const [least, most] = side === 'X' ? [box.left, box.right] : [box.top, box.bottom];
      if (overflow !== 'visible' && (from < least - 1 || to > most + 1)) return true;
    }
    return false;
  };
  const outside = [...document.querySelectorAll(controls)].filter(
    element =>
      isSeen(element) && !element.closest('.row, .unseen, .only-read') && (isCut(element, 'X') || isCut(element, 'Y')),
  );
  // Cells of tables can be made wider, and have the whole text in a tooltip.
  const shortened = [...document.querySelectorAll('.bar *, .details, .details *, .message, p, li, h2, dd, dt')].filter(
    element =>
      isSeen(element) &&
      getComputedStyle(element).overflowX === 'hidden' &&
      !element.closest('.unseen, .only-read') &&
      element.scrollWidth > element.clientWidth + 1,
  );
  const low = [...document.querySelectorAll('.grid')].filter(
    grid => isSeen(grid) && grid.clientHeight < Math.min(3 * 22, grid.scrollHeight),
  );
  return [
    ...outside.map(element => `outside: ${nameOf(element)}`),
    ...shortened.map(element => `cut: ${nameOf(element)}`),
    ...low.map(element => `no room for rows: ${nameOf(element)}`),
  ];
}

/** Runs in a page: returns what does not follow the colours that the system chooses. */
export function ownColors(): string[] {
  const probe = document.body.appendChild(document.createElement('span'));
  const pixels = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgbOf = (color: string): number[] => {
    if (!pixels) return [];
    pixels.fillStyle = color;
    pixels.fillRect(0, 0, 1, 1);
    return [...pixels.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const systemColor = (name: string) => {
    probe.style.color = name;
    return rgbOf(getComputedStyle(probe).color).join();
  };
  const [background, foreground] = [systemColor('Canvas'), systemColor('CanvasText')];
  probe.remove();
  const canvases = [...document.querySelectorAll('canvas')].filter(canvas => {
    if (!canvas.checkVisibility() || canvas.width === 0) return false;
    const data =
      canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data.subarray(at, at + 3).join() === background) count++;
    // Marks have colours of their own; the space between them, and labels, must have the system's.
    return count < 0.02 * (data.length / 4);
  });
  const texts = [...document.querySelectorAll('svg text')].filter(
    text => !text.closest('.split-bar') && rgbOf(getComputedStyle(text).fill).join() !== foreground,
  );
  const tabs = [...document.querySelectorAll('[role=tablist]')].filter(list => {
    const lines = [...list.querySelectorAll('[role=tab]')].map(tab => ({
      isChosen: tab.getAttribute('aria-selected') === 'true',
      color: getComputedStyle(tab).borderBottomColor,
    }));
    const chosen = lines.find(({isChosen}) => isChosen);
    return lines.some(({isChosen, color}) => !isChosen && color === chosen?.color);
  });
  return [
    ...canvases.map(canvas => `canvas: ${canvas.getAttribute('aria-label') ?? ''}`),
    ...texts.map(text => `text: ${text.textContent}`),
    ...tabs.map(list => `tabs: ${list.getAttribute('aria-label') ?? ''}`),
  ];
}
