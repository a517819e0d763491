import { CliError, EXIT } from '@/lib/cli/cli-error';

/** A server on this machine, or in its network. */
export interface Target {
  origin: URL;
  /** Where it takes events in, without a slash at the start: empty, or such as `webhooks/orders`. */
  path: string;
}

const PORT = /^:?(\d{1,5})(\/.*)?$/;
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}(?:\/.*)?$/i;

/**
 * Reads a port, `host:port` or URL. A port means `localhost`, where a server may listen on either of its two addresses.
 * @throws CliError when it is none of them
 */
export function readTarget(text: string): Target {
  const [, port, path = ''] = PORT.exec(text) ?? [];
  const withScheme = HOST_AND_PORT.test(text) ? `http://${text}` : text;
  const url = parse(port === undefined ? withScheme : `http://localhost:${port}${path}`);
  if (url !== null) return { origin: new URL(url.origin), path: url.pathname.slice(1) };
  throw new CliError(`“${text}” is neither a port nor the URL of a server.`, 'invalid_target', {
    exitCode: EXIT.usage,
    next: 'Give a port such as 4000, or a URL such as http://localhost:4000/webhooks.',
  });
}

function parse(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') return null;
  return `${url.username}${url.password}${url.search}${url.hash}` === '' ? url : null;
}
