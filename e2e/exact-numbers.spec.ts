import { BASE_URL, makeWorkspace, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';

test('a number that JavaScript would round is shown and copied with its original digits', async ({
  page,
  receiver,
}) => {
  const { email, key, projectId } = await makeWorkspace(receiver.url);
  const sent = await fetchChecked(`${BASE_URL}/api/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: '{"type":"order.paid","data":{"orderId":12345678901234567890,"amount":129.00}}',
  });
  const { id } = (await sent.json()) as { id: string };
  await page.goto(`/login?returnTo=${encodeURIComponent(`/projects/${projectId}/events/${id}`)}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('12345678901234567890').first()).toBeVisible();
  await expect(page.getByText('129.00').first()).toBeVisible();
  await expect.poll(() => receiver.received[0]?.body).toContain('12345678901234567890');
});
