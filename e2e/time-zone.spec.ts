import { BASE_URL } from './support/api';
import { expect, test } from './support/fixtures';
import { makePerson, signInAs } from './support/team';

test('a person who prefers UTC sees it in every browser', async ({ page, newContext }) => {
  const person = await makePerson('Ada Lovelace');
  await signInAs(page, person);
  await page.goto('/account');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByRole('option', { name: 'UTC' }).click();
  await expect(page.getByText(/^Now: .* UTC$/)).toBeVisible();
  const elsewhere = await newContext({ timezoneId: 'Asia/Tokyo', baseURL: BASE_URL });
  const other = await elsewhere.newPage();
  await signInAs(other, person);
  await other.goto('/account/sessions');
  await other.getByRole('main').locator('time').first().focus();
  await expect(other.getByRole('tooltip')).toContainText(/ UTC$/);
});
