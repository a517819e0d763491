import { signWebhook } from '@/lib/delivery/credentials';
import { signingKey } from '@/lib/delivery/signature-schemes-policy';
import { expectCleanInEveryView } from './support/accessible';
import { callApi } from './support/api';
import { expect, test } from './support/fixtures';
import { expectRefused } from './support/refused';
import { makeSource, secretOf, sendAsGitHub } from './support/sources';
import { addMember, makePerson, signInAs } from './support/team';

const DATA = '{"total": 1.0}';

test('the page of an endpoint says why a delivery does not verify: the body was serialized again', async ({
  page,
  workspace,
}) => {
  const { key, token, projectId, endpointId } = workspace;
  const endpoint = `/projects/${projectId}/endpoints/${endpointId}`;
  const { secret } = await callApi<{ secret: string }>('GET', `${endpoint}/secret`, { token });
  const event = await callApi<{ id: string; createdAt: string }>('POST', '/events', {
    key,
    body: { type: 'order.paid', data: { total: 1.5, note: 'ü' } },
  });
  const sent = `{"type":"order.paid","timestamp":"${event.createdAt}","data":{"total":1.5,"note":"ü"}}`;
  const seconds = Math.floor(Date.now() / 1000);
  const signature = signWebhook([signingKey(secret)], event.id, seconds, Buffer.from(sent));
  const headers = `webhook-id: ${event.id}\nwebhook-timestamp: ${seconds}\nwebhook-signature: ${signature}`;

  await signInAs(page, workspace);
  await page.goto(endpoint);
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Check a signature' }) });
  await card.getByRole('button', { name: 'Paste a request' }).click();
  await card.getByLabel('Headers as received').fill(headers);
  await card.getByLabel('Raw body as received').fill(sent.replace('"total":', '"total": '));
  await card.getByRole('button', { name: 'Check signature' }).click();
  const result = card.getByRole('status');
  await expect(result).toContainText('The body was parsed and serialized again');
  await expect(result).toContainText('Verify the raw body');
  await expect(result.getByRole('definition').first()).toHaveText(/"data":\{"total":1\.5,"note":"ü"\}\}$/);
  await expectCleanInEveryView(page);

  await card.getByLabel('Body from a file').setInputFiles({
    name: 'body.json',
    mimeType: 'application/json',
    buffer: Buffer.from(sent),
  });
  await card.getByRole('button', { name: 'Check signature' }).click();
  await expect(result).toContainText('The signature verifies with the current secret.');

  const earlier = seconds - 3_600;
  const old = signWebhook([signingKey(secret)], event.id, earlier, Buffer.from(sent));
  await card
    .getByLabel('Headers as received')
    .fill(`webhook-id: ${event.id}\nwebhook-timestamp: ${earlier}\nwebhook-signature: ${old}`);
  await card.getByRole('button', { name: 'Check signature' }).click();
  await expect(result).toContainText('Its time has passed. The signature is right');
  const local = await page.evaluate((ms) => {
    const at = new Date(ms);
    return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  }, earlier * 1_000);
  await card.getByLabel('Received at').fill(local);
  await card.getByRole('button', { name: 'Check signature' }).click();
  await expect(result).toContainText('The signature verifies with the current secret.');
});

test('an unverified incoming event says why, and verifies when it is checked again with the right secret', async ({
  page,
  workspace,
}) => {
  const source = await makeSource(workspace, 'GITHUB');
  const path = `/projects/${workspace.projectId}`;
  const { token } = workspace;
  const [right, wrong] = [await secretOf(workspace, source), 'not the secret of the provider'];
  await callApi('PATCH', `${path}/sources/${source.id}`, { token, body: { secret: wrong } });
  expect((await sendAsGitHub(source.url, right, DATA)).status).toBe(401);
  const list = `${path}/incoming-events?sourceId=${source.id}`;
  const { data } = await callApi<{ data: { id: string }[] }>('GET', list, { token });
  await signInAs(page, workspace);
  await page.goto(`${path}/incoming-events/${data[0]?.id}`);
  const result = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Check again' }) });
  await expect(result).toContainText(
    'It doesn’t verify. The secret at GitHub is probably another. On GitHub, open Settings → Webhooks',
  );
  await callApi('PATCH', `${path}/sources/${source.id}`, { token, body: { secret: right } });
  await result.getByRole('button', { name: 'Check again' }).click();
  await expect(result).toContainText('It verifies. The signature verifies with the current secret.');
  await expect(result).toContainText('it stays unverified');
  await expect(page.getByText('Unverified events are never forwarded.')).toBeVisible();
  await expectCleanInEveryView(page);

  await page.goto(`${path}/sources/${source.id}`);
  await page.getByRole('button', { name: 'Paste a request' }).click();
  await page.getByLabel('Headers as received').fill('Stripe-Signature: t=1,v1=00');
  await page.getByLabel('Raw body as received').fill(DATA);
  await page.getByRole('button', { name: 'Check signature' }).click();
  await expect(page.getByText('The headers are those of another scheme, Stripe')).toBeVisible();
});

test('a viewer checks no request by a secret that can be guessed, and checks those of other endpoints', async ({
  page,
  workspace,
}) => {
  const { token, projectId, endpointId } = workspace;
  const path = `/projects/${projectId}`;
  const signature = { profile: 'CUSTOM', header: 'X-Signature', content: '{body}', value: '{signature}' };
  const custom = await callApi<{ id: string }>('POST', `${path}/endpoints`, {
    token,
    body: {
      url: 'https://example.com/hooks',
      secret: 'our webhook password',
      signature: { ...signature, algorithm: 'SHA256', encoding: 'HEX' },
    },
  });
  const source = await makeSource(workspace, 'GITHUB');
  const viewer = await makePerson('Vera Viewer');
  await addMember(projectId, viewer.email, 'VIEWER');
  await signInAs(page, viewer);
  const open = page.getByRole('button', { name: 'Paste a request' });
  for (const hidden of [`/endpoints/${custom.id}`, `/sources/${source.id}`]) {
    await page.goto(path + hidden);
    await expectRefused(open, 'Your role here is viewer; this needs developer or higher.');
  }
  await page.goto(`${path}/endpoints/${endpointId}`);
  await open.click();
  await expect(page.getByRole('button', { name: 'Check signature' })).toBeEnabled();
});
