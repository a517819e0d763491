/** A client that wants to answer for a tunnel, and may. */
export interface TunnelClient {
  tunnelId: string;
  projectId: string;
  /** For people, such as the name of its program. */
  name: string;
  /** A secret of the client, by which it takes over its own connection after a break; null without one. */
  secret: string | null;
  /** Whether it replaces another client. */
  takeover: boolean;
  /** Checks again whether it may. @throws AppError when it may no longer */
  checkAccess(): Promise<void>;
}
