const running = new Set<Promise<unknown>>();

/** Runs work that an interrupted process must end first, for example storing a token that replaces a spent one. */
export async function runCritical<T>(work: () => Promise<T>): Promise<T> {
  const promise = work();
  running.add(promise);
  try {
    return await promise;
  } finally {
    running.delete(promise);
  }
}

/** Resolves when no critical work is under way, whether it failed or not. */
export async function criticalWorkDone(): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}
