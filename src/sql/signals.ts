/** What a process of queries ends itself with where a query takes too much memory. */
export const outOfMemorySignal = 'SIGTERM';
/** What ends it where somebody has cancelled: SQLite has no interrupt here, and hears no other. */
export const cancelSignal = 'SIGKILL';
