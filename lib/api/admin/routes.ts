import * as z from 'zod';
import { getOrganizationDetail } from '@/lib/admin/get-organization';
import { getRetention as getRetentionState } from '@/lib/admin/get-retention';
import { getStats as getDeploymentStats } from '@/lib/admin/get-stats';
import { listAllOrganizations } from '@/lib/admin/list-organizations';
import { runRetentionJob } from '@/lib/admin/run-retention';
import {
  ListAllAuditQuery,
  ListAllOrganizationsQuery,
  OrganizationDetail,
  OrganizationOverview,
  RetentionState,
  RunRetentionBody,
  SearchUsersQuery,
  Stats,
  UserRecord,
} from '@/lib/admin/schema';
import { searchUsers as searchAllUsers } from '@/lib/admin/search-users';
import { closeUserSessions as closeSessionsOfUser, unlockUser as unlockAnyUser } from '@/lib/admin/unlock-user';
import { viewAuditLog } from '@/lib/admin/view-audit-log';
import { operator } from '@/lib/api/callers';
import { AuditLogEntry } from '@/lib/audit/schema';
import { noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import type { PathEntry } from '@/lib/http/table';
import { eraseOrganization as eraseAnyOrganization } from '@/lib/lifecycle/erase-organization';
import { systemClock } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { listingOf } from '@/lib/platform/pagination';

export const listOrganizations = route({
  summary: 'List all organizations of the deployment.',
  caller: operator(),
  query: ListAllOrganizationsQuery,
  response: { status: 200, schema: listingOf(OrganizationOverview) },
  handler: async ({ caller, query }) => ok(await listAllOrganizations(caller, query)),
});

export const getOrganization = route({
  summary: 'Get any organization with its members, projects and stored data.',
  caller: operator(),
  params: ['orgId'],
  response: { status: 200, schema: OrganizationDetail },
  handler: async ({ caller, params }) => ok(await getOrganizationDetail(caller, params.orgId)),
});

export const eraseOrganization = route({
  summary: 'Erase any organization with all its data; the audit log is kept.',
  caller: operator(),
  params: ['orgId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await eraseAnyOrganization(caller, params.orgId);
    return noContent();
  },
});

export const searchUsers = route({
  summary: 'Find people by email address, or the start of one.',
  caller: operator(),
  query: SearchUsersQuery,
  response: { status: 200, schema: listingOf(UserRecord) },
  handler: async ({ caller, query }) => ok(await searchAllUsers(caller, query)),
});

export const unlockUser = route({
  summary: 'End a person’s lockout and clear their failed sign-ins.',
  caller: operator(),
  params: ['userId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await unlockAnyUser(caller, params.userId);
    return noContent();
  },
});

export const closeUserSessions = route({
  summary: 'Close all of a person’s sessions and notify them by email.',
  caller: operator(),
  params: ['userId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await closeSessionsOfUser(caller, params.userId);
    return noContent();
  },
});

export const listAuditLog = route({
  summary: 'List the audit log of all organizations, including deleted ones.',
  caller: operator(),
  query: ListAllAuditQuery,
  response: { status: 200, schema: listingOf(AuditLogEntry) },
  handler: async ({ caller, query }) => ok(await viewAuditLog(caller, query)),
});

export const getStats = route({
  summary: 'Get deployment statistics.',
  caller: operator(),
  response: { status: 200, schema: Stats },
  handler: async ({ caller }) => ok(await getDeploymentStats(caller, systemClock)),
});

export const getRetention = route({
  summary: 'Get the retention rules, tables, partitions and schedules, and the last run of each job.',
  caller: operator(),
  response: { status: 200, schema: RetentionState },
  handler: async ({ caller }) => ok(await getRetentionState(caller, systemClock)),
});

export const runRetention = route({
  summary: 'Run a retention job now, and wait for up to 25 seconds.',
  caller: operator(),
  body: RunRetentionBody,
  errors: ['conflict'],
  response: { status: 204 },
  handler: async ({ caller, body }) => {
    await runRetentionJob(caller, body.job);
    return noContent();
  },
});

const unknownOperatorPath = route({
  summary: 'Tell the operator that a path does not exist.',
  caller: operator(),
  query: z.looseObject({}),
  response: { status: 404 },
  servedBy: 'node',
  handler: async () => {
    throw new AppError('not_found', 'There is nothing at this path.');
  },
});

/** Unknown paths below /api/v1/admin: without the operator token they answer like existing ones. */
export const unknownPaths: PathEntry = {
  GET: unknownOperatorPath,
  POST: unknownOperatorPath,
  PUT: unknownOperatorPath,
  PATCH: unknownOperatorPath,
  DELETE: unknownOperatorPath,
};
