import { afterAll, vi } from 'vitest';
import { forgetAll } from '@/lib/platform/globals';

/*
 * Test files share a process and the modules that it has loaded, which spares each of them a second or two. So none may find
 * what another has left: what `once` holds is forgotten before and after each file, and what it put in the place of clocks,
 * globals and variables is taken back.
 */
forgetAll();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  forgetAll();
});
