import { log } from '@/lib/platform/log';

/**
 * Does `work` for each item, one after the other, until the signal ends it. Continues after an item that fails.
 *
 * @throws Error with the reason of each failure, after all items. The item that the signal interrupted is not a failure.
 */
export async function forEachCollectingErrors<T>(
  items: Iterable<T>,
  signal: AbortSignal | undefined,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: Error[] = [];
  const hasEnded = () => signal?.aborted === true;
  for (const item of items) {
    if (hasEnded()) break;
    try {
      await work(item);
    } catch (error) {
      if (hasEnded()) log().info({ err: error }, 'retention stopped in the middle of a partition');
      else failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === 1) throw first;
  throw new Error(failures.map(({ message }) => message).join('; '), { cause: first });
}
