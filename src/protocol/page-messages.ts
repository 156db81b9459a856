/** An internal error in a page: the error, and the code that threw it. */
export interface PageFault {
  /** The page's title. */
  readonly page: string;
  readonly message: string;
  /** "" if it is unknown. */
  readonly stack: string;
}

/** Requests that every page can send to the extension host, besides its own. */
export interface PageRequests {
  /** Logs an internal error. */
  'page/fault': {params: PageFault; result: undefined};
  'page/show-log': {params: undefined; result: undefined};
  /** Copies the details of an internal error for an issue. */
  'page/copy-fault': {params: PageFault; result: undefined};
}
