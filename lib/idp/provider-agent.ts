import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/**
 * The bytes of an answer of a provider: discovery, keys, tokens or claims. Tokens and keys have a few KiB, with the certificates of many
 * keys 30. They are parsed on the thread of all requests: 64 KiB of brackets take 7 ms of it, a mebibyte 220.
 */
export const MAX_PROVIDER_BYTES = 64 * 1024;
/** The person gets an error after this time, however slowly the provider responds. */
export const DEADLINE_MS = 15_000;

/** Returns an agent for the requests to a provider: each has a connection, which ends after 64 KiB and at the deadline. */
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
  const push = socket.push.bind(socket);
  // Not a listener for data: the client would get the bytes too, and parse an answer that ends with them.
  socket.push = (chunk: Buffer | null, ...rest) => {
    bytes += chunk?.length ?? 0;
    if (bytes <= MAX_PROVIDER_BYTES) return push(chunk, ...rest);
    socket.destroy(new Error('the identity provider sent more than 64 KiB'));
    return false;
  };
  const timer = setTimeout(() => socket.destroy(new Error('the identity provider took too long')), DEADLINE_MS);
  socket.once('close', () => clearTimeout(timer));
}
