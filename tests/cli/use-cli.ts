import { expect } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { useWebServer } from '@/tests/http/adapters';
import { type RunOptions, useEds } from './eds';

/** A person at a terminal. */
export const TERMINAL: RunOptions = { tty: ['stdout', 'stderr'], columns: 140 };

/**
 * Creates projects, a web server and an `eds` that talks to it, for the tests of a file.
 * @param settings of the server, as useDatabase takes them
 */
export function useCli(settings?: Parameters<typeof useDatabase>[0]) {
  useDatabase(settings);
  const made = useEndpoints();
  const server = useWebServer();
  const url = () => `http://127.0.0.1:${server.port()}`;
  const eds = useEds(url);

  /** Returns what runs the commands of a group with the key of the first project. */
  function group(name: string) {
    const run = (args: string[], { env, ...options }: RunOptions = {}) =>
      eds.run([name, ...args], { ...options, env: { EDS_API_KEY: made.projects.mine.key, NO_COLOR: '1', ...env } });
    const json = async <T>(args: string[], options?: RunOptions): Promise<T> => {
      const { stdout, stderr } = await run([...args, '--json'], options);
      expect(stdout, stderr).not.toBe('');
      return JSON.parse(stdout) as T;
    };
    return { run, json };
  }

  return { ...made, url, eds, group };
}
