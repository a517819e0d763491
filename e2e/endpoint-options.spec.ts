import type { Locator, Page } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { BASE_URL, callApi, type Workspace } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { addMember, makePerson, signInAs } from './support/team';

const EXACT = '12345678901234567890.10';

/** Sends an event whose data is given as text, and returns its id. */
async function send({ key }: Workspace, type: string, data: string): Promise<string> {
  const sent = await fetchChecked(`${BASE_URL}/api/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: `{"type":"${type}","data":${data}}`,
  });
  return ((await sent.json()) as { id: string }).id;
}

const endpointPage = ({ projectId, endpointId }: Workspace) => `/projects/${projectId}/endpoints/${endpointId}`;
const optionsOf = (page: Page) => page.locator('section', { has: page.getByRole('heading', { name: 'Options' }) });

const statusIn = (dialog: Locator) => dialog.getByRole('region', { name: 'Newest events' }).getByRole('status');

test('a filter is made of rows, tried against recent events, and keeps others from being delivered, in six clicks', async ({
  page,
  receiver,
  workspace,
}) => {
  test.slow();
  await send(workspace, 'order.paid', `{"amount": ${EXACT}}`);
  await send(workspace, 'order.paid', '{"amount": 42}');
  await send(workspace, 'user.created', '{"name": "Ada"}');
  await expect.poll(() => receiver.received.length).toBe(3);
  await signInAs(page, workspace);
  await page.goto(endpointPage(workspace));
  await expect(optionsOf(page)).toContainText('Most endpoints need none.');

  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await click(page.getByRole('button', { name: 'Add filter' }));
  const dialog = page.getByRole('dialog', { name: 'Filter' });
  await expect(dialog.getByRole('combobox', { name: 'Path 1' })).toBeFocused();
  await page.keyboard.type('data.amount');
  await click(dialog.getByRole('combobox', { name: 'Operator 1' }));
  await click(page.getByRole('option', { name: 'is at least' }));
  await click(dialog.getByRole('textbox', { name: 'Value 1' }));
  await page.keyboard.type(EXACT);
  await expect(statusIn(dialog)).toHaveText('1 of the last 3 events that it is subscribed to matches.');
  await expect(dialog.getByText('data.amount is 42')).toBeVisible();
  await expect(dialog.getByText('data.amount is null or missing')).toBeVisible();
  await expectCleanInEveryView(page);
  await click(dialog.getByRole('button', { name: 'Save filter' }));
  await expect(dialog).toHaveCount(0);
  expect(clicks).toBeLessThanOrEqual(6);
  await expect(optionsOf(page)).toContainText(`Only events where data.amount is at least ${EXACT}`);

  const missed = await send(workspace, 'order.paid', '{"amount": 12345678901234567890.09}');
  await send(workspace, 'order.paid', `{"amount": ${EXACT}}`);
  await expect.poll(() => receiver.received.length).toBe(4);
  await page.goto(`/projects/${workspace.projectId}/events/${missed}`);
  await expect(
    page.getByText('Its filter leaves the event out: data.amount is 12345678901234567890.09,'),
  ).toBeVisible();
  await expectCleanInEveryView(page);
});

test('a filter gets a second condition, says what is wrong with one, and is edited as JSON where it has groups in groups', async ({
  page,
  workspace,
}) => {
  test.slow();
  const { projectId, endpointId, token } = workspace;
  const filter = { path: 'data.amount', op: 'gte', value: 1000 };
  await callApi('PATCH', `/projects/${projectId}/endpoints/${endpointId}`, { token, body: { filter } });
  await send(workspace, 'order.paid', '{"amount": 2000, "country": "DE"}');
  await signInAs(page, workspace);
  await page.goto(endpointPage(workspace));
  await page.getByRole('button', { name: 'Edit filter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filter' });
  const status = statusIn(dialog);
  await expect(dialog.getByRole('textbox', { name: 'Value 1' })).toHaveValue('1000');
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await expect(status).toHaveText('Complete the conditions to see which events match.');
  await dialog.getByRole('button', { name: 'Save filter' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Complete each condition, or remove it.');
  await dialog.getByRole('combobox', { name: 'Path 2' }).fill('country');
  await dialog.getByRole('combobox', { name: 'Operator 2' }).click();
  await page.getByRole('option', { name: 'is one of' }).click();
  await dialog.getByRole('textbox', { name: 'Value 2' }).fill('DE, AT');
  await expect(status).toContainText('Condition 2: must be type, or data.');
  await dialog.getByRole('combobox', { name: 'Path 2' }).fill('data.country');
  await expect(status).toHaveText('The last event matches.');
  await dialog.getByRole('combobox', { name: 'How conditions are joined' }).click();
  await page.getByRole('option', { name: 'any' }).click();
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = dialog.getByRole('textbox', { name: 'Filter as JSON' });
  await expect(json).toHaveValue(/"any": \[[\s\S]*"AT"/);
  await json.fill('{"not": {"all": [{"path": "data.amount", "op": "gt", "value": 1000}]}}');
  await expect(dialog.getByRole('button', { name: 'Edit as rows' })).toHaveAttribute('aria-disabled', 'true');
  await expect(status).toHaveText('The last event doesn’t match.');
  await expect(dialog.getByText('data.amount is 2000')).toBeVisible();
  await expectCleanInEveryView(page);
  await dialog.getByRole('button', { name: 'Save filter' }).click();
  await expect(optionsOf(page)).toContainText('Only events where not (data.amount is greater than 1000)');
  await page.getByRole('button', { name: 'Edit filter' }).click();
  await expect(json).toHaveValue(/"not"/);
  await json.fill('');
  await expect(status).toHaveText('Without a filter, all events match.');
  await dialog.getByRole('button', { name: 'Save filter' }).click();
  await expect(page.getByRole('button', { name: 'Add filter' })).toBeVisible();
});

test('headers and a signature are sent with deliveries, and a viewer sees neither their values nor a way to edit', async ({
  page,
  receiver,
  workspace,
  newContext,
}) => {
  test.slow();
  await signInAs(page, workspace);
  await page.goto(endpointPage(workspace));
  await page.getByRole('button', { name: 'Edit options' }).click();
  const dialog = page.getByRole('dialog', { name: 'Endpoint options' });
  await dialog.getByRole('textbox', { name: 'Your own ID' }).fill('acme-billing');
  await dialog.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Bearer 5f2a\nHost: example.com');
  await dialog.getByRole('textbox', { name: 'Attempts at most' }).fill('100');
  await dialog.getByRole('textbox', { name: 'In seconds' }).fill('60');
  await dialog.getByRole('textbox', { name: 'Metadata' }).fill('{"plan": "enterprise"}');
  await dialog.getByRole('combobox', { name: 'Signature' }).click();
  await page.getByRole('option', { name: 'Also as a header of your own' }).click();
  await dialog.getByRole('textbox', { name: 'Signature header' }).fill('X-Acme-Signature');
  await dialog.getByRole('button', { name: 'Save options' }).click();
  await expect(dialog.getByText('Host is set by the service, its connection or a proxy.')).toBeVisible();
  await expectCleanInEveryView(page);
  await dialog.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Bearer 5f2a');
  await dialog.getByRole('button', { name: 'Save options' }).click();
  await expect(dialog).toHaveCount(0);
  const options = optionsOf(page);
  await expect(options).toContainText('acme-billing');
  await expect(options).toContainText('Authorization: Bearer 5f2a');
  await expect(options).toContainText('Standard Webhooks, also as X-Acme-Signature: t={timestamp},v1={signature}');
  await expect(options).toContainText('At most 100 attempts in 60 s');
  await expect(options).toContainText('plan: enterprise');
  await expectCleanInEveryView(page);

  await send(workspace, 'order.paid', '{}');
  await expect.poll(() => receiver.received[0]?.headers.authorization).toBe('Bearer 5f2a');
  expect(receiver.received[0]?.headers['x-acme-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);

  const viewer = await makePerson('Vera Viewer');
  await addMember(workspace.projectId, viewer.email, 'VIEWER');
  const theirs = await (await newContext()).newPage();
  await signInAs(theirs, viewer);
  await theirs.goto(endpointPage(workspace));
  await expect(optionsOf(theirs)).toContainText('Authorization: [redacted]');
  await expect(optionsOf(theirs)).not.toContainText('5f2a');
  for (const name of ['Edit options', 'Add filter']) {
    const button = theirs.getByRole('button', { name });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await button.focus();
    await expect(theirs.getByRole('tooltip')).toContainText('role');
  }
});

test('an endpoint is created with an ID and a secret that the receiver knows, and its secret is rotated to another', async ({
  page,
  workspace,
}) => {
  const [first, second] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'];
  await signInAs(page, workspace);
  await page.goto(`/projects/${workspace.projectId}/endpoints`);
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  const creating = page.getByRole('dialog', { name: 'New endpoint' });
  await creating.getByRole('textbox', { name: 'URL' }).fill('https://example.com/webhooks');
  await creating.getByText('More options').click();
  await creating.getByRole('textbox', { name: 'Your own ID' }).fill('acme-orders');
  await creating.getByRole('textbox', { name: 'Signing secret' }).fill('too short');
  await creating.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(creating.getByRole('textbox', { name: 'Signing secret' })).toHaveAttribute('aria-invalid', 'true');
  await expectCleanInEveryView(page);
  await creating.getByRole('textbox', { name: 'Signing secret' }).fill(first);
  await creating.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(optionsOf(page)).toContainText('acme-orders');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByText(first)).toBeVisible();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'New secret' }).fill(second);
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect(page.getByText(second)).toBeVisible();
});
