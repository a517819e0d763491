import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { BASE_URL, callApi, PASSWORD } from './support/api';

/** Starts `eds` of this checkout. */
function eds(folder: string, args: string[]): { child: ChildProcess; read(): string } {
  const env = { ...process.env, EDS_CONFIG_DIR: folder, EDS_API_KEY: '', EDS_API_URL: '' };
  const child = spawn(process.execPath, ['scripts/eds.mjs', ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return { child, read: () => output };
}

const TWO_MINUTES_MS = 120_000;

test('a person gets from eds login to an event in a local server with five commands, in under two minutes', async () => {
  const registration = { email: `ada-${randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' };
  const { accessToken: token } = await callApi<{ accessToken: string }>('POST', '/auth/register', {
    body: registration,
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'eds-journey-'));
  const received: string[] = [];
  const local = createServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => local.listen(0, resolve));
  const started = performance.now();
  const children: ChildProcess[] = [];
  const run = (...args: string[]) => {
    const running = eds(folder, args);
    children.push(running.child);
    return running;
  };
  const succeed = async ({ child, read }: ReturnType<typeof eds>) => {
    const [code] = await once(child, 'close');
    expect(code, read()).toBe(0);
  };
  try {
    const login = run('login', '--url', BASE_URL, '--no-browser');
    await expect.poll(login.read, { timeout: 60_000 }).toMatch(/enter the code [A-Z]{4}-[A-Z]{4}/);
    const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(login.read()) ?? [];
    await callApi('POST', '/auth/device/approve', { token, body: { userCode } });
    await succeed(login);
    await succeed(run('projects', 'create', 'Shop', '--use'));
    const listen = run('listen', String((local.address() as AddressInfo).port), '--events', '*');
    await expect.poll(listen.read, { timeout: 60_000 }).toMatch(/^http\S+\/t\/\S+ -> http:\/\/localhost:\d+$/m);
    await succeed(run('keys', 'create', 'my-machine', '--save'));
    await succeed(run('send', 'order.created', '-d', '{"no": 42}'));
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ type: 'order.created', data: { no: 42 } });
    expect(performance.now() - started).toBeLessThan(TWO_MINUTES_MS);
    await expect.poll(listen.read).toMatch(/\tPOST\t\/\t204\t\d+ ms\torder\.created$/m);

    listen.child.kill('SIGINT');
    expect(await once(listen.child, 'close')).toEqual([130, null]);
    const { projectId } = JSON.parse(await output(run('config', 'show', '--json'))) as { projectId: string };
    const endpoints = await callApi<{ data: unknown[] }>('GET', `/projects/${projectId}/endpoints`, {
      token,
    });
    expect(endpoints.data).toMatchObject([{ enabled: false, pauseReason: 'eds listen has ended' }]);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    local.closeAllConnections();
    local.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function output({ child, read }: ReturnType<typeof eds>): Promise<string> {
  await once(child, 'close');
  return read();
}
