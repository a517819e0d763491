import { createHmac } from 'node:crypto';
import type { Source } from '@/lib/incoming/schema';
import { callApi, makeWorkspace } from './support/api';
import { fetchChecked } from './support/check-response';
import { copyWith } from './support/copy';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { makeSource, secretOf, sendAsGitHub } from './support/sources';
import { signInAs } from './support/team';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a GitHub source is created, set up by its steps, and shows its first signed event live', async ({
  page,
  receiver,
}) => {
  await signInAs(page, await makeWorkspace(receiver.url));
  await page.goto('/');
  await goByKeys(page, 'u', /\/sources$/);
  await expect(page.getByRole('heading', { name: 'No sources yet' })).toBeVisible();
  await page.getByRole('button', { name: 'New source' }).click();
  await expect(page.getByRole('searchbox', { name: 'Find a provider' })).toBeFocused();
  await expect(page.getByRole('radio', { name: /^GitHub/ })).toBeChecked();
  await page.getByLabel('Name', { exact: true }).fill('Storefront repository');
  await page.getByRole('button', { name: 'Create source' }).click();

  await expect(page.getByRole('heading', { name: 'Storefront repository', level: 1 })).toBeVisible();
  await expect(page.getByText('Waiting for the first event…').first()).toBeVisible();
  await expect(page.getByText('Add webhook').first()).toBeVisible();
  await expect(page.getByText('Only this computer reaches this URL: GitHub can’t.')).toBeVisible();
  await page.getByRole('button', { name: 'Show Secret' }).click();
  const secret = await copyWith(page, 'Copy Secret');
  const url = await copyWith(page, 'Copy Payload URL');
  const sent = await sendAsGitHub(url, secret, '{"zen":"Design for failure."}');
  expect(sent.status).toBe(202);

  await expect(page.getByText('Receiving events.').first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Verified' })).toHaveCount(1);
  await page.getByRole('link', { name: 'View the event' }).click();
  await expect(page).toHaveURL(new RegExp(`/incoming-events/${sent.id}$`));
  await expect(page.getByText('"Design for failure."')).toBeVisible();
});

test('a Stripe source waits for its secret, which is pasted in the step that shows where it is', async ({
  page,
  workspace,
}) => {
  const source = await makeSource(workspace, 'STRIPE');
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources/${source.id}`);
  await expect(page.getByText('Secret missing')).toBeVisible();
  const send = async (secret: string) => {
    const seconds = Math.floor(Date.now() / 1000);
    const body = '{"id":"evt_1","type":"charge.succeeded"}';
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${seconds},v1=${signature}` };
    return (await fetchChecked(source.url, { method: 'POST', headers, body })).status;
  };
  expect(await send('whsec_from_stripe')).toBe(401);
  await expect(page.getByText('We couldn’t verify an event.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Save secret' }).click();
  await expect(page.getByText('Paste the secret.')).toBeVisible();
  await page.getByLabel('Signing secret from Stripe').fill(' whsec_from_stripe ');
  await page.getByRole('button', { name: 'Save secret' }).click();
  await expect(page.getByText('Saved. We use it to verify requests.')).toBeVisible();
  expect(await send('whsec_from_stripe')).toBe(202);
  await expect(page.getByText('Receiving events.').first()).toBeVisible();
});

