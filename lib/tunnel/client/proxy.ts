import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The variables of the environment that name proxies. Lower case wins, as with curl. */
type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Returns the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY choose for a URL of http, https, ws or wss; null for none. This
 * machine is never reached through one. Without HTTPS_PROXY, HTTP_PROXY counts for all, as in undici's EnvHttpProxyAgent.
 * @throws Error when the variable is not the URL of an HTTP proxy
 */
export function chooseProxy(url: URL, env: Environment): URL | null {
  const read = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const isTls = url.protocol === 'https:' || url.protocol === 'wss:';
  const given = (isTls && read('HTTPS_PROXY')) || read('HTTP_PROXY');
  const host = hostOf(url.hostname);
  if (given === '' || isLoopback(host)) return null;
  const port = url.port || (isTls ? '443' : '80');
  const isExcepted = read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matches(entry, host, port));
  return isExcepted ? null : parseProxy(given);
}

function parseProxy(text: string): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address)) {
    const proxy = new URL(address);
    if ((proxy.protocol === 'http:' || proxy.protocol === 'https:') && proxy.hostname !== '') return proxy;
  }
  // Without the value, which may contain a password.
  throw new Error('HTTPS_PROXY and HTTP_PROXY must be URLs of HTTP proxies, such as http://proxy.example:3128.');
}

/** Returns a host without the brackets of an IPv6 address and without the final dot of a name. */
function hostOf(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isWithin(LOOPBACK, host);
}

/** Whether an entry of NO_PROXY names a host: `*`, a domain with its subdomains, an address or a range, each with or without a port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(entry, host);
  const [, name = '', onlyPort] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const bare = hostOf(name).replace(/^\*?\./, '');
  return bare !== '' && (host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`)));
}

function isInRange(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(hostOf(network));
  const isRange = family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  if (!isRange) return false;
  const list = new BlockList();
  list.addSubnet(hostOf(network), Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return isWithin(list, host);
}

function isWithin(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

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
