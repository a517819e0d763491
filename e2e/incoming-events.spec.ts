import fs from 'node:fs';
import { newId } from '@/lib/platform/ids';
import { expectCleanInEveryView } from './support/accessible';
import { fetchChecked } from './support/check-response';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { runSql } from './support/run-sql';
import { makeDestination, makeSource, secretOf, sendAsGitHub } from './support/sources';
import { signInAs } from './support/team';

const BINARY = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 37) % 256));

const postBinary = (url: string) =>
  fetchChecked(url, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: BINARY });

test('incoming events arrive live, are filtered by links that survive a reload, and say why one is not verified', async ({
  page,
  workspace,
}) => {
  const [github, other] = [await makeSource(workspace, 'GITHUB'), await makeSource(workspace, 'NONE')] as const;
  const secret = await secretOf(workspace, github);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/events`);
  await goByKeys(page, 'c', /\/incoming-events$/);
  await expect(page.getByRole('heading', { name: 'No incoming events yet' })).toBeVisible();
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  expect((await sendAsGitHub(github.url, secret, '{"n":1}')).status).toBe(202);
  await expect(rows).toHaveCount(1);
  // Later rows wait behind a button, so that none moves under the pointer.
  await rows.first().hover();
  const wrong = await sendAsGitHub(github.url, 'a wrong secret', '{"n":2}');
  expect(wrong.status).toBe(401);
  await postBinary(other.url);
  await page.getByRole('button', { name: '2 new events' }).click();
  await expect(rows).toHaveCount(3);

  await page.getByRole('combobox', { name: 'Event type' }).click();
  await page.getByRole('option', { name: 'push' }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/eventType=push/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(rows).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Source' }).click();
  await page.getByRole('option', { name: 'GITHUB source' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Signature' }).click();
  await page.getByRole('option', { name: 'Unverified' }).click();
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`sourceId=${github.id}&verified=false`));
  await rows.getByRole('link').click();
  await expect(page.getByText('It doesn’t verify.')).toBeVisible();
  await expect(page.getByText('Unverified events are never forwarded.')).toBeVisible();
  const replay = page.getByRole('button', { name: 'Replay' });
  await expect(replay).toHaveAttribute('aria-disabled', 'true');
});

test('a body is shown as JSON, as text and in hexadecimal, and is downloaded byte for byte', async ({
  page,
  workspace,
}) => {
  const source = await makeSource(workspace, 'NONE');
  await signInAs(page, workspace);
  const open = async (answer: Response) => {
    const { id } = (await answer.json()) as { id: string };
    await page.goto(`/projects/${workspace.projectId}/incoming-events/${id}`);
  };
  const text = '{"total": 129.00, "id": 12345678901234567890}';
  const headers = { 'Content-Type': 'application/json', 'X-Topic': 'orders', Authorization: 'Bearer never-kept' };
  await open(await fetchChecked(source.url, { method: 'POST', headers, body: text }));
  await expect(page.getByRole('region', { name: 'Body as JSON' })).toContainText('"total": 129.00,');
  await expect(page.getByRole('region', { name: 'Body as JSON' })).toContainText('12345678901234567890');
  await page.getByRole('tab', { name: 'Text' }).click();
  await expect(page.getByRole('region', { name: 'Body as Text' })).toHaveText(text);
  await page.getByRole('tab', { name: 'Hex' }).click();
  await expect(page.getByRole('region', { name: 'Body as Hex' })).toContainText('7b 22 74 6f 74 61 6c 22');
  await expect(page.getByText('x-topic')).toBeVisible();
  await expect(page.getByText('never-kept')).toHaveCount(0);

  await open(await postBinary(source.url));
  await expect(page.getByRole('tab')).toHaveText(['Hex']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(fs.readFileSync(await download.path()).equals(BINARY)).toBe(true);
});

test('the beginning of a large body is shown, all of it is downloaded and forwarded', async ({
  page,
  receiver,
  workspace,
}) => {
  const source = await makeSource(workspace, 'GITHUB');
  await makeDestination(workspace, source, { url: receiver.url });
  const body = JSON.stringify({
    commits: Array.from({ length: 60_000 }, (_, n) => ({ id: n, text: 'ü' })),
    last: 'end',
  });
  expect(Buffer.byteLength(body)).toBeGreaterThan(1024 * 1024);
  const { status, id } = await sendAsGitHub(source.url, await secretOf(workspace, source), body);
  expect(status).toBe(202);
  await expect.poll(() => receiver.received.map((request) => request.body === body)).toEqual([true]);

  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/incoming-events/${id}`);
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByText(/^application\/json · 1\.\d+ MB$/)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'JSON' })).toHaveCount(0);
  const shown = page.getByRole('region', { name: 'Body as Text' });
  await expect(shown).toContainText('{"commits":[{"id":0,"text":"ü"},');
  await expect(shown).not.toContainText('"last":"end"');
  await expect(page.getByText('Download the body to see the rest.')).toBeVisible();
  await expectCleanInEveryView(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(fs.readFileSync(await download.path(), 'utf8') === body).toBe(true);
});

