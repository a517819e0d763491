/** A slice ends after the item that reaches this. */
const SLICE_MS = 2;

/** Maps items that may take long, and lets the event loop work for others in between. */
export async function mapInSlices<T, Result>(items: readonly T[], map: (item: T) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let startedMs = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - startedMs < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    startedMs = performance.now();
  }
  return results;
}
