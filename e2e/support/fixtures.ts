import { test as base, expect } from '@playwright/test';
import { waitForHydration } from './hydration';
import { type Receiver, startReceiver } from './receiver';

interface Fixtures {
  /** A local receiver, closed after the test. */
  receiver: Receiver;
  /** Errors that the browser reported; must be empty at the end of every test. */
  browserFaults: string[];
}

/** Fails a test when its page logs an error to the console, such as a CSP violation. */
export const test = base.extend<Fixtures>({
  context: async ({ context }, use) => {
    await use(waitForHydration(context));
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
  browserFaults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('console', (message) => {
        // The browser logs expected 4xx responses of the API as errors.
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(String(error)));
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
