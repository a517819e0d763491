import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptsBrotli, preferredCoding } from './accept-encoding';

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
/** Pages are compressed for each request: level 4 takes 3 ms for 100 KB, and 11 takes 200. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * Runs in the browser. Loads the scripts when the reader moves the pointer, touches the page, focuses something or presses a
 * key. A button that is clicked earlier is clicked again once React handles it.
 */
const LOADER = `(sources) => {
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin'];
  const isHydrated = (element) => Object.keys(element).some((name) => name.startsWith('__reactProps'));
  let clicked = null;
  const start = () => {
    for (const sign of signs) removeEventListener(sign, start, true);
    for (const source of sources) {
      const script = document.createElement('script');
      script.src = source;
      script.async = true;
      document.head.append(script);
    }
    const timer = setInterval(() => {
      if (clicked === null || !isHydrated(clicked)) return;
      const button = clicked;
      clicked = null;
      button.click();
    }, 50);
    setTimeout(() => clearInterval(timer), 30000);
  };
  for (const sign of signs) addEventListener(sign, start, { capture: true, passive: true });
  addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button');
    if (!button || isHydrated(button)) return;
    event.preventDefault();
    clicked = button;
  }, true);
}`;

/**
 * Makes the browser load the scripts of a page when its reader first reaches for it. The page is complete without them: its
 * links work, and its text is there. An error page keeps its scripts. Buffers the response of Next, which must be a page that ends.
 */
export function deferScripts(message: IncomingMessage, response: ServerResponse): void {
  const accepted = String(message.headers['accept-encoding'] ?? '');
  // Next would compress what is to be changed.
  delete message.headers['accept-encoding'];
  const chunks: Buffer[] = [];
  const [writeHead, write, end] = [
    response.writeHead.bind(response),
    response.write.bind(response),
    response.end.bind(response),
  ];
  let isComplete = false;
  const keep = (chunk: unknown, encoding?: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const lastFunction = (given: unknown[]) =>
    given.find((each) => typeof each === 'function') as (() => void) | undefined;
  response.flushHeaders = () => undefined;
  // Next's compression sends the headers before the first piece, by this call.
  response.writeHead = ((status: number, ...given: unknown[]) => {
    if (isComplete) return writeHead(status, ...(given as []));
    response.statusCode = status;
    const headers = given.find((each) => typeof each === 'object' && each !== null);
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    return response;
  }) as typeof writeHead;
  response.write = ((...given: unknown[]) => {
    keep(given[0], typeof given[1] === 'string' ? given[1] : 'utf8');
    const done = lastFunction(given);
    if (done !== undefined) process.nextTick(done);
    return true;
  }) as typeof write;
  response.end = ((...given: unknown[]) => {
    keep(given[0], typeof given[1] === 'string' ? given[1] : 'utf8');
    const content = Buffer.concat(chunks);
    const finish = (sent: Buffer) => {
      isComplete = true;
      response.setHeader('Content-Length', sent.length);
      end(sent, lastFunction(given));
    };
    const isPage = String(response.getHeader('Content-Type') ?? '').startsWith('text/html');
    // Next renders an error page in the browser: without its scripts it would be empty.
    const change = response.statusCode < 400 ? withDeferredScripts : (page: string) => page;
    if (!isPage || content.length === 0) finish(content);
    else encodePage(response, accepted, content, change).then(finish, () => response.destroy());
    return response;
  }) as typeof end;
}

async function encodePage(
  response: ServerResponse,
  accepted: string,
  content: Buffer,
  change: (page: string, nonce: string) => string,
): Promise<Buffer> {
  const policy = String(response.getHeader('Content-Security-Policy') ?? '');
  const page = Buffer.from(change(content.toString('utf8'), /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''));
  if (!/accept-encoding/i.test(String(response.getHeader('Vary') ?? '')))
    response.appendHeader('Vary', 'Accept-Encoding');
  const coding = acceptsBrotli(accepted) ? 'br' : preferredCoding(accepted);
  if (coding === 'identity') return page;
  response.setHeader('Content-Encoding', coding);
  return coding === 'br' ? brotli(page, BROTLI_OPTIONS) : gzipped(page);
}

/**
 * Returns a page whose scripts are loaded by one small script with this nonce. Leaves scripts in the page and scripts for old
 * browsers as they are.
 */
export function withDeferredScripts(page: string, nonce: string): string {
  const sources: string[] = [];
  const rest = page
    .replace(/<link\b[^>]*\bas="script"[^>]*>/g, '')
    .replace(/<script\b[^>]*\bsrc="([^"]+)"[^>]*><\/script>/g, (tag, source: string) => {
      if (/\bnomodule\b/i.test(tag)) return tag;
      sources.push(source.replaceAll('&amp;', '&'));
      return '';
    });
  if (sources.length === 0) return page;
  const list = JSON.stringify([...new Set(sources)]).replaceAll('<', '\\u003c');
  const loader = `<script nonce="${nonce}">(${LOADER})(${list})</script>`;
  const at = rest.lastIndexOf('</body>');
  return at === -1 ? rest + loader : rest.slice(0, at) + loader + rest.slice(at);
}
