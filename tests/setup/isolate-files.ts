import { afterAll, vi } from 'vitest';
import { forgetAll } from '@/lib/platform/globals';

/*
 * Test files share a process and its loaded modules, which saves one or two seconds per file. To isolate them, this file
 * clears the singletons of `once` before and after each test file, and restores clocks, globals and environment variables.
 */
forgetAll();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  forgetAll();
});
