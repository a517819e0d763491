import type { Context } from '@/lib/cli/context';

/** Begins the description of what `eds listen` creates, so that it removes nothing that a person created. */
const MARK = 'eds listen';

/** What the command created on the server, to be removed at its end. */
export interface Receiver {
  /** Such as "endpoint 0196…". */
  name: string;
  remove(): Promise<unknown>;
  /** The command line that removes it by hand. */
  byHand: string;
}

/** Calls that clean up run after Ctrl-C too, and must not keep a person waiting. */
export const CLEANUP = { timeoutMs: 5_000, maxRetries: 1 };

export function descriptionFor({ terminal }: Context): string {
  return `${MARK} on ${terminal.hostName}`.slice(0, 500);
}

/** Tells whether an earlier `eds listen` created it. */
export function isOfListen({ description }: { description: string | null }): boolean {
  return description?.startsWith(MARK) ?? false;
}

/** Removes what was created, latest first. Says what could not be removed, and how to do it by hand. */
export async function removeAll({ out }: Context, receivers: readonly Receiver[]): Promise<void> {
  for (const { name, remove, byHand } of receivers.toReversed()) {
    await remove().then(
      () => out.note(`Removed the ${name}.`),
      () => out.note(`We couldn’t remove the ${name}. Remove it yourself: ${byHand}`),
    );
  }
}
