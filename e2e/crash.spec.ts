import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sign } from '@octokit/webhooks-methods';
import { expect, test } from '@playwright/test';
import { makeWorkspace } from './support/api';
import { fetchChecked, ResponseFault } from './support/check-response';
import { launchProduct, type Product } from './support/launch-product';
import { type Received, startReceiver } from './support/receiver';
import { makeDestination, makeSource, secretOf } from './support/sources';

type Part = 'web' | 'worker';

const SENDERS = 8;
const KILL_EVERY_MS = 1_500;
/** Events accepted before the first kill and after each one, so that the product is running when it is killed. */
const ACCEPTED_BETWEEN = 50;

/** Lists the running processes of a part of the product. */
function listProcesses(product: Product, part: Part): number[] {
  const listed = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid]) => Number(ppid) === product.process.pid)
    .filter((words) => words.some((word) => word.endsWith(`${part}.mjs`)))
    .map(([pid]) => Number(pid));
}

/** Kills the process of a part with SIGKILL after it has started. */
async function kill(product: Product, part: Part): Promise<void> {
  await expect.poll(() => listProcesses(product, part).length, { timeout: 30_000 }).toBe(1);
  for (const pid of listProcesses(product, part)) process.kill(pid, 'SIGKILL');
}

/** Makes the request that sends something, with a new id for each. */
type MakeRequest = () => Promise<{ path: string; headers: Record<string, string>; body: string }>;

const eventWith =
  (key: string): MakeRequest =>
  async () => ({
    path: '/api/v1/events',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ type: 'crash.tested', data: {} }),
  });

const requestOfGitHub =
  (path: string, secret: string): MakeRequest =>
  async () => {
    const body = '{"ref":"refs/heads/main"}';
    const signature = await sign(secret, body);
    return { path, headers: { 'X-GitHub-Delivery': randomUUID(), 'X-Hub-Signature-256': signature }, body };
  };

/** Sends until `isOver`, and adds the ids of what was answered 202. A request without an answer is sent again, as providers do. */
async function sendUntil(url: string, make: MakeRequest, accepted: string[], isOver: () => boolean): Promise<void> {
  const send = async ({ path, headers, body }: Awaited<ReturnType<MakeRequest>>) => {
    const response = await fetchChecked(`${url}${path}`, { method: 'POST', headers, body });
    return response.status === 202 ? ((await response.json()) as { id: string }).id : null;
  };
  for (let request = await make(); !isOver(); ) {
    const id = await send(request).catch((error) => {
      if (error instanceof ResponseFault) throw error;
      return null;
    });
    if (id === null) await sleep(50);
    else {
      accepted.push(id);
      request = await make();
    }
  }
}

test('nothing accepted with 202 is lost when web and worker are killed under load, sent or received', async () => {
  test.setTimeout(240_000);
  const receiver = await startReceiver();
  const product = await launchProduct(test.info().outputPath('product.log'));
  const accepted: string[] = [];
  let isOver = false;
  const waitForAccepted = () => {
    const before = accepted.length;
    return expect.poll(() => accepted.length - before, { timeout: 30_000 }).toBeGreaterThanOrEqual(ACCEPTED_BETWEEN);
  };
  try {
    const workspace = await makeWorkspace(product.url, receiver.url);
    const source = await makeSource(product.url, workspace, 'GITHUB');
    await makeDestination(product.url, workspace, source, { url: receiver.url, retrySeconds: [1, 1, 1, 1] });
    const secret = await secretOf(product.url, workspace, source);
    const makers = [eventWith(workspace.key), requestOfGitHub(new URL(source.url).pathname, secret)];
    const send = (make: MakeRequest) => sendUntil(product.url, make, accepted, () => isOver);
    const sending = Promise.all(makers.flatMap((make) => Array.from({ length: SENDERS / 2 }, () => send(make))));
    await waitForAccepted();
    for (const part of ['worker', 'web', 'worker', 'web'] as const) {
      await sleep(KILL_EVERY_MS);
      await kill(product, part);
      await waitForAccepted();
    }
    isOver = true;
    await sending;
    // Deliveries of a dead worker are retried when their leases end.
    const missing = () => {
      const idOf = ({ headers }: Received) => headers['x-eds-incoming-event-id'] ?? headers['webhook-id'];
      const seen = new Set(receiver.received.map(idOf));
      return accepted.filter((id) => !seen.has(id)).length;
    };
    await expect.poll(missing, { timeout: 75_000, intervals: [500] }).toBe(0);
  } finally {
    isOver = true;
    await product.stop();
    await receiver.close();
  }
});
