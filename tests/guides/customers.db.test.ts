import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { EventDeliveryClient } from '@/lib/client';
import type { Customer } from '@/lib/customers/schema';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useCli } from '@/tests/cli/use-cli';
import { call } from '@/tests/http/api-request';

const { projects, url, eds } = useCli();

/** The examples of the guide, in order, without the one that runs until Ctrl-C. */
const EXAMPLES = [...readFileSync('docs/guides/customers.md', 'utf8').matchAll(/^```(sh|js)\n([\s\S]*?)^```$/gm)]
  .map(([, language = '', code = '']) => ({ language, code }))
  .filter(({ code }) => !code.startsWith('eds listen'));

async function runInShell(code: string): Promise<string> {
  const env = {
    ...process.env,
    BUNDLE: eds.bundle,
    EDS_CONFIG_DIR: eds.folder,
    EDS_API_URL: url(),
    EDS_API_KEY: projects.mine.key,
    EDS_PROJECT: projects.mine.id,
  };
  const functions = `set -e\neds() { "${process.execPath}" "$BUNDLE" "$@"; }\ncurl() { command curl --silent --fail-with-body "$@"; }`;
  const local = code.replaceAll('https://events.example.com', url());
  return (await promisify(execFile)('sh', ['-c', `${functions}\n${local}`], { env })).stdout;
}

async function runInNode(code: string): Promise<void> {
  const client = new EventDeliveryClient({
    baseUrl: url(),
    apiKey: projects.mine.key,
    projectId: projects.mine.id,
  });
  const AsyncFunction = (async () => undefined).constructor as new (
    name: string,
    code: string,
  ) => (given: EventDeliveryClient) => Promise<void>;
  await new AsyncFunction('client', code)(client);
}

const listed = async <T>(path: string) => {
  const { id, key } = projects.mine;
  return (await call<Listing<T>>('GET', `/api/v1/projects/${id}${path}`, { apiKey: key })).json.data;
};

it('the examples of the guide to customers run from top to bottom, in curl, eds and the client', async () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(7);
  const [last] = EXAMPLES.splice(-1);
  for (const { language, code } of EXAMPLES) await (language === 'sh' ? runInShell(code) : runInNode(code));
  expect(await listed<Customer>('/customers')).toMatchObject([
    { uid: 'cus_8f2c1', name: 'Acme Inc.', endpointCount: 1 },
  ]);
  expect(await listed<Endpoint>('/endpoints')).toMatchObject([
    { customerUid: null, receivesCustomerEvents: true },
    { customerUid: 'cus_8f2c1', receivesCustomerEvents: false },
  ]);
  // Both requests have the same Idempotency-Key.
  expect(await listed<EventListItem>('/events')).toMatchObject([{ type: 'order.paid', customerUid: 'cus_8f2c1' }]);
  await runInShell(last?.code ?? '');
  expect(await listed<Customer>('/customers')).toEqual([]);
  expect(await listed<Endpoint>('/endpoints')).toMatchObject([{ customerUid: null }]);
});
