import { callApi, makeWorkspace } from '@/e2e/support/api';
import { fetchChecked } from '@/e2e/support/check-response';
import { expect, test } from '@/e2e/support/fixtures';
import { makePages, openLoaded } from '@/e2e/support/pages';
import { expectRefused } from '@/e2e/support/refused';
import { addMember, makePerson, signInAs } from '@/e2e/support/team';

const BASE_URL = process.env.E2E_BASE_URL ?? '';
const REASON = 'Your role here is viewer; this needs developer or higher.';

test('a viewer reads a failed delivery, sees why it cannot be retried, and is refused when they call the API', async ({
  page,
  receiver,
}) => {
  receiver.status = 503;
  const workspace = await makeWorkspace(BASE_URL, receiver.url);
  const links = await makePages(BASE_URL, workspace);
  const viewer = await makePerson(BASE_URL, 'Vera Viewer');
  await addMember(workspace.projectId, viewer.email, 'VIEWER');
  const linkTo = (list: string) => links.find((path) => path.includes(`/${list}/`)) ?? '';
  await signInAs(page, viewer);
  await openLoaded(page, linkTo('deliveries'));
  await expect(page.getByText('503').first()).toBeVisible();
  await expectRefused(page.getByRole('button', { name: /^Retry/ }).first(), REASON);
  await openLoaded(page, linkTo('endpoints'));
  for (const name of ['Send test', 'Show']) {
    await expectRefused(page.getByRole('button', { name, exact: true }).first(), REASON);
  }

  const project = `/projects/${workspace.projectId}`;
  const read = (path: string) => callApi<object>(BASE_URL, 'GET', path, { token: workspace.token });
  const stateOf = async () => [
    await read(`${project}/endpoints/${workspace.endpointId}`),
    await read(`${project}/api-keys`),
  ];
  const before = await stateOf();
  const forbidden: [method: string, path: string, body?: object][] = [
    ['POST', `${linkTo('deliveries')}/retry`],
    ['POST', `${linkTo('endpoints')}/test`],
    ['GET', `${linkTo('endpoints')}/secret`],
    ['PATCH', linkTo('endpoints'), { url: 'https://evil.example/' }],
    ['DELETE', linkTo('endpoints')],
    ['POST', `${project}/api-keys`, { name: 'mine' }],
    ['POST', `${project}/bulk-retries`, { status: 'FAILED' }],
    ['DELETE', linkTo('sources')],
    ['DELETE', project],
  ];
  for (const [method, path, body] of forbidden) {
    const response = await fetchChecked(`${BASE_URL}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${viewer.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([response.status, ((await response.json()) as { code: string }).code], `${method} ${path}`).toEqual([
      403,
      'forbidden',
    ]);
  }
  expect(await stateOf()).toEqual(before);
  // Reading is permitted.
  await callApi(BASE_URL, 'GET', linkTo('deliveries'), { token: viewer.token });
});
