import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { makeWorkspace } from './support/api';
import { launchProduct, type Product } from './support/launch-product';
import { startReceiver } from './support/receiver';

const [SENDERS, LOAD_MS, KILL_EVERY_MS] = [8, 12_000, 1_500];

/** Kills a process of the product as hard as the system can; tells how many there were. */
function kill(product: Product, part: 'web' | 'worker'): number {
  const listed = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' });
  const found = listed
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid]) => Number(ppid) === product.process.pid)
    .filter((words) => words.some((word) => word.endsWith(`${part}.mjs`)));
  for (const [pid] of found) process.kill(Number(pid), 'SIGKILL');
  return found.length;
}

/** Sends events until `end` and gives the ids of those that were answered 202. */
async function sendUntil(end: number, url: string, key: string): Promise<string[]> {
  const accepted: string[] = [];
  while (Date.now() < end) {
    const answer = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ type: 'crash.tested', data: { n: accepted.length } }),
    }).catch(() => null);
    if (answer?.status === 202) accepted.push(((await answer.json()) as { id: string }).id);
    else await sleep(50);
  }
  return accepted;
}

test('nothing that was answered 202 is lost when web and worker are killed under load', async () => {
  test.setTimeout(120_000);
  const receiver = await startReceiver();
  const product = await launchProduct(test.info().outputPath('product.log'));
  try {
    const { key } = await makeWorkspace(product.url, receiver.url);
    const end = Date.now() + LOAD_MS;
    const sending = Promise.all(Array.from({ length: SENDERS }, () => sendUntil(end, product.url, key)));
    for (const part of ['worker', 'web', 'worker', 'web'] as const) {
      await sleep(KILL_EVERY_MS);
      expect(kill(product, part)).toBe(1);
    }
    const accepted = (await sending).flat();
    expect(accepted.length).toBeGreaterThan(200);
    // A dead worker's deliveries come back when their leases end.
    const missing = () => {
      const seen = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return accepted.filter((id) => !seen.has(id)).length;
    };
    await expect.poll(missing, { timeout: 75_000, intervals: [500] }).toBe(0);
  } finally {
    await product.stop();
    await receiver.close();
  }
});
