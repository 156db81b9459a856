import type {FrameTimes, ScriptTime} from './script-time.js';

export interface TablesFigures {
  readonly rows: number;
  readonly frames: FrameTimes;
  /** Number of frames with a visible row whose figures had not arrived. */
  readonly blankFrames: number;
}

/** Scrolls a table by notches of a wheel, by screens, and by jumps to other parts. */
export async function measureTables(scripts: ScriptTime, frames: number): Promise<TablesFigures> {
  const found = () => document.querySelector<HTMLElement>('.grid .body .row');
  while ((found()?.textContent ?? '') === '') await scripts.nextFrame();
  const grid = document.querySelector<HTMLElement>('.grid');
  if (!grid) throw new Error('The view has no grid.');
  let blankFrames = 0;
  const step = (frame: number) => {
    const part = frame % 100;
    if (frame === 0) grid.scrollTop = 0;
    else if (part < 60) grid.scrollTop += 66;
    else if (part < 95) grid.scrollTop += grid.clientHeight;
    else grid.scrollTop = ((frame * 0.618) % 1) * grid.scrollHeight;
  };
  const times = await scripts.framesOf(3, frames, step, () => {
    if (hasBlankRow(grid)) blankFrames++;
  });
  return {rows: Number(grid.getAttribute('aria-rowcount')) - 2, frames: times, blankFrames};
}

function hasBlankRow(grid: HTMLElement): boolean {
  const {top, bottom} = grid.getBoundingClientRect();
  const lines = [...grid.querySelectorAll<HTMLElement>('.body .row')].filter(line => {
    const place = line.getBoundingClientRect();
    return place.bottom > top && place.top < bottom;
  });
  return lines.length === 0 || lines.some(line => line.textContent === '');
}
