import type { Context } from '@/lib/cli/context';
import { formatBody } from '@/lib/cli/output/format-body';
import { cutUrl } from '@/lib/cli/output/table';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import type { TunnelStatus } from '@/lib/tunnel/client';
import type { AnsweredRequest } from '@/lib/tunnel/client/local-server';

/** Requests that arrive before the URL is shown. More are not remembered. */
const MAX_WAITING = 1_000;

/** What the command shows: the URL first, then a line for each request, and a word when the connection breaks. */
export class LiveView {
  /** The request that was answered last. */
  last: AnsweredRequest | null = null;
  #waiting: AnsweredRequest[] | null = [];
  #wasConnected = false;

  /** @param showsBodies whether the body of each request follows its line */
  constructor(
    private readonly context: Context,
    private readonly showsBodies = false,
  ) {}

  /** Writes the URL, and the requests that came before it. */
  begin(url: string, target: string, details: object): void {
    const { out, terminal } = this.context;
    const safe = sanitize(url);
    const shown = terminal.stdout.isTTY ? out.style.bold(out.style.cyan(safe)) : safe;
    out.item({ type: 'ready', url, target, ...details }, `${shown} -> ${target}`);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const each of waiting) this.#write(each);
  }

  onRequest(request: AnsweredRequest): void {
    this.last = request;
    if (this.#waiting === null) this.#write(request);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(request);
  }

  onStatus(status: TunnelStatus): void {
    const { out } = this.context;
    if (status.state === 'connected') {
      if (this.#wasConnected) this.#say({ type: 'connected' }, 'Reconnected, with the same URL.');
      this.#wasConnected = true;
    }
    if (status.state !== 'disconnected') return;
    const { reason, retryMs } = status;
    const words = `${reason} Reconnecting in ${(retryMs / 1000).toFixed(1)} s.`;
    if (out.isJson && this.#waiting !== null) out.note(words);
    else this.#say({ type: 'disconnected', reason, retryMs }, words);
  }

  #say(object: object, words: string): void {
    const { out } = this.context;
    if (out.isJson) out.item(object, words);
    else out.note(words);
  }

  #write({ body, ...request }: AnsweredRequest): void {
    const at = new Date();
    const shown = this.showsBodies ? body : null;
    const item = { type: 'request', time: at.toISOString(), ...request, ...(this.showsBodies ? { body } : {}) };
    this.context.out.item(item, this.#line(request, at) + (shown === null ? '' : `\n${indent(shown)}`));
  }

  #line({ method, path, status, durationMs, error, eventType }: Omit<AnsweredRequest, 'body'>, at: Date): string {
    const { terminal, out } = this.context;
    const cells = [sanitize(method), sanitize(path), String(status), `${durationMs} ms`];
    if (eventType !== null) cells.push(sanitize(eventType));
    if (error !== null) cells.push(sanitize(error));
    if (!terminal.stdout.isTTY) return [at.toISOString(), ...cells].join('\t');
    const { style } = out;
    const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green;
    const [shownMethod = '', shownPath = ''] = cells;
    // What differs in width comes last, so that the rest stays aligned.
    const time = at.toLocaleTimeString('en-GB');
    const method6 = shownMethod.padEnd(6);
    const ms = `${durationMs} ms`.padStart(8);
    const fault = error === null ? '' : explain(error);
    const type = eventType === null ? '' : sanitize(eventType);
    const rest = [type, fault].reduce((sum, text) => sum + (text === '' ? 0 : text.length + 2), 0);
    const taken = `${time}  ${method6}  ${status}  ${ms}  `.length + rest;
    const parts = [
      style.dim(time),
      style.bold(method6),
      paint(String(status)),
      style.dim(ms),
      ...(type === '' ? [] : [style.cyan(type)]),
      cutUrl(shownPath, Math.max(20, terminal.stdout.columns - taken)),
      ...(fault === '' ? [] : [style.red(fault)]),
    ];
    return parts.join('  ');
  }
}

function indent(body: string): string {
  return formatBody({ text: body, base64: null }).replace(/^/gm, '    ');
}

function explain(error: string): string {
  return error === 'ECONNREFUSED' ? 'ECONNREFUSED: is the local server running?' : sanitize(error);
}
