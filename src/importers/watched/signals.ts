/** What a watched process ends itself with where it takes too much memory. */
export const outOfMemorySignal = 'SIGTERM';
/** What others end it with: SQLite, a scan or a sort hears no other. */
export const endSignal = 'SIGKILL';