test('a source is renamed, disabled, given another URL and secret, and deleted', async ({ page, workspace }) => {
  const source = await makeSource(workspace, 'GITHUB');
  const oldSecret = await secretOf(workspace, source);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources/${source.id}`);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByRole('switch', { name: 'Enabled' }).click();
  await page.getByRole('button', { name: 'Save source' }).click();
  await expect(page.getByRole('heading', { name: 'Renamed', level: 1 })).toBeVisible();
  await expect(page.getByText('This source is disabled.')).toBeVisible();
  expect((await sendAsGitHub(source.url, oldSecret, '{"n":1}')).status).toBe(404);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('switch', { name: 'Enabled' }).click();
  await page.getByRole('button', { name: 'Save source' }).click();
  await waitForDialogsClosed(page);

  await page.getByRole('button', { name: 'Rotate URL' }).click();
  await page.getByText('None', { exact: true }).click();
  await expect(page.getByText('The old URL stops working immediately')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate URL' }).click();
  await waitForDialogsClosed(page);
  expect((await sendAsGitHub(source.url, oldSecret, '{"n":2}')).status).toBe(404);
  const url = await copyWith(page, 'Copy URL');
  expect((await sendAsGitHub(url, oldSecret, '{"n":3}')).status).toBe(202);

  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await waitForDialogsClosed(page);
  await expect(page.getByText('The previous secret is valid until')).toBeVisible();
  const newSecret = await copyWith(page, 'Copy the signing secret');
  expect(newSecret).not.toBe(oldSecret);
  for (const secret of [oldSecret, newSecret])
    expect((await sendAsGitHub(url, secret, `{"n":"${secret}"}`)).status).toBe(202);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('textbox').fill('Renamed');
  await page.getByRole('button', { name: 'Delete source' }).click();
  await expect(page.getByRole('heading', { name: 'No sources yet' })).toBeVisible();
  expect((await sendAsGitHub(url, newSecret, '{"n":5}')).status).toBe(404);
});

test('the page of a source asks for its newest events in one poll, however many cards show them', async ({
  page,
  workspace,
}) => {
  const source = await makeSource(workspace, 'GITHUB');
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources/${source.id}`);
  const destinations = () => page.waitForResponse((response) => response.url().includes(`${source.id}/destinations?`));
  await expect(page.getByText('Waiting for the first event…').first()).toBeVisible();
  await destinations();
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('&verified=true&limit=1')) count += 1;
  });
  for (let n = 0; n < 3; n++) await destinations();
  // Destinations every five seconds, events every two.
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(3 * 4);
});

test('a custom source is found by its name and takes a list with a signed time', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources`);
  await page.getByRole('button', { name: 'New source' }).click();
  await page.getByRole('searchbox', { name: 'Find a provider' }).fill('hmac');
  await expect(page.getByRole('radio')).toHaveCount(2);
  await page.getByRole('radio', { name: /^Custom \(HMAC\)/ }).check({ force: true });
  await page.getByText('Hash, timestamp, and what is signed').click();
  await page.getByLabel('Signed content').fill('{timestamp}.{body}');
  await page.getByRole('button', { name: 'Create source' }).click();
  await expect(page.getByText(/signedContent has \{timestamp\}/)).toBeVisible();
  await page.getByLabel('Timestamp key').fill('t');
  await page.getByLabel('Signature key').fill('v1');
  await page.getByLabel('Signing secret').fill('hush');
  await page.getByRole('button', { name: 'Create source' }).click();
  await expect(page.getByRole('heading', { name: 'Custom (HMAC)', level: 1 })).toBeVisible();
  const path = `/projects/${workspace.projectId}/sources`;
  const { data } = await callApi<{ data: Source[] }>('GET', path, { token: workspace.token });
  const url = data[0]?.url ?? '';
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'hush').update(`${seconds}.{}`).digest('hex');
  const headers = { 'X-Signature': `t=${seconds},v1=${signature}` };
  expect((await fetchChecked(url, { method: 'POST', headers, body: '{}' })).status).toBe(202);
  await expect(page.getByText('Receiving events.').first()).toBeVisible();
});

test('Meta verifies the URL of its source with the verify token that the page shows', async ({ page, workspace }) => {
  const source = await makeSource(workspace, 'META');
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/sources/${source.id}`);
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': await copyWith(page, 'Copy Verify token'),
    'hub.challenge': '1158201444',
  });
  const answered = await fetchChecked(`${await copyWith(page, 'Copy Callback URL')}?${query}`);
  expect([answered.status, await answered.text()]).toEqual([200, '1158201444']);
});
