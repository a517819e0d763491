import { inCellOfProject, inCellsOf, projectsOfUrlTokens } from '@/lib/orgs/tenant';
import { Batches } from '@/lib/platform/batches';
import { hasSeveralCells, onceInCell } from '@/lib/platform/cells/current-cell';
import { sha256 } from '@/lib/platform/crypto';
import { hotDatabase } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { FEW_TRIES, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { testResponseOf } from './tunnel-columns';
import { findTunnelOfProject, findTunnelsByTokens, setLastSeen } from './tunnels-sql';

/** Reads the tunnel that a client of the project connects to. @throws AppError not_found; conflict for a test receiver */
export async function getTunnelForClient(projectId: string, tunnelId: string): Promise<PublicTunnel> {
  const row = await findTunnelOfProject.first(hotDatabase(), { project: projectId, tunnel: tunnelId });
  if (row === undefined) throw notFound('tunnel');
  if (row.test_status !== null) throw new AppError('conflict', 'A test receiver takes no client. Use another tunnel.');
  return toPublicTunnel(row);
}

/**
 * Finds the tunnels of URLs' tokens, by token. Without those whose project or organization is deleted.
 * @param tokens any texts
 */
export async function findPublicTunnels(tokens: readonly string[]): Promise<ReadonlyMap<string, PublicTunnel>> {
  const tokenOf = new Map(tokens.map((token) => [sha256(token).toString('hex'), token]));
  const tokenHashes = [...tokenOf.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const rows = hasSeveralCells()
    ? await findInCells(tokenHashes)
    : await findTunnelsByTokens.all(hotDatabase(), { tokenHashes });
  return new Map(
    rows.map((row) => [tokenOf.get(row.token_hash.toString('hex')) as string, toPublicTunnel(row)] as const),
  );
}

/** Finds tunnels in the cells of their projects. */
async function findInCells(tokenHashes: readonly Buffer[]) {
  const projects = await projectsOfUrlTokens(tokenHashes);
  const known = tokenHashes.filter((hash) => projects.has(hash.toString('hex')));
  const found = await inCellsOf(
    known,
    (hash) => projects.get(hash.toString('hex')) as string,
    (ofCell) => findTunnelsByTokens.all(hotDatabase(), { tokenHashes: ofCell }),
  );
  return found.flat();
}

/** Records that the client of a tunnel is connected. Writes at most once every 5 s. Ignores a deleted tunnel. */
export function markTunnelSeen(tunnelId: string, projectId: string): Promise<void> {
  return inCellOfProject(projectId, () => marks().add({ tunnelId, projectId }));
}

/** An owner may have thousands of clients, all of which are marked at once. */
const marks = () => onceInCell('tunnel-marks', () => new Batches(markTogether, { maxRunning: 1, maxBatch: 100 }));

async function markTogether(seen: readonly { tunnelId: string; projectId: string }[]) {
  const rows = { tunnels: seen.map(({ tunnelId }) => tunnelId), projects: seen.map(({ projectId }) => projectId) };
  // The deletion of a project locks its tunnels, too. They are marked again in a minute.
  await retryLockedTransaction((tx) => setLastSeen.run(tx, rows), FEW_TRIES);
  return () => undefined;
}

/** Converts a row to a tunnel as the relay knows it. */
function toPublicTunnel(row: RowOf<typeof findTunnelOfProject.columns>): PublicTunnel {
  const { id, project_id: projectId, username, password_hash: passwordHash, cidrs } = row;
  const basicAuth = username === null || passwordHash === null ? null : { username, passwordHash };
  const testResponse = testResponseOf({ testStatus: row.test_status, testDelaySeconds: row.test_delay_seconds });
  return { id, projectId, basicAuth, allowedCidrs: cidrs ?? [], testResponse };
}
