import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

interface ThroughOptions {
  proxy: URL;
  /** A ws or wss URL. */
  url: URL;
  timeoutMs: number;
}

/**
 * Opens a connection to the host of a URL through an HTTP proxy, with CONNECT (RFC 9110 section 9.3.6). For wss, TLS is inside
 * of it, so the proxy sees neither the path nor the credentials.
 * @throws Error when the proxy is not reachable or refuses; the message has no credential of the proxy
 */
export async function connectThroughProxy({ proxy, url, timeoutMs }: ThroughOptions): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isTls = url.protocol === 'wss:';
  const socket = await openTunnelOf(proxy, `${url.hostname}:${url.port || (isTls ? 443 : 80)}`, timeoutMs);
  if (!isTls) return socket;
  // The name of a certificate is never an address (RFC 6066 section 3).
  return connectTls({ socket, host, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] });
}

function openTunnelOf(proxy: URL, authority: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      agent: false,
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...authorizationOf(proxy) },
    });
    const fail = (reason: string) => {
      clearTimeout(deadline);
      reject(new Error(`The proxy ${proxy.origin} ${reason}.`));
      request.destroy();
    };
    const deadline = setTimeout(() => fail('did not answer in time'), timeoutMs);
    const refuse = ({ statusCode }: IncomingMessage) =>
      fail(statusCode === 407 ? 'requires a username and password' : `answered with status ${statusCode}`);
    request.once('connect', (response: IncomingMessage, socket: Socket) => {
      clearTimeout(deadline);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      refuse(response);
    });
    request.once('response', refuse);
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => fail(`is not reachable: ${code ?? message}`));
    request.end();
  });
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** A percent sign that encodes nothing is meant as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
