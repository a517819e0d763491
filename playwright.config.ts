import { defineConfig } from '@playwright/test';
import { findChromium } from './e2e/support/chromium';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/start-product.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 180_000,
  // A password is hashed at low priority: on a busy machine the first answer to a registration took seven seconds.
  expect: { timeout: 20_000 },
  forbidOnly: true,
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    // Set by the global set-up; the workers read this file after it.
    baseURL: process.env.E2E_BASE_URL,
    // Of two cores a trace with pictures and snapshots took two fifths; calls, network and console tell nearly as much.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    // Painted without a graphics card, transitions tripled what most tests take; the journey of first-event.spec.ts has them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium() ?? undefined,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
