import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { maySeeSecrets } from '@/lib/orgs/may-see-secrets';
import { notFound } from '@/lib/platform/errors';
import { idBounds } from '@/lib/platform/ids';
import { type Listing, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { TunnelRequestLog, Tunnel as TunnelRow } from '@/lib/platform/prisma/generated/client';
import { getTunnelRow } from '@/lib/tunnel/records/queries';
import { tunnelUrl } from '@/lib/tunnel/records/tunnel-token';
import type { ListTunnelRequestsQuery, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { checkSignature, isSigned } from './check-signature';
import { listSigningKeys } from './list-signing-keys';
import { LISTED, parseHeaders, presentRequest, presentRequestDetail } from './present-request';

/** Lists the requests to a tunnel, newest first, without headers and bodies. @throws AppError not_found */
export async function listTunnelRequests(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  tunnelId: string,
  query: ListTunnelRequestsQuery,
): Promise<Listing<TunnelRequest>> {
  await getTunnelRow(prisma(), projectId, tunnelId);
  const { limit, cursor, method, status, from, to } = query;
  const [lowestId, highestId] = idBounds(query);
  const rows = await prisma().tunnelRequestLog.findMany({
    where: {
      projectId,
      tunnelId,
      ...(method === undefined ? {} : { method }),
      ...(status === undefined ? {} : { responseStatus: statusFilter(status) }),
      createdAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
      AND: [
        ...(cursor === undefined ? [] : [{ id: { lt: cursor } }]),
        ...(lowestId === null ? [] : [{ id: { gte: lowestId } }]),
        ...(highestId === null ? [] : [{ id: { lte: highestId } }]),
      ],
    },
    select: LISTED,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const showsSecrets = maySeeSecrets(caller);
  return toListing(rows, limit, (row) => presentRequest(row, showsSecrets));
}

/** Reads a request to a tunnel with its headers and bodies. @throws AppError not_found, also when the tunnel is deleted */
export async function getTunnelRequest(
  caller: PersonCaller | KeyCaller,
  { projectId, tunnelId, requestId }: { projectId: string; tunnelId: string; requestId: string },
): Promise<TunnelRequestDetail> {
  const tunnel = await getTunnelRow(prisma(), projectId, tunnelId);
  const row = await findRequestRow(projectId, tunnelId, requestId);
  return { ...presentRequestDetail(row, maySeeSecrets(caller)), signature: await checkRequest(tunnel, row) };
}

/** Reads the row of a request to a tunnel that exists. @throws AppError not_found */
export async function findRequestRow(
  projectId: string,
  tunnelId: string,
  requestId: string,
): Promise<TunnelRequestLog> {
  const row = await prisma().tunnelRequestLog.findFirst({ where: { id: requestId, tunnelId, projectId } });
  if (row === null) throw notFound('request');
  return row;
}

async function checkRequest(tunnel: TunnelRow, row: TunnelRequestLog): Promise<TunnelRequestDetail['signature']> {
  const [headers, url] = [parseHeaders(row.requestHeaders) ?? [], tunnelUrl(tunnel)];
  if (url === null || !isSigned(headers)) return null;
  const isKept = row.requestBody !== null && !row.requestBodyTruncated && row.requestBody.length === row.requestSize;
  const body = isKept ? Buffer.from(row.requestBody ?? []) : null;
  const keys = await listSigningKeys(row.projectId, url, row.createdAt);
  return checkSignature({ headers, body, receivedAt: row.createdAt }, keys);
}

function statusFilter(status: string): number | null | { gte: number; lt: number } {
  if (status === 'none') return null;
  if (!status.endsWith('xx')) return Number(status);
  const lowest = Number(status.charAt(0)) * 100;
  return { gte: lowest, lt: lowest + 100 };
}
