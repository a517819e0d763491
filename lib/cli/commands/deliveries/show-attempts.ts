import type { Context } from '@/lib/cli/context';
import { formatAge, formatDuration } from '@/lib/cli/output/column';
import { cutToWidth } from '@/lib/cli/output/table';
import type { Attempt, AttemptTiming } from '@/lib/delivery/schema';
import { sanitize, sanitizeLines } from '@/lib/platform/terminal/sanitize';

/** Lines of a response that a terminal shows: many of the last one, few of those before it. */
const LINES = { last: 12, earlier: 3 };
const INDENT = '      ';

/** Writes attempts, newest first, each with its response. */
export function showAttempts(context: Context, attempts: Attempt[]): void {
  if (context.terminal.stdout.isTTY) showOnTerminal(context, attempts);
  else for (const attempt of attempts) context.terminal.stdout.write(`${plainLine(attempt)}\n`);
}

function plainLine(attempt: Attempt): string {
  const { attemptNumber, startedAt, durationMs, responseStatus, error, responseBody, remoteAddress, timing } = attempt;
  const cells = [
    ...[attemptNumber, startedAt, durationMs, responseStatus ?? '', error ?? '', responseBody ?? ''],
    ...[remoteAddress ?? '', describeTiming(timing) ?? '', headerText(attempt.responseHeaders ?? [])],
  ];
  return ['attempt', ...cells.map((cell) => sanitize(String(cell)))].join('\t');
}

function showOnTerminal({ terminal, out }: Context, attempts: Attempt[]): void {
  const { bold, dim } = out.style;
  const write = (line: string) =>
    terminal.stdout.write(`${INDENT}${dim(cutToWidth(line, terminal.stdout.columns - INDENT.length))}\n`);
  terminal.stdout.write(`\n${bold('ATTEMPTS')}\n`);
  for (const [i, attempt] of attempts.entries()) {
    terminal.stdout.write(`${headOf(attempt, out.style)}\n`);
    // Of the earlier attempts, the timing alone: headers of many would hide why each failed.
    for (const line of i === 0 ? detailsOf(attempt) : detailsOf(attempt).slice(0, 1)) write(line);
    const isRepeated = i > 0 && attempt.responseBody === attempts[i - 1]?.responseBody;
    const body = attempt.responseBody ?? '';
    const lines =
      isRepeated && body !== '' ? ['(the same response)'] : excerptOf(body, i === 0 ? LINES.last : LINES.earlier);
    for (const line of lines) write(line);
  }
}

function headOf(attempt: Attempt, { green, red, dim }: Context['out']['style']): string {
  const { attemptNumber, startedAt, durationMs, responseStatus, error, succeeded } = attempt;
  const paint = succeeded ? green : red;
  const result = sanitize(String(responseStatus ?? error ?? 'No response'));
  // “Answered with status 500” says nothing that 500 does not.
  const why =
    responseStatus === null || error === null || /^Answered with status \d+$/.test(error) ? '' : sanitize(error);
  const when = dim(`${formatAge(new Date(startedAt), new Date())}, took ${formatDuration(durationMs)}`);
  return `${sanitize(`#${attemptNumber}`).padEnd(INDENT.length)}${paint(result)}  ${when}${why === '' ? '' : `  ${red(why)}`}`;
}

/** Returns the timing with the remote address, and the response headers. */
function detailsOf({ remoteAddress, timing, responseHeaders, responseHeadersTruncated }: Attempt): string[] {
  const exchanged = [remoteAddress, describeTiming(timing)].filter((part) => part !== null).join(', ');
  const headers =
    responseHeaders === null || responseHeaders.length === 0 ? [] : headerText(responseHeaders).split('\n');
  return [
    ...(exchanged === '' ? [] : [sanitize(exchanged)]),
    ...headers.map(sanitize),
    ...(responseHeadersTruncated ? ['… more headers'] : []),
  ];
}

/** Returns the first lines of a body. */
export function excerptOf(body: string, most: number): string[] {
  if (body.trim() === '') return [];
  const lines = sanitizeLines(indentJson(body).trimEnd()).split('\n');
  return lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} more lines`] : lines;
}

/** Indents a JSON object; returns all else as it is, such as JSON that was cut. */
function indentJson(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body.replaceAll('\r\n', '\n');
  }
}

/** Describes where the time of an attempt went, such as "DNS 12 ms, connect 20 ms, response after 87 ms"; null if that is unknown. */
export function describeTiming(timing: AttemptTiming | null): string | null {
  if (timing === null) return null;
  const { reusedConnection, dnsMs, connectMs, tlsMs, firstByteMs } = timing;
  const step = (name: string, ms: number | null) => (ms === null ? [] : [`${name} ${formatDuration(ms)}`]);
  const steps = [
    ...(reusedConnection ? ['open connection'] : []),
    ...step('DNS', dnsMs),
    ...step('connect', connectMs),
    ...step('TLS', tlsMs),
    ...step('response after', firstByteMs),
  ];
  return steps.length === 0 ? null : steps.join(', ');
}

/** Returns headers as lines of `name: value`. */
export function headerText(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}
