import type { ProjectCaller } from '@/lib/audit/caller';
import { SIGNATURE_HEADERS, signatureHeadersOf } from '@/lib/delivery/attempts/redact-signatures';
import { keysOfEndpoint } from '@/lib/delivery/credentials';
import { isGuessableSecret } from '@/lib/delivery/endpoint-fields-policy';
import { inThreadTurnOfProject, mapInTurns, maySeeSecrets, organizationOf } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';
import { type Listing, pageToListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { TunnelRequestLog, Tunnel as TunnelRow } from '@/lib/platform/prisma/generated/client';
import { scanPage } from '@/lib/platform/sql/bounded-scan';
import { testResponseOf, tunnelUrl } from '@/lib/tunnel/records/tunnel-columns';
import { getTunnelRow, type TunnelPath } from '@/lib/tunnel/records/tunnels';
import { sendThroughTunnel } from '@/lib/tunnel/relay/current-relay';
import type {
  ListTunnelRequestsQuery,
  ReplayedTunnelRequest,
  ReplayObstacle,
  TunnelRequest,
  TunnelRequestDetail,
} from '@/lib/tunnel/schema';
import { checkSignature, isSigned, listSigningSecrets } from './check-signature';
import { isCredentialHeader } from './log-row';
import { findReplayObstacle, parseHeaders, presentRequest, presentRequestDetail } from './present-request';
import { REQUEST_ROWS, requestScan } from './request-log-sql';

/** The tunnel of a request, and the id of the request. */
export interface TunnelRequestPath extends TunnelPath {
  requestId: string;
}

/** Lists the requests to a tunnel, newest first, without headers and bodies. @throws AppError not_found */
export async function listTunnelRequests(
  caller: ProjectCaller,
  path: TunnelPath,
  query: ListTunnelRequestsQuery,
): Promise<Listing<TunnelRequest>> {
  await getTunnelRow(prisma(), path);
  const { rows, next } = await scanPage(
    database(),
    requestScan(path.projectId, path.tunnelId, query),
    query,
    REQUEST_ROWS,
  );
  const showsSecrets = maySeeSecrets(caller);
  const shown = await mapInTurns(caller, path.projectId, rows, (row) => presentRequest(row, showsSecrets));
  return pageToListing({ rows: shown, next }, (row) => row);
}

/** Returns the headers that the source of a forwarded request checks; none for other requests, and for a source of another organization. */
async function headersOfSource(caller: ProjectCaller, row: TunnelRequestLog): Promise<string[]> {
  const sourceId = parseHeaders(row.requestHeaders)?.find(([name]) => name.toLowerCase() === 'x-eds-source-id')?.[1];
  if (sourceId === undefined || !isId(sourceId)) return [];
  const where = { id: sourceId, project: { organizationId: organizationOf(caller) } };
  return signatureHeadersOf(await prisma().source.findFirst({ where, select: SIGNATURE_HEADERS }));
}

/** Reads a request to a tunnel with its headers and bodies. @throws AppError not_found, also when the tunnel is deleted */
export async function getTunnelRequest(caller: ProjectCaller, path: TunnelRequestPath): Promise<TunnelRequestDetail> {
  const tunnel = await getTunnelRow(prisma(), path);
  const row = await findRequestRow(path);
  const showsSecrets = maySeeSecrets(caller);
  const chosen = showsSecrets ? [] : await headersOfSource(caller, row);
  const present = () => presentRequestDetail(row, showsSecrets, chosen);
  const shown = await inThreadTurnOfProject(caller, path.projectId, present);
  return { ...shown, signature: await checkRequest(caller, tunnel, row) };
}

/** Reads the row of a request to a tunnel that exists. @throws AppError not_found */
export async function findRequestRow({ projectId, tunnelId, requestId }: TunnelRequestPath): Promise<TunnelRequestLog> {
  const row = await prisma().tunnelRequestLog.findFirst({ where: { id: requestId, tunnelId, projectId } });
  if (row === null) throw notFound('request');
  return row;
}

async function checkRequest(
  caller: ProjectCaller,
  tunnel: TunnelRow,
  row: TunnelRequestLog,
): Promise<TunnelRequestDetail['signature']> {
  const headers = parseHeaders(row.requestHeaders) ?? [];
  const url = tunnelUrl(tunnel);
  if (url === null || !isSigned(headers)) return null;
  const isKept = row.requestBody !== null && !row.requestBodyTruncated && row.requestBody.length === row.requestSize;
  const body = isKept ? Buffer.from(row.requestBody ?? []) : null;
  const secrets = await listSigningSecrets(row.projectId, url, row.createdAt);
  if (!maySeeSecrets(caller) && secrets.some(isGuessableSecret)) {
    return {
      verified: null,
      detail: 'Somebody chose the endpoint’s secret: only those who may read it see whether the signature is valid.',
    };
  }
  const keys = secrets.map((secret) => keysOfEndpoint(secret).key);
  const check = () => checkSignature({ headers, body, receivedAt: row.createdAt }, keys);
  return inThreadTurnOfProject(caller, row.projectId, check);
}

const REASONS: Record<ReplayObstacle, string> = {
  body_truncated: 'Only part of the body of this request was kept, so it cannot be replayed. Send it again yourself.',
  body_not_kept: 'The body of this request was not kept, so it cannot be replayed. Send it again yourself.',
  headers_not_kept: 'The headers of this request were not kept, so it cannot be replayed. Send it again yourself.',
};

/**
 * Sends a logged request through its tunnel again, without credentials, which the log does not keep.
 * @returns the id of the new request, which has its own entry in the log
 * @throws AppError not_found; request_not_kept; tunnel_offline, tunnel_timeout or tunnel_busy
 */
export async function replayTunnelRequest(path: TunnelRequestPath): Promise<ReplayedTunnelRequest> {
  const tunnel = await getTunnelRow(prisma(), path);
  const row = await findRequestRow(path);
  const obstacle = findReplayObstacle(row);
  if (obstacle !== null) throw new AppError('request_not_kept', REASONS[obstacle]);
  return sendThroughTunnel({ ...repeatedRequest(row), testResponse: testResponseOf(tunnel) });
}

/**
 * Returns a copy of a logged request to send again: without credentials, which the log does not keep, and without headers of
 * the connection and its framing, which the relay sets for the new request.
 */
export function repeatedRequest(row: TunnelRequestLog) {
  const { id, tunnelId, projectId, method, path } = row;
  const headers = withoutHopByHopHeaders(parseHeaders(row.requestHeaders) ?? []);
  return {
    tunnelId,
    projectId,
    method,
    path,
    replayOf: id,
    headers: headers.filter(([name, value]) => value !== REDACTED && !isLeftOut(name)),
    body: Buffer.from(row.requestBody ?? []),
  };
}

function isLeftOut(name: string): boolean {
  return isCredentialHeader(name) || name.toLowerCase() === 'content-length';
}
