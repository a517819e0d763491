// The sources of the demo, their destinations, and what their providers send.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';

const hmac = (secret, text, encoding = 'hex') => createHmac('sha256', secret).update(text).digest(encoding);
const id = (prefix) => `${prefix}_${randomBytes(6).toString('hex')}`;
const pick = (values) => values[Math.floor(Math.random() * values.length)];
const STRIPE_SECRET = `whsec_${randomBytes(24).toString('hex')}`;

const SOURCES = [
  {
    source: { name: 'GitHub', provider: 'GITHUB' },
    destinations: [
      { path: '/ci', description: 'Build server', signing: true },
      { path: '/old-wiki', description: 'Wiki (retired, still configured)' },
    ],
    makeBody: () =>
      JSON.stringify({
        ref: pick(['refs/heads/main', 'refs/heads/release']),
        repository: { full_name: 'northwind/storefront', private: true },
        pusher: { name: pick(['ada', 'grace', 'linus']) },
        commits: [{ id: randomBytes(20).toString('hex'), message: pick(['Fix the rounding of totals', 'Add a size']) }],
      }),
    headersOf: (body, secret) => ({
      'User-Agent': 'GitHub-Hookshot/044aadd',
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': randomUUID(),
      'X-Hub-Signature-256': `sha256=${hmac(secret, body)}`,
    }),
  },
  {
    source: { name: 'Stripe', provider: 'STRIPE', secret: STRIPE_SECRET },
    destinations: [{ path: '/accounting', description: 'Accounting', auth: { type: 'BEARER', token: id('token') } }],
    makeBody: () =>
      JSON.stringify({
        id: id('evt'),
        type: pick(['payment_intent.succeeded', 'charge.refunded', 'invoice.paid']),
        data: { object: { id: id('pi'), amount: 500 + Math.floor(Math.random() * 40_000), currency: 'eur' } },
      }),
    headersOf: (body, secret) => {
      const seconds = Math.floor(Date.now() / 1000);
      return { 'Stripe-Signature': `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}` };
    },
  },
  {
    source: { name: 'Warehouse scanner', provider: 'GENERIC_HMAC', signaturePrefix: 'sha256=' },
    destinations: [],
    contentType: 'application/octet-stream',
    // Not UTF-8: the dashboard shows it in hexadecimal.
    makeBody: () => Buffer.concat([Buffer.from([0x89, 0xff, 0x00]), randomBytes(180)]),
    headersOf: (body, secret) => ({ 'X-Signature': `sha256=${hmac(secret, body)}` }),
  },
];

/** How the receiver of the demo answers the destinations, by path. */
export const DESTINATION_ANSWERS = { '/ci': () => 200, '/accounting': () => 204, '/old-wiki': () => 503 };

/**
 * Creates the sources with their destinations. Returns them with the function that sends one event as their provider does.
 * @param call calls the API: `call(method, path, body)`
 */
export async function makeSources(call, base, receiverUrl) {
  const made = [];
  for (const { source, destinations, contentType = 'application/json', makeBody, headersOf } of SOURCES) {
    const { id: sourceId, url } = await call('POST', `${base}/sources`, source);
    for (const { path, ...destination } of destinations) {
      const body = { ...destination, url: receiverUrl + path };
      await call('POST', `${base}/sources/${sourceId}/destinations`, body);
    }
    const { secret } = await call('GET', `${base}/sources/${sourceId}/secret`);
    const send = async (signedWith = secret) => {
      const body = makeBody();
      const headers = { 'Content-Type': contentType, ...headersOf(body, signedWith) };
      await (await fetch(url, { method: 'POST', headers, body })).arrayBuffer();
    };
    made.push({ send, sendForged: () => send(STRIPE_SECRET.replace('whsec', 'wrong')) });
  }
  return made;
}

/** Sends one event of each source. In some rounds its signature is wrong. */
export async function sendIncomingEvents(sources, round) {
  for (const { send, sendForged } of sources) await (round % 8 === 5 ? sendForged() : send());
}
