import type { ChildProcess } from 'node:child_process';
import { findFreePort } from '@/lib/platform/free-port';
import { sendThroughNode } from '@/tests/http/adapters';
import { type Call, callOver } from '@/tests/http/api-request';
import { untilReady, useProcesses } from '@/tests/processes/entry-process';

/** A web process of its own. */
export interface WebProcess {
  child: ChildProcess;
  port: number;
  origin: string;
  call: Call;
}

/**
 * Starts web processes, which serve every route of the API. They end after the test.
 *
 * @returns a function that starts two of them; its argument extends the variables
 */
export function useWebProcesses(
  environment: () => Record<string, string>,
): (more?: Record<string, string>) => Promise<[WebProcess, WebProcess]> {
  const start = useProcesses('tests/tunnel/tunnel-process.ts', environment);
  const startOne = async (more: Record<string, string>): Promise<WebProcess> => {
    const port = await findFreePort();
    const addresses = { PORT: String(port), TUNNEL_PEER_URL: `http://127.0.0.1:${port}` };
    const child = await untilReady(start([], { ...addresses, ...more }));
    return { child, port, origin: `http://127.0.0.1:${port}`, call: callOver(sendThroughNode(() => port)) };
  };
  return (more = {}) => Promise.all([startOne(more), startOne(more)]);
}
