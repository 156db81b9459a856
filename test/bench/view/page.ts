// Replaces VS Code around one of our views: passes its requests to the server, and measures them.
import {measureTables} from './measure-tables.js';
import {measureTimeline} from './measure-timeline.js';
import {ScriptTime} from './script-time.js';
import {decode} from './wire.js';

interface Message {
  readonly kind: string;
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

const scripts = new ScriptTime();
/** Number of times that a profile was shown. */
let shows = 1;
/** When the view was told what to show, and when it first had something to draw. */
const times = {shownAtMs: NaN, pictureAtMs: NaN};

async function ask(method: string, params: unknown): Promise<unknown> {
  const response = await fetch('/ask', {method: 'POST', body: JSON.stringify({method, params})});
  if (!response.ok) throw new Error(await response.text());
  return decode(await response.arrayBuffer());
}

async function answer({id, method, params}: Message): Promise<void> {
  const local = ['view/ready', 'layout/restore', 'layout/store'].includes(method);
  const result = local ? null : await ask(method, params);
  await tell({kind: 'result', id, result});
  if (method === 'timeline/visible' && Number.isNaN(times.pictureAtMs)) {
    // By then, the frame that draws it has been requested.
    await scripts.nextFrame();
    times.pictureAtMs = performance.now();
  }
  if (method !== 'view/ready') return;
  await show();
}

/** Shows the profile as one that is new to the view, which forgets its data on it. */
async function show(): Promise<void> {
  const content = (await ask('content', {})) as {profile: object};
  const params = {...content, profile: {...content.profile, key: shows++}};
  times.pictureAtMs = NaN;
  times.shownAtMs = performance.now();
  await tell({kind: 'request', id: shows, method: 'view/content', params});
}

/** Returns the time to the first picture of the profile shown last. */
async function firstMs(): Promise<number> {
  while (Number.isNaN(times.pictureAtMs)) await scripts.nextFrame();
  return times.pictureAtMs - times.shownAtMs;
}

function tell(data: unknown): Promise<void> {
  return scripts.runAll(() => window.dispatchEvent(new MessageEvent('message', {data})));
}

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: Message) => {
      if (message.kind === 'request') void answer(message);
    },
    getState: () => undefined,
    setState: () => undefined,
  }),
  // First in a page that was just loaded; then in one that waited for the profile, as during opening.
  measureFirstPicture: async () => {
    const coldMs = await firstMs();
    await show();
    return {coldMs, waitedMs: await firstMs()};
  },
  measureTimeline: (frames: number) => measureTimeline(scripts, {show, firstMs}, frames),
  measureTables: (frames: number) => measureTables(scripts, frames),
});
