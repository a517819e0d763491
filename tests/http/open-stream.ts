import { request as httpRequest, type IncomingMessage } from 'node:http';

/** A response that stays open. */
export interface OpenStream {
  response: IncomingMessage;
  /** What has arrived so far. */
  text(): string;
  /** Resolves when it ends, with whether it ended properly: a connection that breaks off leaves a response incomplete. */
  ended: Promise<boolean>;
  close(): void;
}

/** Requests a path on a socket of its own, and resolves when the response begins. */
export function openStream(port: number, path: string, headers: Record<string, string>): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, agent: false, path, headers });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => {});
      const ended = new Promise<boolean>((end) => response.once('close', () => end(response.complete)));
      request.on('error', () => {});
      resolve({ response, text: () => text, ended, close: () => request.destroy() });
    });
    request.end();
  });
}
