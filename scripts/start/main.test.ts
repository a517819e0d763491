import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from './main';
import { say, showProgressOn } from './progress.mjs';
import { runPart } from './run-part';

vi.mock('./run-part', () => ({ PARTS: ['retention'], runPart: vi.fn() }));
vi.mock('./start-all', () => ({ startAll: vi.fn() }));

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

  it('with a part leaves standard output to it: what is built first is told on standard error', async () => {
    vi.mocked(runPart).mockImplementation(async () => say('Bundled'));
    await main(['retention', 'main']);
    expect(vi.mocked(runPart)).toHaveBeenCalledWith('retention', ['main']);
    expect(printed).toEqual({ stdout: [], stderr: ['Bundled\n'] });
  });

  it('refuses a part that there is none of, naming those there are', async () => {
    await expect(main(['retain'])).rejects.toThrow('There is no part "retain": retention.');
  });
});
