import type {AlignedSteps, LinkedView} from '../../core/layout/linked-view.js';
import type {TimelineLink} from '../../protocol/view-messages.js';

/** A view's end of a link between two timelines. */
export interface LinkEnd {
  /** The link as the view shows it. */
  shown(): TimelineLink;
  /** Called when the view has moved, so that the other one follows. */
  moved(view: LinkedView): Promise<void>;
  /** Ends the link at both ends. */
  end(): void;
}

/** A view that can be linked with another one. */
interface LinkableView {
  linkWith(link: LinkEnd | null): void;
  follow(view: LinkedView): Promise<void>;
}

/** One of two timelines: its name, and where it is aligned. */
export interface LinkedSide {
  readonly name: string;
  readonly aligned: AlignedSteps;
  readonly view: LinkableView;
}

/** Links two timelines until one of them is unlinked, closed, or linked with another one. */
export function linkTimelines(base: LinkedSide, changed: LinkedSide): void {
  let last: LinkedView | null = null;
  let isEnded = false;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    base.view.linkWith(null);
    changed.view.linkWith(null);
  };
  const endOf = (own: LinkedSide, other: LinkedSide): LinkEnd => ({
    shown: () => ({name: other.name, own: own.aligned, other: other.aligned, view: last}),
    moved: async view => {
      last = view;
      if (!isEnded) await other.view.follow(view);
    },
    end,
  });
  base.view.linkWith(endOf(base, changed));
  changed.view.linkWith(endOf(changed, base));
}
