/** The signal with which a watched process ends itself if it takes too much memory. */
export const outOfMemorySignal = 'SIGTERM';
/** The signal with which others end it: during a query in SQLite, a scan or a sort, it reacts to no other. */
export const endSignal = 'SIGKILL';
