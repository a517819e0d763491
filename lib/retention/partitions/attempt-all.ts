import { log } from '@/lib/platform/log';

/**
 * Does `work` for each of the items, one after the other, also for those behind one that fails, until the signal ends it.
 *
 * @throws Error with the reason of each that failed, when all have been tried; none when it was told to stop
 */
export async function attemptAll<T>(
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
      if (hasEnded()) log().info({ err: error }, 'retention was stopped in the middle of a partition');
      else failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === 1) throw first;
  throw new Error(failures.map(({ message }) => message).join('; '), { cause: first });
}
