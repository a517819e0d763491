import { expect, test } from './support/fixtures';
import { signInAs } from './support/team';

// A focus scrolls its element into view: the scroll event comes after the tooltip opened.
test('scrolling keeps the tooltip beside an element with the focus, and closes that of one under the pointer', async ({
  page,
  workspace,
}) => {
  await signInAs(page, workspace);
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/retention');
  const schedule = page.getByText('Daily at 02:00 UTC');
  const tooltip = page.getByRole('tooltip');
  const distance = async () => ((await schedule.boundingBox())?.y ?? 0) - ((await tooltip.boundingBox())?.y ?? 0);

  await schedule.focus();
  await expect(tooltip).toHaveText('0 2 * * *');
  const before = await distance();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const from = await scrolled();
  await page.mouse.wheel(0, -60);
  await expect.poll(scrolled).toBe(from - 60);
  await expect(tooltip).toHaveText('0 2 * * *');
  await expect.poll(distance).toBe(before);

  await schedule.blur();
  await expect(tooltip).toHaveCount(0);
  await schedule.hover();
  await expect(tooltip).toBeVisible();
  await page.mouse.wheel(0, 30);
  await expect(tooltip).toHaveCount(0);
});
