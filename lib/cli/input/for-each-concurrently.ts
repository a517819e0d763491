/**
 * Works on items, up to `atOnce` at the same time. Reads an item only when it can be worked on. After an error no further item
 * starts; rejects with the first error once all that started have ended.
 */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let failed = false;
  // Iterators of generators queue calls of next, so that workers never get the same item.
  const worker = async () => {
    while (!failed) {
      const { done, value } = await iterator.next();
      if (done) return;
      await work(value);
    }
  };
  const workers = Array.from({ length: atOnce }, () =>
    worker().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  const rejected = ends.find((end) => end.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
}
