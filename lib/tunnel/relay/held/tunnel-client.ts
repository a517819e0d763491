import type { WhileAllowed } from '@/lib/platform/open-connections';

/** A client that asks to serve a tunnel and has access to it. */
export interface TunnelClient {
  tunnelId: string;
  projectId: string;
  /** Shown to people, such as the name of its program. */
  name: string;
  /** The client's secret, with which it replaces its own connection after a disconnect; null without one. */
  secret: string | null;
  /** Whether it replaces another client. */
  takeover: boolean;
  /** Its connection ends when it loses access. */
  whileAllowed: WhileAllowed;
}
