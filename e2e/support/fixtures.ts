import { type BrowserContext, type BrowserContextOptions, test as base, expect } from '@playwright/test';
import { makeWorkspace, type Workspace } from './api';
import { waitForHydration } from './hydration';
import { type Receiver, startReceiver } from './receiver';
import { ResponseWatch } from './watch-responses';

interface Fixtures {
  /** A local receiver, closed after the test. */
  receiver: Receiver;
  /** A person with a project, a key, and an endpoint at the receiver. */
  workspace: Workspace;
  /** Checks the responses that the pages of every context receive. */
  responseWatch: ResponseWatch;
  /** Makes another context, with sessions of its own, closed after the test. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Errors that the browser reported; must be empty at the end of every test. */
  browserFaults: string[];
}

/**
 * Fails a test when its page logs an error to the console, such as a CSP violation, or receives a response of the API that
 * its route does not declare.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  responseWatch: async ({}, use) => {
    const responseWatch = new ResponseWatch();
    await use(responseWatch);
    await responseWatch.settle();
    expect(responseWatch.takeFaults(), 'responses that differ from what their route declares').toEqual([]);
  },
  context: async ({ context, responseWatch }, use) => {
    await use(responseWatch.watch(waitForHydration(context)));
    // A closed context has no bodies.
    await responseWatch.settle();
  },
  newContext: async ({ browser, responseWatch }, use) => {
    const made: BrowserContext[] = [];
    await use(async (options) => {
      const context = responseWatch.watch(await browser.newContext(options));
      made.push(context);
      return options?.javaScriptEnabled === false ? context : waitForHydration(context);
    });
    await responseWatch.settle();
    await Promise.all(made.map((context) => context.close()));
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
  workspace: async ({ receiver }, use) => use(await makeWorkspace(receiver.url)),
  browserFaults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('console', (message) => {
        // The browser logs expected 4xx responses of the API as errors, and requests while a test has it offline.
        const isExpected = /status of 4\d\d|ERR_INTERNET_DISCONNECTED/.test(message.text());
        if (message.type() === 'error' && !isExpected) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(String(error)));
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
