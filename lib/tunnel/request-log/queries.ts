import { notFound } from '@/lib/platform/errors';
import { idBounds } from '@/lib/platform/ids';
import { type Listing, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { getTunnelRow } from '@/lib/tunnel/records/queries';
import type { ListTunnelRequestsQuery, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { LISTED, presentRequest, presentRequestDetail } from './present-request';

/** Lists the requests to a tunnel, newest first, without headers and bodies. @throws AppError not_found */
export async function listTunnelRequests(
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
  return toListing(rows, limit, presentRequest);
}

/** Reads a request to a tunnel with its headers and bodies. @throws AppError not_found, also when the tunnel is deleted */
export async function getTunnelRequest(
  projectId: string,
  tunnelId: string,
  requestId: string,
): Promise<TunnelRequestDetail> {
  return presentRequestDetail(await getRequestRow(projectId, tunnelId, requestId));
}

/** Reads the row of a request. @throws AppError not_found, also when the tunnel is deleted */
export async function getRequestRow(projectId: string, tunnelId: string, requestId: string): Promise<TunnelRequestLog> {
  await getTunnelRow(prisma(), projectId, tunnelId);
  const row = await prisma().tunnelRequestLog.findFirst({ where: { id: requestId, tunnelId, projectId } });
  if (row === null) throw notFound('request');
  return row;
}

function statusFilter(status: string): number | null | { gte: number; lt: number } {
  if (status === 'none') return null;
  if (!status.endsWith('xx')) return Number(status);
  const lowest = Number(status.charAt(0)) * 100;
  return { gte: lowest, lt: lowest + 100 };
}
