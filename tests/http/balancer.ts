import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A load balancer in front of web processes. */
export interface Balancer {
  origin: string;
  port: number;
  /** Requests that each process has answered, in the order of the ports. */
  counts: number[];
  close(): void;
}

/**
 * Starts one that gives each request, and each upgrade, to the next process. A process that refuses the connection is skipped, as
 * by the health checks of a real one; a connection that breaks later breaks for the client too.
 */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const counts = ports.map(() => 0);
  let turns = 0;
  /** @param turn of the request, whose second try must not get the process of its first one */
  const forward = (message: IncomingMessage, response: ServerResponse, body: Buffer, turn: number, tried = 0) => {
    const index = (turn + tried) % ports.length;
    const { method, url: path, headers } = message;
    const inner = httpRequest({ host: '127.0.0.1', port: ports[index], method, path, headers, agent: false });
    inner.on('response', (answer) => {
      counts[index] = (counts[index] ?? 0) + 1;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    inner.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tried + 1 < ports.length) forward(message, response, body, turn, tried + 1);
      else response.destroy();
    });
    response.on('close', () => inner.destroy());
    inner.end(body);
  };
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    turns += 1;
    forward(message, response, Buffer.concat(chunks), turns);
  });
  server.on('upgrade', (message, outer, head) => {
    turns += 1;
    const inner = connect(ports[turns % ports.length] ?? 0, '127.0.0.1', () => {
      const lines = Array.from({ length: message.rawHeaders.length / 2 }, (_, n) =>
        message.rawHeaders.slice(2 * n, 2 * n + 2),
      );
      inner.write(
        `${message.method} ${message.url} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`,
      );
      inner.write(head);
      inner.pipe(outer).pipe(inner);
    });
    for (const [socket, other] of [[inner, outer] as const, [outer, inner] as const]) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, port, counts, close };
}
