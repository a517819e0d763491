export interface SimulatedAttempt {
  id: string;
  atMs: number;
  number: number;
  succeeded: boolean;
}

export interface SimulatedDelivery {
  id: string;
  atMs: number;
  attempts: SimulatedAttempt[];
  attemptCount: number;
  /** Until then it is pending; null once it has ended. */
  pendingUntilMs: number | null;
}

/** An event or incoming event, with what leaves with it. */
export interface SimulatedSource {
  id: string;
  table: 'events' | 'incoming_events';
  atMs: number;
  deliveries: SimulatedDelivery[];
  /** Its row in the outbox: waiting until then, or given up. */
  queued: { id: string; untilMs: number } | null;
  dead: { id: string; atMs: number } | null;
}

/** A row that nothing else leaves with. */
export interface SimulatedRow {
  id: string;
  atMs: number;
}

/** What a deployment has stored: the model that the database is held against. */
export interface SimulatedStore {
  sources: SimulatedSource[];
  deadMails: SimulatedRow[];
  tunnelLog: SimulatedRow[];
}

export interface SimulatedProject {
  projectId: string;
  endpointId: string;
  sourceId: string;
  destinationId: string;
  tunnelId: string;
}
