import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import type { Api, SignedIn } from './account';
import { pickCustomer } from './customers';
import { EVENT_TYPES, pickType } from './event-types';
import { type Provider, REQUEST_MAKERS, SIGNATURE_HEADER, SIGNED_PREFIX } from './incoming';
import type { Workspace } from './workspace';

/** Between two events, in milliseconds: half of this at least, one and a half times at most. */
const PAUSE_MS = 4_000;
const PER_INCOMING = 4;
/** The share of events that are of a customer. */
const CUSTOMER_SHARE = 0.4;
/** The providers whose requests arrive live, in turn. */
const PROVIDERS = ['GITHUB', 'STRIPE'] as const;
const KEY_NAME = 'Demo traffic';

/** Sends an event every few seconds, and now and then one of GitHub or Stripe, until the signal ends it. Failures are retried. */
export async function sendLiveEvents(api: Api, account: SignedIn, workspace: Workspace, signal: AbortSignal) {
  const { key, secrets } = await makeCredentials(api, account, workspace);
  for (let sent = 0; !signal.aborted; sent++) {
    const type = pickType(Math.random);
    const customer = Math.random() < CUSTOMER_SHARE ? pickCustomer(Math.random) : undefined;
    const body = { type, data: EVENT_TYPES[type]?.makeData(Math.random), customer };
    try {
      await api.call('POST', '/events', { key, body });
      if (sent % PER_INCOMING === 0) {
        const provider = PROVIDERS[(sent / PER_INCOMING) % PROVIDERS.length] ?? 'GITHUB';
        await sendIncoming(workspace.sourceUrls[provider], provider, secrets[provider]);
      }
    } catch (error) {
      if (!signal.aborted) process.stderr.write(`demo: ${error instanceof Error ? error.message : error}\n`);
    }
    await sleep(PAUSE_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

/** Makes a key for this run, since a key is shown only once, and revokes those of earlier runs. */
async function makeCredentials(api: Api, { token }: SignedIn, { projectId, sources }: Workspace) {
  const keys = `/projects/${projectId}/api-keys`;
  const { data } = await api.call<{ data: { id: string; name: string; status: string }[] }>(
    'GET',
    `${keys}?limit=100`,
    {
      token,
    },
  );
  for (const { id, name, status } of data) {
    if (name === KEY_NAME && status === 'ACTIVE') await api.call('DELETE', `${keys}/${id}`, { token });
  }
  const { key } = await api.call<{ key: string }>('POST', keys, { token, body: { name: KEY_NAME } });
  const reveal = async (wanted: (typeof PROVIDERS)[number]) => {
    const sourceId = sources.find(({ provider }) => provider === wanted)?.id;
    const path = `/projects/${projectId}/sources/${sourceId}/secret`;
    return (await api.call<{ secret: string }>('GET', path, { token })).secret;
  };
  return { key, secrets: { GITHUB: await reveal('GITHUB'), STRIPE: await reveal('STRIPE') } };
}

/** Sends a signed request to a source, as its provider does. With `fetch` it would have the headers of a browser, too. */
export async function sendIncoming(url: string, provider: Provider, secret: string): Promise<void> {
  const { headers, body } = REQUEST_MAKERS[provider](Math.random);
  const seconds = Math.floor(Date.now() / SECOND_MS);
  const digits = createHmac('sha256', secret).update(SIGNED_PREFIX[provider](seconds)).update(body).digest('hex');
  const first = [
    ['host', new URL(url).host],
    ['content-length', String(body.length)],
  ];
  const all = [...first, ...headers, SIGNATURE_HEADER[provider](digits, seconds)];
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'POST', headers: Object.fromEntries(all) });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
}
