import type { Page } from '@playwright/test';
import { expectCleanInEveryView } from './support/accessible';
import { callApi, type Workspace } from './support/api';
import { waitForDialogsClosed } from './support/dialogs';
import { expect, test } from './support/fixtures';
import { goByKeys } from './support/keyboard';
import { addMember, makePerson, makeProject, signInAs } from './support/team';

const pathOf = ({ projectId }: Workspace, tail: string) => `/projects/${projectId}/${tail}`;

interface Made {
  id: string;
}

const make = <T = Made>({ projectId, token }: Workspace, tail: string, body: object) =>
  callApi<T>('POST', `/projects/${projectId}/${tail}`, { token, body });

const send = ({ key }: Workspace, body: object) =>
  callApi<Made>('POST', '/events', { key, body: { type: 'order.paid', data: { orderId: 'ord_1' }, ...body } });

const rowsOf = (page: Page, label: string) => page.getByRole('table', { name: label }).getByRole('row');

test('a customer gets an endpoint, its event is delivered there alone, and it is deleted with both', async ({
  page,
  receiver,
  workspace,
}) => {
  test.slow();
  await signInAs(page, workspace);
  await page.goto(pathOf(workspace, 'events'));
  await goByKeys(page, 'w', /\/customers$/);
  await expect(page.getByRole('heading', { name: 'No customers yet' })).toBeVisible();
  await expect(page.getByText('If all endpoints are your own, you need none.')).toBeVisible();
  await expectCleanInEveryView(page);

  await page.getByRole('button', { name: 'New customer' }).click();
  const creating = page.getByRole('dialog', { name: 'New customer' });
  await expect(creating.getByRole('textbox', { name: 'Your own ID' })).toBeFocused();
  await page.keyboard.type('no spaces allowed');
  await creating.getByRole('textbox', { name: 'Name' }).fill('Acme Inc.');
  await creating.getByRole('textbox', { name: 'Metadata' }).fill('{"plan": "enterprise"}');
  await creating.getByRole('button', { name: 'Create customer' }).click();
  await expect(creating.getByText('Must be 1 to 256 letters')).toBeVisible();
  await expectCleanInEveryView(page);
  await creating.getByRole('textbox', { name: 'Your own ID' }).fill('acme');
  await creating.getByRole('button', { name: 'Create customer' }).click();
  await expect(page).toHaveURL(/\/customers\/[0-9a-f-]{36}$/);
  const customerPath = new URL(page.url()).pathname;
  await expect(page.getByRole('heading', { name: 'Acme Inc.', level: 1 })).toBeVisible();
  await expect(page.getByText('enterprise')).toBeVisible();
  await expectCleanInEveryView(page);

  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const adding = page.getByRole('dialog', { name: 'New endpoint of Acme Inc.' });
  await adding.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/acme`);
  await adding.getByRole('checkbox', { name: '*' }).check();
  await expect(adding.getByRole('switch', { name: 'Also receives customers’ events' })).toHaveCount(0);
  await adding.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page).toHaveURL(/\/endpoints\/[0-9a-f-]{36}$/);
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'Customer acme' }).click();
  await expect(page).toHaveURL(new RegExp(`${customerPath}$`));

  await send(workspace, { customer: 'acme' });
  await expect(rowsOf(page, 'Deliveries').filter({ hasText: 'order.paid' })).toContainText('Succeeded');
  await expect(rowsOf(page, 'Events').filter({ hasText: 'order.paid' })).toContainText('1 succeeded');
  expect(receiver.received).toHaveLength(1);
  await expectCleanInEveryView(page);
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('table', { name: 'History' })).toContainText('Customer created');
  await page.getByRole('tab', { name: 'Details' }).click();

  await page.getByRole('button', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit customer' });
  await editing.getByRole('textbox', { name: 'Name' }).fill('Acme Corp.');
  await editing.getByRole('button', { name: 'Save customer' }).click();
  await expect(page.getByRole('heading', { name: 'Acme Corp.', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Delete' }).click();
  const deleting = page.getByRole('alertdialog', { name: 'Delete Acme Corp.?' });
  await expect(deleting).toContainText('Its endpoint is deleted now');
  await expectCleanInEveryView(page);
  await deleting.getByRole('textbox').fill('acme');
  await deleting.getByRole('button', { name: 'Delete customer' }).click();
  await expect(page).toHaveURL(/\/customers$/);
  await expect(page.getByRole('heading', { name: 'No customers yet' })).toBeVisible();
  await page.goto(pathOf(workspace, 'endpoints'));
  await expect(rowsOf(page, 'Endpoints')).toHaveCount(2);
});

test('lists are filtered by a customer that the keyboard finds by its name, and links keep the filter', async ({
  page,
  receiver,
  workspace,
}) => {
  test.slow();
  for (const [uid, name] of [
    ['acme', 'Acme Inc.'],
    ['globex', 'Globex'],
  ]) {
    await make(workspace, 'customers', { uid, name });
    await make(workspace, 'endpoints', { url: `${receiver.url}/${uid}`, customer: uid, eventTypes: ['*'] });
    await send(workspace, { customer: uid });
  }
  await send(workspace, {});
  await expect.poll(() => receiver.received.length).toBe(3);
  await signInAs(page, workspace);
  for (const [tail, label] of [
    ['endpoints', 'Endpoints'],
    ['events', 'Events'],
    ['deliveries', 'Deliveries'],
  ] as const) {
    await page.goto(pathOf(workspace, tail));
    await expect(rowsOf(page, label)).toHaveCount(4);
    const filter = page.getByRole('combobox', { name: 'Customer' });
    await filter.fill('glo');
    await expect(page.getByRole('option')).toHaveText(['globexGlobex']);
    await filter.press('ArrowDown');
    await filter.press('Enter');
    await expect(page).toHaveURL(/customer=globex/);
    await expect(rowsOf(page, label)).toHaveCount(2);
    await page.reload();
    await expect(filter).toHaveValue('globex');
    await expect(rowsOf(page, label)).toHaveCount(2);
    await filter.fill('nobody');
    await expect(page.getByText('No customer begins with this text.')).toBeVisible();
    await expect(page).toHaveURL(/customer=globex/);
    await expectCleanInEveryView(page);
    await filter.fill('');
    await expect(page).not.toHaveURL(/customer=/);
    await expect(rowsOf(page, label)).toHaveCount(4);
  }

  await page.goto(pathOf(workspace, 'customers'));
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('ACME I');
  await expect(rowsOf(page, 'Customers')).toHaveCount(2);
  await expectCleanInEveryView(page);
  await page.getByRole('link', { name: 'acme', exact: true }).click();
  await page.getByRole('link', { name: 'View all events' }).click();
  await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('acme');
  await expect(rowsOf(page, 'Events')).toHaveCount(2);
});

test('a new endpoint is given to a customer, or also gets the events of customers', async ({ page, workspace }) => {
  await signInAs(page, workspace);
  await page.goto(pathOf(workspace, 'endpoints'));
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await expect(dialog.getByRole('textbox', { name: 'URL' })).toBeFocused();
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await waitForDialogsClosed(page);

  await make(workspace, 'customers', { uid: 'acme', name: 'Acme Inc.' });
  await page.reload();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await dialog.getByRole('textbox', { name: 'URL' }).fill('https://acme.example.com/hooks');
  const customer = dialog.getByRole('combobox', { name: 'Customer' });
  const also = dialog.getByRole('switch', { name: 'Also receives customers’ events' });
  await expect(also).toBeVisible();
  await customer.fill('nobody');
  await expect(also).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog.getByText('Is not the id or uid of a customer of this project.')).toBeVisible();
  await expectCleanInEveryView(page);
  await customer.fill('acme');
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByRole('link', { name: 'Customer acme' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit options' }).click();
  const options = page.getByRole('dialog', { name: 'Endpoint options' });
  await expect(options.getByRole('textbox', { name: 'Your own ID' })).toBeVisible();
  await expect(options.getByRole('switch')).toHaveCount(0);

  await page.goto(pathOf(workspace, `endpoints/${workspace.endpointId}`));
  await page.getByRole('button', { name: 'Edit options' }).click();
  await options.getByRole('switch', { name: 'Also receives customers’ events' }).click();
  await options.getByRole('button', { name: 'Save options' }).click();
  await expect(page.getByText('Also receives customers’ events')).toBeVisible();
  await page.goto(pathOf(workspace, 'endpoints'));
  await expect(page.getByText('also of customers')).toBeVisible();
  await expectCleanInEveryView(page);
});

test('an event without deliveries says what its customer lacks, and where the events of others go', async ({
  page,
  workspace,
}) => {
  const { id } = await make(workspace, 'customers', { uid: 'acme' });
  const event = await send(workspace, { customer: 'acme' });
  await signInAs(page, workspace);
  await page.goto(pathOf(workspace, `events/${event.id}`));
  await expect(page.getByText('Its customer acme has no endpoint yet.')).toBeVisible();
  await expect(page.getByText('this endpoint only gets events without one')).toBeVisible();
  await expectCleanInEveryView(page);
  await make(workspace, 'endpoints', { url: 'https://acme.example.com', customer: 'acme', eventTypes: ['user.*'] });
  await page.reload();
  await expect(page.getByText(/^It was created at .*, after the event\./)).toBeVisible();
  await expect(page.getByText('has no endpoint yet')).toHaveCount(0);
  const next = await send(workspace, { customer: 'acme' });
  await page.goto(pathOf(workspace, `events/${next.id}`));
  await expect(page.getByText('It is subscribed to user.*, not to order.paid.')).toBeVisible();
  await page.getByRole('link', { name: 'Customer acme' }).click();
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));
});

test('a taken ID is refused in words, and a viewer sees a customer without changing it', async ({
  page,
  newContext,
  workspace,
}) => {
  const { id } = await make(workspace, 'customers', { uid: 'acme', name: 'Acme Inc.' });
  await signInAs(page, workspace);
  await page.goto(pathOf(workspace, 'customers'));
  await page.getByRole('button', { name: 'New customer' }).click();
  const dialog = page.getByRole('dialog', { name: 'New customer' });
  await dialog.getByRole('textbox', { name: 'Your own ID' }).fill('acme');
  await dialog.getByRole('button', { name: 'Create customer' }).click();
  await expect(dialog.getByText('Belongs to another customer of this project.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Your own ID' }).fill('globex');
  await dialog.getByRole('button', { name: 'Create customer' }).click();
  await expect(page.getByRole('heading', { name: 'globex', level: 1 })).toBeVisible();
  await page.goto(pathOf(workspace, 'customers/acme'));
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));

  const viewer = await makePerson('Vera Viewer');
  await addMember(workspace.projectId, viewer.email, 'VIEWER');
  const theirs = await (await newContext()).newPage();
  await signInAs(theirs, viewer);
  await theirs.goto(pathOf(workspace, `customers/${id}`));
  await expect(theirs.getByRole('heading', { name: 'Acme Inc.', level: 1 })).toBeVisible();
  for (const name of ['Edit', 'Delete', 'Add endpoint']) {
    await expect(theirs.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
});

test('the setup guide sends its sample for the customer whose endpoint it is', async ({ page, receiver }) => {
  const person = await makePerson('Ada Lovelace');
  const { id: projectId } = await makeProject(person, 'Web shop');
  const workspace = { ...person, projectId, key: '', endpointId: '' };
  await make(workspace, 'customers', { uid: 'acme' });
  await make(workspace, 'endpoints', { url: receiver.url, customer: 'acme', eventTypes: ['*'] });
  await signInAs(page, person);
  await page.goto(`/?project=${projectId}`);
  await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('acme');
  await page.getByText('Or send it from your code').click();
  await expect(page.getByText('"customer": "acme"')).toBeVisible();
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'Send a sample event' }).click();
  await expect(page.getByText('Your first event was delivered')).toBeVisible();
  expect(receiver.received).toHaveLength(1);
});
