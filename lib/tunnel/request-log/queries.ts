import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { maySeeSecrets } from '@/lib/orgs/may-see-secrets';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, pageToListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { TunnelRequestLog, Tunnel as TunnelRow } from '@/lib/platform/prisma/generated/client';
import { scanPage } from '@/lib/platform/sql/bounded-scan';
import { getTunnelRow } from '@/lib/tunnel/records/queries';
import { tunnelUrl } from '@/lib/tunnel/records/tunnel-columns';
import type { ListTunnelRequestsQuery, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { checkSignature, isSigned, listSigningKeys } from './check-signature';
import { parseHeaders, presentRequest, presentRequestDetail } from './present-request';
import { REQUEST_ROWS, requestScan } from './request-log-sql';

/** Lists the requests to a tunnel, newest first, without headers and bodies. @throws AppError not_found */
export async function listTunnelRequests(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  tunnelId: string,
  query: ListTunnelRequestsQuery,
): Promise<Listing<TunnelRequest>> {
  await getTunnelRow(prisma(), projectId, tunnelId);
  const page = await scanPage(database(), requestScan(projectId, tunnelId, query), query, REQUEST_ROWS);
  const showsSecrets = maySeeSecrets(caller);
  return pageToListing(page, (row) => presentRequest(row, showsSecrets));
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
  const headers = parseHeaders(row.requestHeaders) ?? [];
  const url = tunnelUrl(tunnel);
  if (url === null || !isSigned(headers)) return null;
  const isKept = row.requestBody !== null && !row.requestBodyTruncated && row.requestBody.length === row.requestSize;
  const body = isKept ? Buffer.from(row.requestBody ?? []) : null;
  const keys = await listSigningKeys(row.projectId, url, row.createdAt);
  return checkSignature({ headers, body, receivedAt: row.createdAt }, keys);
}
