import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { findFreePort } from '@/lib/platform/free-port';
import { startTestServer } from '@/tests/database/postgres';
import { openBalancer } from '@/tests/http/balancer';
import { callApi, makeWorkspace, PASSWORD } from './support/api';
import { expect, test } from './support/fixtures';
import { launchProduct } from './support/launch-product';
import { expectSignedIn, trySignIn } from './support/sign-in';

/** Starts another web process from the build; resolves when it is ready. @param onLog gets what it writes to standard output */
async function startWeb(environment: Record<string, string>, onLog: (text: string) => void): Promise<ChildProcess> {
  const web = fork('.build/web.mjs', [], {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  web.stdout?.setEncoding('utf8').on('data', onLog);
  await once(web, 'message');
  return web;
}

test('two web processes behind a balancer serve one dashboard, and one continues after the other was killed', async ({
  page,
  receiver,
}) => {
  // Starts a PostgreSQL and a product.
  test.slow();
  const server = await startTestServer();
  const ports = [await findFreePort(), await findFreePort()];
  const balancer = await openBalancer(ports);
  const shared = {
    DATABASE_URL: server.databaseUrl,
    APP_BASE_URL: balancer.origin,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const product = await launchProduct(test.info().outputPath('product.log'), { ...shared, PORT: String(ports[0]) });
  let log = '';
  const second = await startWeb({ ...shared, PORT: String(ports[1]), DATA_DIR: product.dataDir }, (text) => {
    log += text;
  });
  try {
    const { email, key, projectId } = await makeWorkspace(balancer.origin, receiver.url);
    const send = (type: string) => callApi(balancer.origin, 'POST', '/events', { key, body: { type, data: {} } });
    const row = (type: string) => page.getByRole('link', { name: type });
    await page.goto(`${balancer.origin}/login`);
    await trySignIn(page, email, PASSWORD);
    await expectSignedIn(page);

    // Whichever process holds the stream, the one that stores an event is the other one at times.
    await page.goto(`${balancer.origin}/projects/${projectId}/events`);
    await expect(page.getByRole('button', { name: /^Live\. / })).toBeVisible();
    for (const type of ['order.first', 'order.second', 'order.third']) {
      await send(type);
      await expect(row(type)).toBeVisible();
    }
    for (const path of ['endpoints', 'keys', 'overview', 'events']) {
      await page.goto(`${balancer.origin}/projects/${projectId}/${path}`);
      await expectSignedIn(page);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    expect(balancer.counts.every((count) => count > 20)).toBe(true);

    // Nothing asks the API meanwhile: the console would show connections that break.
    await page.goto('about:blank');
    second.kill('SIGKILL');
    await once(second, 'exit');
    await page.goto(`${balancer.origin}/projects/${projectId}/events`);
    await expect(row('order.third')).toBeVisible();
    await send('order.fourth');
    await expect(row('order.fourth')).toBeVisible();
    await expect.poll(() => receiver.received.length).toBe(4);

    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { process: string });
    expect(new Set(lines.map((line) => line.process))).toEqual(new Set(['web']));
    await page.getByRole('button', { name: /^Account [A-Z]/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
  } finally {
    // The page may still load, and its console would show connections that break.
    await page.goto('about:blank');
    second.kill('SIGKILL');
    await product.stop();
    balancer.close();
    await server.stop();
  }
});
