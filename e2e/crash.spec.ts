import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { makeWorkspace } from './support/api';
import { fetchChecked, ResponseFault } from './support/check-response';
import { launchProduct, type Product } from './support/launch-product';
import { startReceiver } from './support/receiver';

type Part = 'web' | 'worker';

const [SENDERS, KILL_EVERY_MS] = [8, 1_500];
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

/** Sends events until `isOver`, and adds the ids of those that were answered 202. */
async function sendUntil(url: string, key: string, accepted: string[], isOver: () => boolean): Promise<void> {
  const send = async () => {
    const response = await fetchChecked(`${url}/api/v1/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ type: 'crash.tested', data: { n: accepted.length } }),
    });
    return response.status === 202 ? ((await response.json()) as { id: string }).id : null;
  };
  while (!isOver()) {
    // Without a complete response the id is unknown.
    const id = await send().catch((error) => {
      if (error instanceof ResponseFault) throw error;
      return null;
    });
    if (id === null) await sleep(50);
    else accepted.push(id);
  }
}

test('no event accepted with 202 is lost when web and worker are killed under load', async () => {
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
    const { key } = await makeWorkspace(product.url, receiver.url);
    const send = () => sendUntil(product.url, key, accepted, () => isOver);
    const sending = Promise.all(Array.from({ length: SENDERS }, send));
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
      const seen = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return accepted.filter((id) => !seen.has(id)).length;
    };
    await expect.poll(missing, { timeout: 75_000, intervals: [500] }).toBe(0);
  } finally {
    isOver = true;
    await product.stop();
    await receiver.close();
  }
});
