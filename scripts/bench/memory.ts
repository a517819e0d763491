import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorkspace } from '@/e2e/support/api';
import { launchProduct } from '@/e2e/support/launch-product';
import { httpRequest, loadHttp } from './support/http-load';
import { pssMibByPart, totalOf } from './support/process-cost';
import { startReceiverProcess } from './support/receiver-process';

const [SETTLE_MS, IDLE_LIMIT_MB] = [30_000, 700];
const [EVENTS, STEPS, CONNECTIONS, STEP_MS] = [100_000, 5, 4, 4_000];
const BODY = '{"type":"order.paid","data":{"orderId":"ord_8f2c1","amount":4200,"currency":"EUR"}}';

/**
 * The memory of everything that `npm start` runs, PostgreSQL included: idle, and while 100,000 events are received and
 * delivered. Counted as PSS (shared pages once) from smaps_rollup. Linux only.
 */
export async function main(): Promise<void> {
  const product = await launchProduct(path.join(mkdtempSync(path.join(tmpdir(), 'bench-')), 'product.log'));
  const receiver = await startReceiverProcess();
  try {
    await sleep(SETTLE_MS);
    const idleMb = totalOf(pssMibByPart(product.process.pid ?? 0));
    process.stdout.write(
      `idle, all processes, after ${SETTLE_MS / 1000} s: ${idleMb.toFixed(0)} MB (target < ${IDLE_LIMIT_MB})\n`,
    );
    const { key } = await makeWorkspace(product.url, `http://127.0.0.1:${receiver.port}/`);
    const send = httpRequest('POST', '/api/v1/events', { 'Content-Type': 'application/json', 'X-API-Key': key }, BODY);
    const port = Number(new URL(product.url).port);
    for (let sent = 0, step = 1; step <= STEPS; step++) {
      while (sent < (EVENTS / STEPS) * step)
        sent += (await loadHttp(port, send, CONNECTIONS, STEP_MS)).latenciesMs.length;
      while ((await receiver.ask('count')).events < sent) await sleep(100);
      const parts = Object.entries(pssMibByPart(product.process.pid ?? 0));
      const shown = parts.map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`);
      process.stdout.write(`after ${sent.toLocaleString('en-US')} events delivered: ${shown.join(', ')}\n`);
    }
    if (idleMb >= IDLE_LIMIT_MB) process.exitCode = 1;
  } finally {
    receiver.stop();
    await product.stop();
  }
}
