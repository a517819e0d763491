import { beforeEach, expect } from 'vitest';
import type { Customer } from '@/lib/customers/schema';
import type { EndpointListItem, EndpointSecret } from '@/lib/delivery/schema';
import type { Listing } from '@/lib/platform/pagination';
import { makeProject } from '@/tests/fixtures/people';
import { makeKey, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import type { Eds, RunOptions } from './eds';

/** What the JSON of an import says of a customer or an endpoint. */
export interface Item {
  kind: string;
  from: string;
  uid: string | null;
  id: string | null;
  result: string;
  complete: boolean;
  disabledThere: boolean;
  differs: string[];
  notes: string[];
}

interface Setup {
  eds: Eds;
  projects: { mine: TestProject };
  /** The command, with the options that name the other service. */
  line(): string[];
  token: Record<string, string>;
}

/** Returns what runs an import into a project that is new for each test, and reads what it has made. */
export function useImport({ eds, projects, line, token }: Setup) {
  let id = '';
  let key = '';
  beforeEach(async () => {
    const { owner } = projects.mine;
    id = (await makeProject(owner, `Import ${Math.random()}`)).id;
    key = (await makeKey(id, owner, { name: 'import' })).key;
  });
  const env = () => ({ EDS_API_KEY: key, NO_COLOR: '1', ...token });
  const start = (args: string[] = [], options: RunOptions = {}) =>
    eds.run(['import', ...line(), ...args], { ...options, env: { ...env(), ...options.env } });
  const api = async <T>(verb: string, path: string, body?: object) =>
    (await call<T>(verb, `/api/v1/projects/${id}${path}`, { apiKey: key, ...(body && { body }) })).json;
  return {
    start,
    api,
    key: () => key,
    /** Starts an import as a process of its own. */
    spawn: (args: string[] = [], more: Record<string, string> = {}) =>
      eds.start(['import', ...line(), ...args], { env: { ...env(), ...more } }),
    /** Imports, and returns the exit code with what is said of each. */
    run: async (args: string[] = []) => {
      const { code, stdout, stderr } = await start([...args, '--json']);
      expect(stdout, stderr).not.toBe('');
      const { items } = JSON.parse(stdout) as { items: Item[] };
      return {
        code,
        items,
        stderr,
        of: (from: string) => items.find((item) => item.from === from) as Item,
      };
    },
    customers: async () => (await api<Listing<Customer>>('GET', '/customers')).data,
    endpoints: async () => (await api<Listing<EndpointListItem>>('GET', '/endpoints?limit=100')).data,
    endpointCalled: async (uid: string) =>
      (await api<Listing<EndpointListItem>>('GET', `/endpoints?uid=${encodeURIComponent(uid)}`)).data[0],
    secretOf: async (endpointId: string | null | undefined) =>
      (await api<EndpointSecret>('GET', `/endpoints/${endpointId}/secret`)).secret,
  };
}
