import { makePgBouncer } from '@/tests/database/pgbouncer';
import { startTestServer } from '@/tests/database/postgres';
import { callApi, makeWorkspace, PASSWORD } from './support/api';
import { expect, test } from './support/fixtures';
import { launchProduct } from './support/launch-product';
import { expectSignedIn, trySignIn } from './support/sign-in';

test('npm start on PgBouncer: a person signs in and sees new events, also after PgBouncer was killed', async ({
  page,
  receiver,
}) => {
  // Starts a PostgreSQL and a product.
  test.slow();
  const server = await startTestServer();
  const bouncer = await makePgBouncer(server.databaseUrl, { poolSize: 4, statementMs: 7_000 });
  await bouncer.start();
  const variables = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: server.databaseUrl };
  const product = await launchProduct(test.info().outputPath('product.log'), variables);
  try {
    const { email, key, projectId } = await makeWorkspace(product.url, receiver.url);
    const send = (type: string) => callApi(product.url, 'POST', '/events', { key, body: { type, data: {} } });
    await page.goto(`${product.url}/login`);
    await trySignIn(page, email, PASSWORD);
    await expectSignedIn(page);
    await page.goto(`${product.url}/projects/${projectId}/events`);
    await send('order.first');
    await expect(page.getByRole('link', { name: 'order.first' })).toBeVisible();

    // Nothing asks the API meanwhile: the console would show the 503.
    await page.goto('about:blank');
    await bouncer.kill();
    await expect(send('order.lost')).rejects.toThrow(/: 503 /);
    await bouncer.start();
    await expect.poll(() => send('order.second').then(() => 'stored', String)).toBe('stored');
    await page.goto(`${product.url}/projects/${projectId}/events`);
    await expect(page.getByRole('link', { name: 'order.second' })).toBeVisible();
    await expect.poll(() => receiver.received.length).toBe(2);
  } finally {
    // Its stream of live events would report the server that stops.
    await page.goto('about:blank');
    await product.stop();
    await bouncer.remove();
    await server.stop();
  }
});
