/** Returns a signal that aborts on SIGINT, SIGTERM and the end of the parent, so that temporary files are removed. */
export function abortOnSignals(): AbortSignal {
  const stopping = new AbortController();
  const stop = (code: number) => () => {
    process.exitCode = code;
    stopping.abort();
  };
  process.on('SIGINT', stop(130));
  process.on('SIGTERM', stop(143));
  return stopping.signal;
}
