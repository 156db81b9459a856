/** A fault of ours in a page: what was thrown, and by which code. */
export interface PageFault {
  /** The page's title. */
  readonly page: string;
  readonly message: string;
  /** "" where nothing tells it. */
  readonly stack: string;
}

/** What every page may ask of the extension host, besides what is its own. */
export interface PageRequests {
  /** Puts a fault in the log. */
  'page/fault': {params: PageFault; result: undefined};
  'page/show-log': {params: undefined; result: undefined};
  /** Copies what an issue needs to tell of a fault. */
  'page/copy-fault': {params: PageFault; result: undefined};
}
