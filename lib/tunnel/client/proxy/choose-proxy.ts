import { BlockList, isIP } from 'node:net';

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
