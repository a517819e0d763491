import { describe, expect, it } from 'vitest';
import { parseArguments, withNpmFlags } from './parse-arguments';

describe('the arguments of npm run retention', () => {
  it('are empty for the schedules, or name a job to run once', () => {
    expect(parseArguments([])).toEqual({ task: 'schedules' });
    for (const job of ['main', 'cap', 'burst', 'metrics', 'partitions']) {
      expect(parseArguments([job])).toEqual({ task: 'job', job, isDryRun: false });
    }
  });

  it('may have --dry-run before or after the job', () => {
    const dryRun = { task: 'job', job: 'main', isDryRun: true };
    expect([parseArguments(['main', '--dry-run']), parseArguments(['--dry-run', 'main'])]).toEqual([dryRun, dryRun]);
  });

  it.each([
    [['everything'], '"everything" is not a job.'],
    [['main', '--force'], '"--force" is not a job.'],
    [['MAIN'], '"MAIN" is not a job.'],
    [['main', 'cap'], 'Name one job.'],
    [['--dry-run'], 'Name one job.'],
  ])('are refused as %j, in one line that names the jobs', (args, fault) => {
    const wanted = parseArguments(args);
    expect(wanted).toMatchObject({ task: 'none', fault: expect.stringContaining(fault) });
    expect(wanted).toMatchObject({ fault: expect.stringContaining('main, cap, burst, metrics, partitions') });
    expect(wanted).toMatchObject({ fault: expect.not.stringContaining('\n') });
  });
});

describe('the flag that npm takes as its own without "--"', () => {
  const taken = { npm_config_dry_run: 'true', npm_lifecycle_event: 'retention' };

  it('still makes a dry run of a job', () => {
    expect(parseArguments(withNpmFlags(['main'], taken))).toEqual({ task: 'job', job: 'main', isDryRun: true });
    expect(parseArguments(withNpmFlags([], taken))).toMatchObject({ task: 'none' });
  });

  it.each([
    {},
    { npm_config_dry_run: '', npm_lifecycle_event: 'retention' },
    { ...taken, npm_lifecycle_event: 'start' },
  ])('is not read when it was not given to this command: %j', (environment) => {
    expect(withNpmFlags(['main'], environment)).toEqual(['main']);
  });
});
