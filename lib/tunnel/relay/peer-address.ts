import os from 'node:os';

/** Returns the address at which other web processes reach this one: the first IPv4 of the machine, or else loopback. */
export function peerAddress(port: number, interfaces = os.networkInterfaces()): string {
  const addresses = Object.values(interfaces).flatMap((list) => list ?? []);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  return `http://${found?.address ?? '127.0.0.1'}:${port}`;
}
