import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { SECOND_MS } from '@/lib/platform/clock';
import { type Provider, REQUEST_MAKERS, SIGNATURE_HEADER, SIGNED_PREFIX } from './provider-requests';

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
