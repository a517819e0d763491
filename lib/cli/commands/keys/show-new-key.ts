import type { Context } from '@/lib/cli/context';
import type { NewApiKey } from '@/lib/keys/schema';

/** Writes the key alone to standard output, so that a script can store it. */
export function showNewKey({ out, terminal }: Context, made: NewApiKey, words: string): void {
  out.value(made, made.key);
  if (out.isJson) return;
  out.note(words);
  if (terminal.stdout.isTTY) out.note('Store the key now. It cannot be shown again.');
}
