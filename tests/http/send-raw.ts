import { connect } from 'node:net';

/**
 * Sends raw bytes to a port of this machine.
 * @returns what was received until the server closed, the text contains `until`, or `ms` passed
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { until, ms = 10_000 }: { until?: string; ms?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on('data', (chunk) => {
      text += chunk;
      if (until !== undefined && text.includes(until)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
