import type { Context } from '@/lib/cli/context';
import type { NewApiKey } from '@/lib/keys/schema';

/** Shows a new key, the only time that it can be seen. Away from a terminal it is alone on standard output. */
export function showNewKey({ out, terminal }: Context, created: NewApiKey): void {
  if (!out.isJson && !terminal.stdout.isTTY) {
    out.value(created, created.key);
    return;
  }
  out.record(created, [
    { header: 'KEY', value: ({ key }) => key },
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'SCOPE', value: ({ scope }) => scope },
    { header: 'EXPIRES', value: ({ expiresAt }) => expiresAt, kind: 'time' },
  ]);
  out.hint('Store the key now. We keep only its hash and can’t show it again.');
}
