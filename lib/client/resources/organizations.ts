import type { AuditLogEntry, OrganizationAuditQuery } from '@/lib/audit/schema';
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions, ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { ApiKey, CreatedApiKey, CreateKeyBody, OwnKey, RotateKeyBody } from '@/lib/keys/schema';
import type {
  CreatedInvitation,
  CreateInvitationBody,
  CreateOrganizationBody,
  CreateProjectBody,
  Invitation,
  InvitationLink,
  ListedProject,
  Member,
  Organization,
  Project,
  UpdateMemberBody,
  UpdateOrganizationBody,
  UpdateProjectBody,
} from '@/lib/orgs/schema';
import type { PageQuery } from '@/lib/platform/pagination';
import type { OrganizationRetention } from '@/lib/retention/schema';
import type { SearchQuery, SearchResults } from '@/lib/search/schema';
import type { OrganizationLimits, ProjectLimits } from '@/lib/usage/schema';

/** The methods of `client.organizations`. */
export function organizations(api: Api) {
  const all = '/api/v1/orgs';
  const one = `${all}/{orgId}` as const;
  return {
    /** Lists the organizations of the person. */
    list: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Organization> =>
      api.list(all, { query }, options),
    /** Creates an organization. */
    create: (body: Body<typeof CreateOrganizationBody>, options?: CallOptions): Promise<Organization> =>
      api.call('POST', all, { body }, options),
    /** Gets an organization. */
    get: (orgId: string, options?: CallOptions): Promise<Organization> =>
      api.call('GET', one, { ids: { orgId } }, options),
    /** Gets the limits of an organization and how much of each is used. */
    getLimits: (orgId: string, options?: CallOptions): Promise<OrganizationLimits> =>
      api.call('GET', `${one}/limits`, { ids: { orgId } }, options),
    /** Changes an organization. */
    update: (orgId: string, body: Body<typeof UpdateOrganizationBody>, options?: CallOptions): Promise<Organization> =>
      api.call('PATCH', one, { ids: { orgId }, body }, options),
    /** Erases an organization with all its data. */
    erase: (orgId: string, options?: CallOptions): Promise<void> => api.run('DELETE', one, { ids: { orgId } }, options),
  };
}

/** The methods of `client.members`. */
export function members(api: Api) {
  const one = '/api/v1/orgs/{orgId}/members/{userId}';
  return {
    /** Lists the members of an organization. */
    list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Member> =>
      api.list('/api/v1/orgs/{orgId}/members', { ids: { orgId }, query }, options),
    /** Changes the role of a member. */
    update: (
      orgId: string,
      userId: string,
      body: Body<typeof UpdateMemberBody>,
      options?: CallOptions,
    ): Promise<Member> => api.call('PATCH', one, { ids: { orgId, userId }, body }, options),
    /** Removes a member from an organization. */
    remove: (orgId: string, userId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { orgId, userId } }, options),
  };
}

/** The methods of `client.invitations`. */
export function invitations(api: Api) {
  const all = '/api/v1/orgs/{orgId}/invitations';
  return {
    /** Lists the open invitations of an organization. */
    list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Invitation> =>
      api.list(all, { ids: { orgId }, query }, options),
    /** Invites an address to an organization. */
    create: (
      orgId: string,
      body: Body<typeof CreateInvitationBody>,
      options?: CallOptions,
    ): Promise<CreatedInvitation> => api.call('POST', all, { ids: { orgId }, body }, options),
    /** Makes a link to an invitation, to hand over yourself. It replaces the link made before. */
    createLink: (orgId: string, invitationId: string, options?: CallOptions): Promise<InvitationLink> =>
      api.call('POST', `${all}/{invitationId}/link`, { ids: { orgId, invitationId } }, options),
    /** Revokes an invitation. */
    revoke: (orgId: string, invitationId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', `${all}/{invitationId}`, { ids: { orgId, invitationId } }, options),
  };
}

/** The methods of `client.projects`. */
export function projects(api: Api) {
  const all = '/api/v1/orgs/{orgId}/projects';
  const one = '/api/v1/projects/{projectId}';
  return {
    /** Lists the projects of an organization. */
    list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<ListedProject> =>
      api.list(all, { ids: { orgId }, query }, options),
    /** Creates a project. */
    create: (orgId: string, body: Body<typeof CreateProjectBody>, options?: CallOptions): Promise<Project> =>
      api.call('POST', all, { ids: { orgId }, body }, options),
    /** Gets a project. */
    get: (projectId: string, options?: CallOptions): Promise<Project> =>
      api.call('GET', one, { ids: { projectId } }, options),
    /** Gets the limits of a project and how much of each is used. */
    getLimits: (projectId: string, options?: CallOptions): Promise<ProjectLimits> =>
      api.call('GET', `${one}/limits`, { ids: { projectId } }, options),
    /** Changes a project. */
    update: (projectId: string, body: Body<typeof UpdateProjectBody>, options?: CallOptions): Promise<Project> =>
      api.call('PATCH', one, { ids: { projectId }, body }, options),
    /** Deletes a project with all its data. */
    remove: (projectId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { projectId } }, options),
  };
}

