import { randomUUID } from 'node:crypto';
import { BASE_URL, PASSWORD } from './support/api';
import { expect, test } from './support/fixtures';
import { linkIn, waitForMail } from './support/mails';
import { expectSignedIn, makePerson, NEW_PASSWORD, trySignIn } from './support/sign-in';

test('a wrong password and an unknown address show the same error and focus the password', async ({ page }) => {
  const email = await makePerson();
  await page.goto('/login');
  const texts: string[] = [];
  for (const address of [email, `nobody-${randomUUID()}@example.com`]) {
    await trySignIn(page, address, 'not the password');
    const alert = page.getByRole('alert').filter({ hasText: /\S/ });
    await expect(alert).toBeVisible();
    texts.push(await alert.innerText());
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.reload();
  }
  expect(new Set(texts)).toEqual(new Set(['Incorrect email or password.']));
  await trySignIn(page, email, PASSWORD);
  await expectSignedIn(page);
});

test('an address is confirmed by a click, never by opening the link', async ({ page, newContext }) => {
  const email = await makePerson();
  const link = linkIn(await waitForMail(email, /confirm/i));
  const scanner = await (await newContext()).newPage();
  await scanner.goto(link);
  await expect(scanner.getByRole('button', { name: 'Confirm email address' })).toBeVisible();
  await scanner.close();

  await page.goto(link);
  await expect(page.getByText(`Confirm that ${email} is your address.`)).toBeVisible();
  await expect(page).toHaveURL(`${BASE_URL}/verify-email`);
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByText(`${email} is confirmed.`)).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('This link is no longer valid.')).toBeVisible();
});

test('registering an existing address offers to sign in or set a new password', async ({ page }) => {
  const email = await makePerson();
  await page.goto('/register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('This email address already has an account.')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a form sent before hydration puts no password into the URL', async ({ newContext }) => {
  const context = await newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const sent: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && sent.push(`${request.method()} ${request.url()}`));
  for (const [path, button] of [
    ['/login', 'Sign in'],
    ['/register', 'Create account'],
  ] as const) {
    await page.goto(`${BASE_URL}${path}`);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    sent.length = 0;
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect.poll(() => sent).toEqual([`POST ${BASE_URL}${path}`]);
  }
  await context.close();
});

test('a form keeps text typed before hydration, and sends what a password manager fills in without an event', async ({
  page,
}) => {
  const email = await makePerson();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  const opened = page.goto('/login');
  await page.getByLabel('Email').fill(email);
  release();
  await opened;
  await expect(page.getByLabel('Email')).toHaveValue(email);
  const password = page.getByLabel('Password', { exact: true });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expect(password).toBeFocused();
  await password.evaluate((field, value) => {
    // The setter of the prototype: React takes a value that is set on the element itself for its own.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  }, PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectSignedIn(page);
});

test('without a provider no page offers to continue with one', async ({ page }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    await expect(page.getByLabel('Email')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Continue with/ })).toHaveCount(0);
  }
});
