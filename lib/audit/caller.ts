import type { ClientInfo } from '@/lib/platform/client-info';
import type { Role } from './types';

/** A signed-in person with their current role in the organization of the request. */
export interface PersonCaller {
  type: 'person';
  userId: string;
  sessionId: string;
  /** The organization of the path (directly or through its project), else the session's own; null when it has none. */
  organizationId: string | null;
  role: Role | null;
  /** When the access token of the request expires, in seconds since 1970. */
  tokenExpiresAt: number;
  client: ClientInfo;
}

/** A server with a project API key. */
export interface KeyCaller {
  type: 'key';
  keyId: string;
  projectId: string;
  organizationId: string;
  scope: 'READ_WRITE' | 'READ_ONLY';
  client: ClientInfo;
}

/** Somebody at a customer, with the token of a portal session. */
export interface PortalCaller {
  type: 'portal';
  sessionId: string;
  customerId: string;
  projectId: string;
  organizationId: string;
  permissions: 'READ' | 'MANAGE';
  client: ClientInfo;
}

/** The operator of the deployment. */
export interface OperatorCaller {
  type: 'operator';
  client: ClientInfo;
}

/** The caller of a path that needs no credential. */
export interface AnonymousCaller {
  type: 'anonymous';
  client: ClientInfo;
}

/** Who may work in a project. */
export type MemberCaller = PersonCaller | KeyCaller;
/** The same, or who may work in a project with what belongs to one customer. */
export type ProjectCaller = MemberCaller | PortalCaller;
export type Caller = ProjectCaller | OperatorCaller | AnonymousCaller;
