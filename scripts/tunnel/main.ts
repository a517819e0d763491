import { openTunnel, type TunnelStatus } from '@/lib/tunnel/client';
import { readArguments } from './arguments';
import { chooseTunnel } from './choose-tunnel';

/** Gives a local server a public address until Ctrl-C. Writes the address and a line for each request to standard output. */
export async function main(args: string[]): Promise<void> {
  const given = readArguments(args);
  const { EDS_API_URL: url = 'http://localhost:3000', EDS_API_KEY: key = '' } = process.env;
  if (given === null) fail('usage: npm run tunnel -- <port|url> [--tunnel ID] [--takeover]', 2);
  if (key === '') fail('Set EDS_API_KEY to an API key of the project with the scope READ_WRITE.', 2);
  const api = { url: url.replace(/\/$/, ''), key };
  const { projectId, tunnel } = await chooseTunnel(api, given.tunnelId).catch((error: Error) =>
    fail(`${api.url}: ${reasonOf(error)}`, 1),
  );
  const handle = openTunnel({
    ...{ url: api.url, projectId, tunnelId: tunnel.id, target: given.target, takeover: given.takeover },
    env: process.env,
    authorization: async () => `Bearer ${key}`,
    onStatus: (status) => process.stderr.write(describe(status)),
    onRequest: ({ method, path, status, durationMs, error }) =>
      console.log(`${method} ${path} ${status} ${durationMs} ms${error === null ? '' : ` (${error})`}`),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void handle.close());
  await handle.connected.then(
    () => console.log(`${tunnel.url ?? 'an unreadable URL, rotate it to get a new one'} -> ${given.target.origin}`),
    () => undefined,
  );
  const reason = await handle.closed;
  if (reason !== null) fail(reason, 1);
}

function describe(status: TunnelStatus): string {
  return status.state === 'disconnected' ? `${status.reason} Connecting again in ${status.retryMs} ms.\n` : '';
}

/** `fetch` puts the reason why a server cannot be reached into the cause. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
