import type { RetentionJob, UserRecord } from '@/lib/admin/schema';
import { text, yes } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { AUDIT_COLUMNS, auditFilters } from './audit';
import { listCommand } from './resource';

const showStats = command({
  name: 'stats',
  summary: 'Show statistics of the deployment.',
  examples: [{ line: 'admin stats --json', does: 'Get all statistics as JSON.' }],
  run: async ({ operator, signal, out }) => {
    out.record(await operator.admin.getStats({ signal }), [
      { header: 'ORGANIZATIONS', value: ({ organizations }) => organizations.living },
      { header: 'PEOPLE', value: ({ users }) => users },
      { header: 'PROJECTS', value: ({ projects }) => projects },
      {
        header: 'ENDPOINTS',
        value: ({ endpoints }) =>
          `${endpoints.enabled} enabled, ${endpoints.paused} paused, ${endpoints.disabled} disabled`,
      },
      { header: 'EVENTS IN 24 H', value: ({ last24Hours }) => last24Hours.events },
      { header: 'INCOMING IN 24 H', value: ({ last24Hours }) => last24Hours.incomingEvents },
      { header: 'DELIVERIES DUE', value: ({ deliveries }) => deliveries.due },
      { header: 'DELIVERIES QUEUED', value: ({ deliveries }) => deliveries.queued },
      { header: 'DELIVERIES RETRYING', value: ({ deliveries }) => deliveries.retrying },
      { header: 'OLDEST DUE', value: ({ deliveries }) => deliveries.oldestDueAt, kind: 'time' },
      { header: 'OUTBOX', value: ({ outbox }) => `${outbox.pending} waiting, ${outbox.dead} dead` },
      { header: 'WORKERS ALIVE', value: ({ workers }) => workers.filter(({ alive }) => alive).length },
      { header: 'DATABASE', value: ({ database }) => database.sizeBytes, kind: 'size' },
    ]);
  },
});

const listOrganizations = listCommand({
  summary: 'List all organizations, newest first.',
  within: 'nothing',
  options: { name: text('--name <text>', 'only organizations whose name contains this') },
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'MEMBERS', value: ({ memberCount }) => memberCount },
    { header: 'PROJECTS', value: ({ projectCount }) => projectCount },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
    { header: 'DELETED', value: ({ deletedAt }) => deletedAt, kind: 'time', spare: 1 },
  ],
  empty: 'No organizations match.',
  examples: [{ line: 'admin orgs list --name acme', does: 'Find an organization.' }],
  rows: ({ operator }, { options: { name }, page, call }) => operator.admin.listOrganizations({ ...page, name }, call),
});

const getOrganization = command({
  name: 'get',
  summary: 'Show an organization with its members, projects and stored data.',
  args: { organizationId: { description: 'ID of the organization' } },
  examples: [{ line: 'admin orgs get $ORG_ID', does: 'Show how much an organization stores.' }],
  run: async (context, { args }) => {
    const found = await context.operator.admin.getOrganization(args.organizationId, { signal: context.signal });
    context.out.record(found, [
      { header: 'ID', value: ({ id }) => id, kind: 'id' },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
      { header: 'MEMBERS', value: ({ members }) => members.map(({ email, role }) => `${email} (${role})`).join(', ') },
      { header: 'PROJECTS', value: ({ projects }) => projects.map(({ name }) => name).join(', ') },
      { header: 'ENDPOINTS', value: ({ counts }) => counts.endpoints },
      { header: 'STORED', value: ({ storage }) => storage.map(({ kind, rows }) => `${rows} ${kind}`).join(', ') },
    ]);
  },
});

const deleteOrganization = command({
  name: 'delete',
  summary: 'Delete an organization with all its data.',
  args: { organizationId: { description: 'ID of the organization' } },
  options: { yes },
  examples: [{ line: 'admin orgs delete $ORG_ID --yes', does: 'Delete it without confirmation.' }],
  run: async (context, { args, options }) => {
    const { operator, signal, out } = context;
    const { name } = await operator.admin.getOrganization(args.organizationId, { signal });
    await context.confirm(`Delete the organization ${name} with all its data? This can’t be undone.`, options.yes);
    await operator.admin.eraseOrganization(args.organizationId, { signal });
    out.done({ id: args.organizationId, deleted: true }, `Deleted the organization ${name}.`);
  },
});

const adminOrganizations: GroupSpec = {
  name: 'orgs',
  summary: 'See and delete organizations.',
  commands: [listOrganizations, getOrganization, deleteOrganization],
};

