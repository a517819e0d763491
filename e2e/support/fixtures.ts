import { test as base, expect } from '@playwright/test';
import { waitForHydration } from './hydration';
import { type Receiver, startReceiver } from './receiver';

interface Fixtures {
  /** A receiver on this machine, closed after the test. */
  receiver: Receiver;
  /** Faults that the browser reported; empty at the end of every test. */
  browserFaults: string[];
}

/** The tests' `test`: a page that reports any fault in its console (a violation of the CSP among them) fails its test. */
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
        // A refused sign-in is an answer of the API that the browser logs by itself.
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
