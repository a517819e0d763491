import fs from 'node:fs';
import path from 'node:path';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import type { Certificate } from '@/tests/http/certificate';
import { makeTemporaryFolder, startCluster } from './postgres';

/** A PostgreSQL that refuses connections without TLS. */
export interface TlsServer {
  /** Its URL without TLS, by the name `localhost`. */
  url: string;
  stop(): Promise<void>;
}

/** Starts one with a certificate; `stop` ends it and removes its data. */
export async function startTlsServer({ key, cert }: Certificate): Promise<TlsServer> {
  const dataDir = makeTemporaryFolder();
  const inFolder = (name: string) => path.join(dataDir, 'postgres', name);
  const keyFile = inFolder('server.key');
  const certFile = inFolder('server.pem');
  const hostsFile = inFolder('only-tls.conf');
  const settings = { fsync: 'off', ssl: 'on', ssl_key_file: keyFile, ssl_cert_file: certFile, hba_file: hostsFile };
  const cluster = await prepareCluster({ dataDir, settings });
  const { uid, gid } = fs.statSync(inFolder(''));
  for (const [file, text] of [
    [keyFile, key],
    [certFile, cert],
    [hostsFile, 'hostssl all all all scram-sha-256\n'],
  ] as const) {
    fs.writeFileSync(file, text, { mode: 0o600 });
    fs.chownSync(file, uid, gid);
  }
  const stop = await startCluster(cluster, dataDir);
  return {
    url: Object.assign(new URL(cluster.databaseUrl), { hostname: 'localhost' }).href,
    stop,
  };
}