/** The methods of `client.apiKeys`. */
export function apiKeys(api: Api) {
  const all = '/api/v1/projects/{projectId}/api-keys';
  const one = `${all}/{apiKeyId}` as const;
  return {
    /** Gets the API key of the client, with its project. */
    getOwn: (options?: CallOptions): Promise<OwnKey> => api.call('GET', '/api/v1/key', {}, options),
    /** Lists the API keys of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<ApiKey> =>
      api.list(all, { query }, options),
    /** Creates an API key. Only this response contains the key. */
    create: (body: Body<typeof CreateKeyBody>, options?: ProjectOptions): Promise<CreatedApiKey> =>
      api.call('POST', all, { body, needs: ['id', 'key'] }, options),
    /** Gets an API key, without the key itself. */
    get: (apiKeyId: string, options?: ProjectOptions): Promise<ApiKey> =>
      api.call('GET', one, { ids: { apiKeyId } }, options),
    /** Revokes an API key; it stops working at once. */
    revoke: (apiKeyId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { apiKeyId } }, options),
    /** Replaces an API key; the old one works for a grace period. Only this response contains the new key. */
    rotate: (apiKeyId: string, body?: Body<typeof RotateKeyBody>, options?: ProjectOptions): Promise<CreatedApiKey> =>
      api.call('POST', `${one}/rotate`, { ids: { apiKeyId }, body, needs: ['id', 'key'] }, options),
  };
}

/** The methods of `client.auditLog`. */
export function auditLog(api: Api) {
  return {
    /** Lists the audit log of an organization, newest first. */
    list: (
      orgId: string,
      query?: Query<typeof OrganizationAuditQuery>,
      options?: CallOptions,
    ): ListRequest<AuditLogEntry> => api.list('/api/v1/orgs/{orgId}/audit-log', { ids: { orgId }, query }, options),
  };
}

/** The methods of `client.organizationExport`. */
export function organizationExport(api: Api) {
  return {
    /** Exports an organization as one JSON document, as a stream. */
    download: (orgId: string, options?: CallOptions): Promise<Response> =>
      api.download('/api/v1/orgs/{orgId}/export', { ids: { orgId } }, options),
  };
}

/** The methods of `client.retention`. */
export function retention(api: Api) {
  return {
    /** Gets how long the data of an organization is kept, and how much there is. */
    get: (orgId: string, options?: CallOptions): Promise<OrganizationRetention> =>
      api.call('GET', '/api/v1/orgs/{orgId}/retention', { ids: { orgId } }, options),
  };
}

/** The methods of `client.search`. */
export function search(api: Api) {
  return {
    /** Finds what an organization has with an id, or with a text in its name, URL or address. */
    find: (orgId: string, query: Query<typeof SearchQuery>, options?: CallOptions): Promise<SearchResults> =>
      api.call('GET', '/api/v1/orgs/{orgId}/search', { ids: { orgId }, query }, options),
  };
}
