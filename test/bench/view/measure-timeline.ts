import type {FrameTimes, ScriptTime} from './script-time.js';

export interface TimelineFigures {
  readonly frames: FrameTimes;
  /** Script of taking each answer of the engine. */
  readonly answerMs: readonly number[];
  /** From the frame that sees the mouse at another place to the box with the slice's figures, each time. */
  readonly hoverMs: readonly number[];
  /** Script time of that. */
  readonly hoverScriptMs: readonly number[];
}

/** What the page tells of pictures. */
export interface Pictures {
  /** Shows the profile as one that the view does not know yet. */
  show(): Promise<void>;
  /** How long it took to the first picture of what was shown last, once that is there. */
  firstMs(): Promise<number>;
}

const frameRounds = 5;
const hoverRounds = 3;

/** Zooms, pans and scrolls as a person does, in frames without a break; then moves the mouse from slice to slice. */
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
    // The view asks anew about each place.
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

/** Into the trace, along it, up and down, out of it: each time at another place. */
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

/** What one place took: until its box was full, and the script of that. */
interface Hover {
  readonly ms: number;
  readonly scriptMs: number;
}

const places = 150;
/** There is no slice where no box is full by then. */
const longestMs = 150;

async function measureHover(scripts: ScriptTime, canvas: HTMLCanvasElement): Promise<Hover[]> {
  const {left, top, width, height} = canvas.getBoundingClientRect();
  const box = document.querySelector<HTMLElement>('[role=tooltip]');
  if (!box) throw new Error('The view has no box beside the mouse.');
  // Slices one by one, not merged ones.
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
