import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as parts from './main';
import { main } from './main';
import { say, showProgressOn } from './progress.mjs';

describe('node scripts/start.mjs', () => {
  const printed: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] };

  beforeEach(() => {
    for (const name of ['stdout', 'stderr'] as const) {
      printed[name] = [];
      vi.spyOn(process[name], 'write').mockImplementation((text) => printed[name].push(String(text)) > 0);
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    showProgressOn(process.stdout);
  });

  it('leaves standard output to the part, and reports the build on standard error', async () => {
    const runPart = vi.spyOn(parts, 'runPart').mockImplementation(async () => say('Bundled'));
    await main(['retention', 'main']);
    expect(runPart).toHaveBeenCalledWith('retention', ['main']);
    expect(printed).toEqual({ stdout: [], stderr: ['Bundled\n'] });
  });

  it('refuses an unknown part, and lists the parts', async () => {
    await expect(main(['retain'])).rejects.toThrow(
      'Unknown part "retain". Choose one of: web, worker, retention, migrate.',
    );
  });
});