test('one event is replayed to a destination, and all that match in the background', async ({
  page,
  receiver,
  workspace,
}) => {
  const source = await makeSource(workspace, 'GITHUB');
  const secret = await secretOf(workspace, source);
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push((await sendAsGitHub(source.url, secret, `{"n":${n}}`)).id);
  expect((await sendAsGitHub(source.url, 'a wrong secret', '{"n":"forged"}')).status).toBe(401);
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/incoming-events/${ids[0]}`);
  await expect(page.getByText('The source had no enabled destination when this event arrived.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replay' })).toHaveAttribute('aria-disabled', 'true');

  await makeDestination(workspace, source, { url: receiver.url });
  await page.reload();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('button', { name: 'Replay event' }).click();
  await waitForDialogsClosed(page);
  await expect(page.getByRole('article').getByText('Succeeded', { exact: true })).toBeVisible();
  expect(receiver.received.map(({ body }) => body)).toEqual(['{"n":0}']);
  await page.getByRole('article').getByRole('link', { name: receiver.url }).click();
  await expect(page.getByRole('heading', { name: 'Delivery Succeeded' })).toBeVisible();
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Body as JSON' })).toContainText('"n": 0');

  await page.goto(`/projects/${workspace.projectId}/incoming-events`);
  await expect(page.getByRole('button', { name: 'Replay matching' })).toHaveAttribute('aria-disabled', 'true');
  await page.goto(`/projects/${workspace.projectId}/incoming-events?sourceId=${source.id}`);
  await page.getByRole('button', { name: 'Replay 5 matching' }).click();
  await page.getByRole('button', { name: 'Start replay' }).click();
  await expect(page.getByRole('region', { name: 'Replay' })).toContainText('Replayed 5 of 5 events from GITHUB source');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  await expect.poll(() => new Set(receiver.received.map(({ body }) => body)).size).toBe(5);
  expect(receiver.received.some(({ body }) => body.includes('forged'))).toBe(false);
  await page.getByRole('region', { name: 'Replay' }).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('region', { name: 'Replay' })).toHaveCount(0);
});

test('a running replay shows how far it is, also after a reload, until it is canceled', async ({ page, workspace }) => {
  const source = await makeSource(workspace, 'GITHUB');
  // Its next batch is due in an hour, so that the worker does not end it.
  await runSql(
    `INSERT INTO incoming_event_replays (id, project_id, source_id, created_to, total, replayed, next_batch_at)
     VALUES ($1, $2, $3, now(), 1240, 310, now() + interval '1 hour')`,
    [newId(), workspace.projectId, source.id],
  );
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/incoming-events`);
  const replay = page.getByRole('region', { name: 'Replay' });
  await expect(replay).toContainText('Replaying 310 of 1,240 events from GITHUB source');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  await page.reload();
  await replay.getByRole('button', { name: 'Cancel replay' }).click();
  await expect(replay).toContainText('Replay canceled after 310 of 1,240');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No incoming events yet' })).toBeVisible();
  await expect(replay).toHaveCount(0);
});

test('a forward that is sent again never reads as one that failed', async ({ page, receiver, workspace }) => {
  const source = await makeSource(workspace, 'GITHUB');
  await makeDestination(workspace, source, { url: receiver.url });
  const { id } = await sendAsGitHub(source.url, await secretOf(workspace, source), '{"n":1}');
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/incoming-events/${id}`);
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await page.evaluate(() => {
    const words = new Set<string>();
    Object.assign(window, { words });
    const look = () => {
      for (const word of ['Retrying', 'Sending again']) if (document.body.innerText.includes(word)) words.add(word);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await page.getByRole('button', { name: 'Retry now' }).click();
  await expect(page.getByText('Attempt 2')).toBeVisible();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  const words = await page.evaluate(() => [...(window as unknown as { words: Set<string> }).words]);
  expect(words).not.toContain('Retrying');
});
