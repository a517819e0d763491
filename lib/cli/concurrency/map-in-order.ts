type Step<T, R> = { result: R } | { item: IteratorResult<T> } | { sourceError: unknown };

/**
 * Works on items, several at a time, and yields each result as soon as it and those before it are there. Takes an item only when
 * there is room for it, so a source of any length needs bounded memory.
 * @param most items at a time
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const source = items[Symbol.asyncIterator]();
  const running: Promise<Step<T, R>>[] = [];
  const start = (item: T) => {
    const result = work(item).then((result) => ({ result }));
    // It is awaited later. Until then its error is not unhandled.
    result.catch(() => undefined);
    running.push(result);
  };
  const take = (): Promise<Step<T, R>> =>
    source.next().then(
      (item) => ({ item }),
      (sourceError: unknown) => ({ sourceError }),
    );
  let failed: { sourceError: unknown } | undefined;
  let next: Promise<Step<T, R>> | undefined = take();
  try {
    while (next !== undefined || running.length > 0) {
      // A source may be idle for hours: results must not wait for its next item.
      const awaited: (Promise<Step<T, R>> | undefined)[] = [running[0], running.length < most ? next : undefined];
      const step: Step<T, R> = await Promise.race(awaited.filter((each) => each !== undefined));
      if ('result' in step) {
        running.shift();
        yield step.result;
      } else if ('sourceError' in step) {
        // Thrown at the end: the results of the items before it are wanted.
        failed = step;
        next = undefined;
      } else {
        if (!step.item.done) start(step.item.value);
        next = step.item.done ? undefined : take();
      }
    }
    if (failed !== undefined) throw failed.sourceError;
  } finally {
    // Not awaited: a generator that waits for its next item cannot return before that.
    void source.return?.().catch(() => undefined);
  }
}
