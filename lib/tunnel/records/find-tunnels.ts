import { inCellOfProject, projectsOfUrlTokens, readOwnersOfProjects } from '@/lib/orgs/tenant';
import { Batches } from '@/lib/platform/batches';
import { hasSeveralCells, onceInCell } from '@/lib/platform/cells/current-cell';
import { sha256 } from '@/lib/platform/crypto';
import { hotDatabase } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { FEW_TRIES, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import { KNOWN_LOOKUPS } from '@/lib/tunnel/relay/limits';
import type { FoundTunnels, PublicTunnel } from '@/lib/tunnel/types';
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
 * Finds the tunnels of URLs' tokens, by token. Without those whose project or organization is deleted. Where there are several cells, each
 * tunnel arrives when its cell has answered.
 * @param tokens any texts
 */
export async function findPublicTunnels(tokens: readonly string[]): Promise<FoundTunnels> {
  const hashes = new Map(tokens.map((token) => [token, sha256(token)]));
  if (!hasSeveralCells()) {
    const tunnelOf = await readTunnels([...hashes.values()]);
    return new Map([...hashes].map(([token, hash]) => [token, tunnelOf(hash)]));
  }
  const projects = await projectsOfUrlTokens([...hashes.values()]);
  await readOwnersOfProjects([...projects.values()]);
  const find = (hash: Buffer) => {
    const projectId = projects.get(hash.toString('hex'));
    return projectId === undefined ? null : inCellOfProject(projectId, () => lookups().add(hash));
  };
  return new Map([...hashes].map(([token, hash]) => [token, find(hash)]));
}

/** A cell that does not answer must not hold up the tunnels of others. */
const lookups = () => onceInCell('tunnel-lookups', () => new Batches(readTunnels, KNOWN_LOOKUPS));

/** Reads the tunnels of hashes of tokens that are in the current cell. */
async function readTunnels(tokenHashes: readonly Buffer[]) {
  const rows = await findTunnelsByTokens.all(hotDatabase(), { tokenHashes });
  const tunnels = new Map(rows.map((row) => [row.token_hash.toString('hex'), toPublicTunnel(row)]));
  return (hash: Buffer) => tunnels.get(hash.toString('hex')) ?? null;
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
