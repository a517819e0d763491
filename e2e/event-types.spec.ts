import { expectCleanInEveryView } from './support/accessible';
import { callApi, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { signInAs } from './support/team';

const pathOf = ({ projectId }: Workspace, tail: string) => `/projects/${projectId}/${tail}`;

test('a type that was sent is defined from its events, checked, and its example sent', async ({
  page,
  receiver,
  workspace,
}) => {
  test.slow();
  const { key, token, projectId } = workspace;
  const send = (data: object) =>
    callApi<{ id: string }>('POST', '/events', { key, body: { type: 'invoice.sent', data } });
  await send({ number: 'i-1', amount: 4200 });
  await callApi('POST', `/projects/${projectId}/endpoints`, {
    token,
    body: { url: `${receiver.url}/invoices`, eventTypes: ['invoice.*'] },
  });
  await signInAs(page, workspace);
  await page.goto(pathOf(workspace, 'events'));
  await goByKeys(page, 'y', /\/event-types$/);
  const seen = page.getByRole('table', { name: 'Not defined' });
  await expect(seen).toContainText('invoice.sent');
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'invoice.sent' }).click();
  await expect(page.getByText('This type was sent, and is not in the catalogue.')).toBeVisible();

  await page.getByRole('button', { name: 'Define event type' }).click();
  const form = page.getByRole('dialog', { name: 'Define event type' });
  await form.getByRole('textbox', { name: 'Description' }).fill('An invoice was sent.');
  await form.getByRole('textbox', { name: 'Group' }).fill('Billing');
  await form.getByRole('button', { name: 'Propose from events' }).click();
  await expect(form.getByText('Made from the newest event.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Example of data' }).fill('{"number": "i-2"}');
  await form.getByRole('button', { name: 'Define event type' }).click();
  await expect(form.getByText('Amount: is required.')).toBeVisible();
  await expectCleanInEveryView(page);
  await form.getByRole('textbox', { name: 'Example of data' }).fill('{"number": "i-2", "amount": 1}');
  await form.getByRole('button', { name: 'Define event type' }).click();
  const fields = page.getByRole('table', { name: 'Fields of data' });
  await expect(fields.getByRole('row', { name: 'amount' })).toContainText('integer');
  await expect(page.getByText('An invoice was sent.')).toBeVisible();
  await expectCleanInEveryView(page);

  await page.getByRole('button', { name: 'Send example' }).first().click();
  await expect(page.getByText(/^Example delivered: status 2\d\d\.$/)).toBeVisible();

  await page.goto(pathOf(workspace, 'settings'));
  await page.getByRole('combobox', { name: 'Events that differ' }).click();
  await page.getByRole('option', { name: /Refuse them/ }).click();
  await expect(page.getByText('Policy changed.')).toBeVisible();
  await expect
    .poll(() =>
      send({ number: 7 }).then(
        () => 'stored',
        (error: Error) => error.message,
      ),
    )
    .toContain('400');
  await page.goto(pathOf(workspace, 'event-types?q=billing'));
  await expect(page.getByRole('table', { name: 'Billing' })).toContainText('invoice.sent');
});
