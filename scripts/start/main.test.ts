import { expect, it, onTestFinished, vi } from 'vitest';
import { main } from './main';
import { say, showProgressOn } from './progress.mjs';

it('node scripts/start.mjs refuses an unknown part, lists the parts, and leaves standard output to a part', async () => {
  const printed: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => printed[name].push(String(text)) > 0);
  }
  onTestFinished(() => {
    vi.restoreAllMocks();
    showProgressOn(process.stdout);
  });
  await expect(main(['retain'])).rejects.toThrow(
    'Unknown part "retain". Choose one of: web, worker, retention, migrate.',
  );
  say('Bundled');
  expect(printed).toEqual({ stdout: [], stderr: ['Bundled\n'] });
});
