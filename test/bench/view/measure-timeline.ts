import type {FrameTimes, ScriptTime} from './script-time.js';

export interface TimelineFigures {
  readonly frames: FrameTimes;
  /** Script time of handling each answer of the engine. */
  readonly answerMs: readonly number[];
  /** Times from the frame in which the mouse is at another place to the tooltip with the slice's figures. */
  readonly hoverMs: readonly number[];
  /** The script time of these. */
  readonly hoverScriptMs: readonly number[];
}

/** Measurements of pictures in the page. */
export interface Pictures {
  /** Shows the profile as one that is new to the view. */
  show(): Promise<void>;
  /** Returns the time to the first picture of the profile shown last, once it is drawn. */
  firstMs(): Promise<number>;
}

const frameRounds = 5;
const hoverRounds = 3;

/** Zooms, pans and scrolls as a user does, in consecutive frames; then moves the mouse from slice to slice. */
export async function measureTimeline(
  scripts: ScriptTime,
  pictures: Pictures,
  frames: number,
): Promise<TimelineFigures> {
  await pictures.firstMs();
  const canvas = document.querySelector('canvas');
  if (!canvas) throw new Error('The view has no canvas.');
  scripts.messageMs.length = 0;
  const step = (frame: number) => {
    if (frame === 0) canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}));
    canvas.dispatchEvent(wheelOf(canvas, frame));
  };
  const times = await scripts.framesOf(frameRounds, frames, step);
  const answerMs = [...scripts.messageMs];
  const hovers: Hover[] = [];
  for (let round = 0; round < hoverRounds; round++) {
    // The view then requests each place again.
    await pictures.show();
    await pictures.firstMs();
    hovers.push(...(await measureHover(scripts, canvas)));
  }
  return {
    frames: times,
    answerMs,
    hoverMs: hovers.map(({ms}) => ms),
    hoverScriptMs: hovers.map(({scriptMs}) => scriptMs),
  };
}

/** Returns wheel events that zoom in, pan, scroll, and zoom out, each time at another place. */
function wheelOf(canvas: HTMLCanvasElement, frame: number): WheelEvent {
  const {left, top, width, height} = canvas.getBoundingClientRect();
  const round = Math.floor(frame / 120);
  const clientX = left + width * (0.25 + ((round * 0.618) % 0.7));
  const at = {clientX, clientY: top + height / 2, bubbles: true, cancelable: true};
  const phase = frame % 120;
  if (phase < 45) return new WheelEvent('wheel', {...at, deltaY: -100, ctrlKey: true});
  if (phase < 65) return new WheelEvent('wheel', {...at, deltaY: 60, shiftKey: true});
  if (phase < 75) return new WheelEvent('wheel', {...at, deltaY: round % 2 === 0 ? 40 : -40});
  return new WheelEvent('wheel', {...at, deltaY: 100, ctrlKey: true});
}

/** The times of one place: until its tooltip was complete, and of the scripts. */
interface Hover {
  readonly ms: number;
  readonly scriptMs: number;
}

const places = 150;
/** If the tooltip is not complete by then, there is no slice. */
const longestMs = 150;

async function measureHover(scripts: ScriptTime, canvas: HTMLCanvasElement): Promise<Hover[]> {
  const {left, top, width, height} = canvas.getBoundingClientRect();
  const box = document.querySelector<HTMLElement>('[role=tooltip]');
  if (!box) throw new Error('The view has no box beside the mouse.');
  // Single slices, not merged ones.
  for (let notch = 0; notch < 40; notch++) {
    canvas.dispatchEvent(
      new WheelEvent('wheel', {
        clientX: left + width * 0.6,
        deltaY: -100,
        ctrlKey: true,
        bubbles: true,
        cancelable: true,
      }),
    );
    await scripts.nextFrame();
  }
  await new Promise(resolve => setTimeout(resolve, 500));
  const found: Hover[] = [];
  const isFull = () => !box.hidden && box.textContent.includes(' · duration ');
  for (let hover = 0; hover < places; hover++) {
    canvas.dispatchEvent(new PointerEvent('pointerleave'));
    await scripts.nextFrame();
    await scripts.nextFrame();
    const place = {
      clientX: left + width * (0.2 + 0.78 * ((hover * 0.618) % 1)),
      clientY: top + height * (0.15 + 0.83 * ((hover * 0.414) % 1)),
    };
    const filled = new Promise<number>(resolve => {
      const observer = new MutationObserver(() => {
        if (isFull()) end(performance.now());
      });
      const timer = setTimeout(() => end(NaN), longestMs);
      const end = (atMs: number) => {
        clearTimeout(timer);
        observer.disconnect();
        resolve(atMs);
      };
      observer.observe(box, {childList: true, subtree: true, attributes: true});
    });
    scripts.take();
    scripts.run(() => canvas.dispatchEvent(new PointerEvent('pointermove', {...place, bubbles: true})));
    const filledAtMs = await filled;
    if (Number.isNaN(filledAtMs)) continue;
    found.push({ms: filledAtMs - scripts.frameAtMs, scriptMs: scripts.take()});
  }
  return found;
}
