import { execFileSync } from 'node:child_process';
import { callApi, makeWorkspace, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';

/** GETs that need what a test without a provider, an operator or a person with a code does not have. */
const WITHOUT_SUCCESS = [/\/auth\/oauth\//, /\/auth\/device\?/, /\/api\/v1\/admin\//];

/** Returns the arguments that a shell gives to curl. */
function argumentsOf(command: string, env: Record<string, string>): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...env } });
  return printed.split('\0').slice(0, -1);
}

/** Sends what a curl command without a body would send. */
async function sendLikeCurl(given: readonly string[]): Promise<{ url: string; status: number }> {
  const headers = given.flatMap((argument, index) => (given[index - 1] === '-H' ? [argument] : []));
  const url = given.find((argument) => argument.startsWith('http')) ?? '';
  const pairs = headers.map((header) => header.split(/: (.*)/s).slice(0, 2) as [string, string]);
  const { status } = await fetchChecked(url, { headers: Object.fromEntries(pairs), redirect: 'manual' });
  return { url, status };
}

test('every curl example of a GET whose ids are known succeeds as it is shown', async ({ page, receiver, baseURL }) => {
  const { email, token, key } = await makeWorkspace(baseURL ?? '', receiver.url);
  const env = { EDS_API_KEY: key, ACCESS_TOKEN: token, PLATFORM_ADMIN_TOKEN: 'none' };
  await page.goto('/login?returnTo=/docs/api');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Project of the examples' })).toBeVisible();
  const links = await page
    .getByRole('main')
    .locator('a[href^="/docs/api/"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
  const description = await callApi<{ tags: unknown[] }>(baseURL ?? '', 'GET', '/openapi.json');
  expect(links).toHaveLength(description.tags.length);
  const sent: { url: string; status: number }[] = [];
  for (const link of links) {
    await page.goto(link);
    await expect(page.getByRole('combobox', { name: 'Project of the examples' })).toBeVisible();
    for (const command of await page
      .getByRole('region', { name: 'Example request (curl)', exact: true })
      .allInnerTexts()) {
      if (/ -X |-d '|--data-binary/.test(command) || /\/[A-Z_]+ID\b/.test(command)) continue;
      sent.push(await sendLikeCurl(argumentsOf(command, env)));
    }
  }
  expect(sent.length).toBeGreaterThan(30);
  expect(sent.filter(({ status }) => status >= 500)).toEqual([]);
  const expected = sent.filter(({ url }) => !WITHOUT_SUCCESS.some((pattern) => pattern.test(url)));
  expect(expected.filter(({ status }) => status !== 200)).toEqual([]);
});
