import {getOrAdd} from '../../core/table/get-or-add.js';
import type {DraftSlice, TraceBuilder} from '../../core/trace/trace-builder.js';
import {countedNote, type TraceNote} from '../../core/trace/trace-note.js';
import type {PointEvent, PointPlaces} from './point-event.js';

/** Shown below all threads. */
const displayOrder = 30;
/** The most trees with a track of their own: a program may use a million ids. The rest share one track. */
const mostTracks = 100;

interface OpenEvent {
  readonly slice: DraftSlice;
  isClosed: boolean;
}

/** The open events of a category and id, the innermost last; closed ones in it are skipped. */
interface Tree {
  readonly all: OpenEvent[];
  readonly byName: Map<string, OpenEvent[]>;
}

/**
 * Asynchronous events: slices that follow no thread's stack. Events of one category and id form a tree on a track of
 * their own; an end closes the innermost open event of its name.
 */
export class AsyncEvents {
  /** Number of beginnings without an end, after `finish`. */
  #open = 0;
  /** Number of ends without a beginning. */
  #unopened = 0;
  readonly #trees = new Map<string, Tree>();
  readonly #tracks = new Map<string, number>();

  constructor(
    private readonly builder: TraceBuilder,
    private readonly places: PointPlaces,
  ) {}

  begin(event: PointEvent): void {
    const {name, startNs, offset} = event;
    const slice = this.builder.addSlice({
      track: this.#trackOf(event),
      startNs,
      durationNs: 0,
      name: this.builder.strings.intern(name),
      kind: 'other',
      source: offset,
    });
    const tree = getOrAdd(this.#trees, keyOf(event), () => ({all: [], byName: new Map<string, OpenEvent[]>()}));
    const begun = {slice, isClosed: false};
    tree.all.push(begun);
    getOrAdd(tree.byName, name, () => []).push(begun);
  }

  /** Adds an instant for a step in between. */
  step(event: PointEvent): void {
    const name = this.builder.strings.intern(event.name);
    this.builder.points.addInstant(this.#trackOf(event), event.startNs, name, 'marker', null, event.offset);
  }

  end(event: PointEvent): void {
    const tree = this.#trees.get(keyOf(event));
    // An end without a name closes the innermost event.
    const begun = innermost(event.name === '' ? tree?.all : tree?.byName.get(event.name));
    if (tree === undefined || begun === undefined) {
      this.#unopened++;
      return;
    }
    begun.isClosed = true;
    this.builder.endSlice(begun.slice, event.startNs);
    while (tree.all.at(-1)?.isClosed) tree.all.pop();
    // Freed, because a program may use each id once.
    if (tree.all.length === 0) this.#trees.delete(keyOf(event));
  }

  finish(): void {
    if (this.#trees.size === 0) return;
    const lastNs = this.builder.lastEndNs();
    for (const {all} of this.#trees.values()) {
      for (const {slice, isClosed} of all) {
        if (isClosed) continue;
        this.#open++;
        this.builder.endSlice(slice, lastNs);
      }
    }
    this.#trees.clear();
  }

  /** Returns the notes that a reader of these events needs, after `finish`. */
  notes(): TraceNote[] {
    const notes: TraceNote[] = [];
    if (this.#open > 0) {
      notes.push(
        countedNote(
          'async/open',
          this.#open,
          '{0} asynchronous event has no end. GPU Lens ends it at the last event.',
          '{0} asynchronous events have no end. GPU Lens ends them at the last event.',
        ),
      );
    }
    if (this.#unopened > 0) {
      notes.push(
        countedNote(
          'async/unopened',
          this.#unopened,
          '{0} end of an asynchronous event was left out because it has no beginning.',
          '{0} ends of asynchronous events were left out because they have no beginning.',
        ),
      );
    }
    return notes;
  }

  #trackOf(event: PointEvent): number {
    const {category, id, pid} = event;
    const key = keyOf(event);
    const known = this.#tracks.get(key);
    if (known !== undefined) return known;
    const isShared = this.#tracks.size >= mostTracks;
    const name = [category === '' ? 'Asynchronous' : category, id].join(' ').trim();
    const track = this.builder.track({
      kind: 'other',
      process: this.places.process(pid),
      device: -1,
      id: isShared ? 'async' : `async ${key}`,
      name: isShared ? 'Other asynchronous events' : name,
      order: displayOrder,
    });
    if (!isShared) this.#tracks.set(key, track);
    return track;
  }
}

/** Returns the last event that is still open. */
function innermost(open: OpenEvent[] = []): OpenEvent | undefined {
  let last = open.pop();
  while (last?.isClosed) last = open.pop();
  return last;
}

/** Ids are unique per category. */
function keyOf({category, id}: PointEvent): string {
  return `${category}\n${id}`;
}
