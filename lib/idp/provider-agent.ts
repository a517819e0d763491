import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** What the answers of a provider may have. Tokens and keys have a few KiB. */
export const MAX_PROVIDER_BYTES = 1024 * 1024;
/** The person gets an error after this time, however slowly the provider responds. */
export const DEADLINE_MS = 15_000;

/** Returns an agent for the requests to a provider: each has a connection, which ends after a mebibyte and at the deadline. */
export function providerAgent(url: string): HttpAgent {
  const agent = url.startsWith('https:') ? new HttpsAgent() : new HttpAgent();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback) as Socket;
    limit(socket);
    return socket;
  };
  return agent;
}

function limit(socket: Socket): void {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_PROVIDER_BYTES) socket.destroy(new Error('the identity provider sent more than 1 MiB'));
  });
  const timer = setTimeout(() => socket.destroy(new Error('the identity provider took too long')), DEADLINE_MS);
  socket.once('close', () => clearTimeout(timer));
}
