import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorkspace } from '@/e2e/support/api';
import { launchProduct, type Product } from '@/e2e/support/launch-product';
import { httpRequest, loadHttp } from './support/http-load';
import { startReceiverProcess } from './support/receiver-process';

const [SETTLE_MS, IDLE_LIMIT_MB] = [30_000, 700];
const [EVENTS, STEPS, CONNECTIONS, STEP_MS] = [100_000, 5, 4, 4_000];
const BODY = '{"type":"order.paid","data":{"orderId":"ord_8f2c1","amount":4200,"currency":"EUR"}}';

/**
 * Memory of everything that `npm start` runs, PostgreSQL included: idle, and while 100,000 events are taken in and delivered.
 * Counted as PSS (shared pages once) from smaps_rollup, so on Linux only.
 */
export async function main(): Promise<void> {
  const product = await launchProduct(path.join(mkdtempSync(path.join(tmpdir(), 'bench-')), 'product.log'));
  const receiver = await startReceiverProcess();
  try {
    await sleep(SETTLE_MS);
    const idleMb = totalMb(product);
    process.stdout.write(
      `idle, all processes, after ${SETTLE_MS / 1000} s: ${idleMb.toFixed(0)} MB (aim < ${IDLE_LIMIT_MB})\n`,
    );
    const { key } = await makeWorkspace(product.url, `http://127.0.0.1:${receiver.port}/`);
    const send = httpRequest('POST', '/api/v1/events', { 'Content-Type': 'application/json', 'X-API-Key': key }, BODY);
    const port = Number(new URL(product.url).port);
    for (let sent = 0, step = 1; step <= STEPS; step++) {
      while (sent < (EVENTS / STEPS) * step)
        sent += (await loadHttp(port, send, CONNECTIONS, STEP_MS)).latenciesMs.length;
      while ((await receiver.ask('count')).events < sent) await sleep(100);
      const shown = partsMb(product).map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`);
      process.stdout.write(`after ${sent.toLocaleString('en-US')} events delivered: ${shown.join(', ')}\n`);
    }
    if (idleMb >= IDLE_LIMIT_MB) process.exitCode = 1;
  } finally {
    receiver.stop();
    await product.stop();
  }
}

interface ProcessRow {
  pid: number;
  ppid: number;
  command: string;
}

/** Every process below the product's own, by what it is. */
function listProcesses(product: Product): ProcessRow[] {
  const rows = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((match) =>
      match === null ? [] : [{ pid: Number(match[1]), ppid: Number(match[2]), command: match[3] ?? '' }],
    );
  const family = new Set([product.process.pid]);
  for (let grew = true; grew; ) {
    const found = rows.filter(({ pid, ppid }) => family.has(ppid) && !family.has(pid));
    for (const { pid } of found) family.add(pid);
    grew = found.length > 0;
  }
  return rows.filter(({ pid }) => family.has(pid));
}

/** Proportional set size of a process in MB; 0 when it has just ended. */
function pssMb(pid: number): number {
  try {
    const kb = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function totalMb(product: Product): number {
  return listProcesses(product).reduce((sum, { pid }) => sum + pssMb(pid), 0);
}

function partsMb(product: Product): [string, number][] {
  const parts: Record<string, number> = { web: 0, worker: 0, retention: 0, start: 0, postgres: 0 };
  for (const { pid, command } of listProcesses(product)) {
    const name = /(web|worker|retention|start)\.mjs/.exec(command)?.[1] ?? 'postgres';
    parts[name] = (parts[name] ?? 0) + pssMb(pid);
  }
  return Object.entries(parts);
}