const searchUsers = listCommand({
  name: 'search',
  summary: 'Find people by their email address.',
  within: 'nothing',
  options: { email: text('--email <text>', 'an email address, or the start of one') },
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'NAME', value: ({ name }) => name, spare: 2 },
    { header: 'ORGANIZATIONS', value: (user: UserRecord) => user.organizations.map(({ name }) => name).join(', ') },
    { header: 'SESSIONS', value: ({ openSessions }) => openSessions },
    { header: 'LOCKED UNTIL', value: ({ lockout }) => lockout?.lockedUntil, kind: 'time', spare: 1 },
  ],
  empty: 'No users match.',
  examples: [{ line: 'admin users search --email ana@', does: 'Find a person who needs help.' }],
  rows: ({ operator }, { options, page, call }) => operator.admin.searchUsers({ ...page, email: options.email }, call),
});

const unlockUser = command({
  name: 'unlock',
  summary: 'End the lockout of a person after failed sign-ins.',
  args: { userId: { description: 'ID of the person' } },
  examples: [{ line: 'admin users unlock $USER_ID', does: 'Let a person sign in again.' }],
  run: async ({ operator, signal, out }, { args }) => {
    await operator.admin.unlockUser(args.userId, { signal });
    out.done({ id: args.userId, unlocked: true }, 'The person can sign in again.');
  },
});

const closeSessions = command({
  name: 'close-sessions',
  summary: 'Sign a person out everywhere.',
  args: { userId: { description: 'ID of the person' } },
  options: { yes },
  examples: [{ line: 'admin users close-sessions $USER_ID --yes', does: 'Close all sessions of a person.' }],
  run: async (context, { args, options }) => {
    await context.confirm('Sign this person out everywhere?', options.yes);
    await context.operator.admin.closeUserSessions(args.userId, { signal: context.signal });
    context.out.done({ id: args.userId, closed: true }, 'Signed the person out everywhere.');
  },
});

const adminUsers: GroupSpec = {
  name: 'users',
  summary: 'Help people who can’t sign in.',
  commands: [searchUsers, unlockUser, closeSessions],
};

const listAllAudit = listCommand({
  name: 'audit',
  summary: 'List the audit log of all organizations, newest first.',
  within: 'nothing',
  options: { ...auditFilters, organization: text('--organization <id>', 'only entries of this organization') },
  columns: AUDIT_COLUMNS,
  empty: 'No entries match.',
  examples: [{ line: 'admin audit --from 1d', does: 'List changes from the last day.' }],
  rows: ({ operator }, { options: { action, actor, from, to, organization }, page, call }) =>
    operator.admin.listAuditLog({ ...page, action, actorId: actor, from, to, organizationId: organization }, call),
});

const JOBS = ['main', 'cap', 'burst', 'metrics', 'partitions'] as const satisfies readonly RetentionJob[];

const showRetention = command({
  name: 'show',
  summary: 'Show when each retention job runs next.',
  examples: [{ line: 'admin retention show', does: 'Check that old data is deleted.' }],
  run: async ({ operator, signal, out }) => {
    const state = await operator.admin.getRetention({ signal });
    if (out.isJson) return out.record(state, []);
    await out.list(
      state.schedules,
      [
        { header: 'JOB', value: ({ job }) => job },
        {
          header: 'SCHEDULE',
          value: ({ cron, everyMs }) => cron ?? (everyMs === null ? 'on demand' : `every ${everyMs / 1000} s`),
        },
        { header: 'NEXT RUN', value: ({ nextRunAt }) => nextRunAt, kind: 'time' },
      ],
      { limit: undefined, empty: 'No jobs are configured.' },
    );
    for (const { table, warning } of state.classes) {
      if (warning !== null) out.note(`${table} is ${warning}.`);
    }
  },
});

const runRetention = command({
  name: 'run',
  summary: 'Run a retention job now. A long one continues on the server.',
  args: { job: { description: 'job to run', choices: JOBS } },
  examples: [{ line: 'admin retention run main', does: 'Delete old data now.' }],
  run: async ({ operator, signal, out }, { args }) => {
    await operator.admin.runRetention({ job: args.job as RetentionJob }, { signal });
    out.done(
      { job: args.job, started: true },
      `The job ${args.job} has run, or is still running on the server. See: eds admin retention show`,
    );
  },
});

const adminRetention: GroupSpec = {
  name: 'retention',
  summary: 'View and run the jobs that delete old data.',
  commands: [showRetention, runRetention],
};

export const admin: GroupSpec = {
  name: 'admin',
  summary: 'Operate the deployment. Requires `EDS_ADMIN_TOKEN`.',
  commands: [showStats, adminOrganizations, adminUsers, listAllAudit, adminRetention],
};
