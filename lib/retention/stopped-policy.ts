/** The `error` of a run that ended with its process, between two batches. The next run continues. */
export const STOPPED = 'stopped';
