import { expectCleanInEveryView } from './support/accessible';
import { expect, test } from './support/fixtures';
import { launchProduct } from './support/launch-product';
import { register } from './support/people';

test('where only invited people may register, the first person does, and others are told what they need', async ({
  newContext,
}) => {
  const product = await launchProduct(test.info().outputPath('product.log'), { REGISTRATION: 'invited' });
  try {
    const [first, other] = [await newContext({ baseURL: product.url }), await newContext({ baseURL: product.url })];
    await register(await first.newPage());
    const page = await other.newPage();
    await page.goto('/login');
    await expect(page.getByText('You need an invitation.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0);
    await page.goto('/register');
    await expect(page.getByRole('heading', { name: 'You need an invitation' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveCount(0);
    await expectCleanInEveryView(page);
    await page.goto('/login?error=registration_closed');
    await expect(page.getByText('You have no account here yet.')).toBeVisible();
  } finally {
    await product.stop();
  }
});
