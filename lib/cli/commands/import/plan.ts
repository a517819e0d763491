import type { CreateEndpointBody } from '@/lib/delivery/schema';
import { cut } from './values';

/** What a person must know about something that is taken over. */
export interface Note {
  text: string;
  /** A part of it could not be taken over. */
  isLoss: boolean;
}

/** A server may have a million reasons. */
const MAX_NOTES = 20;
const MAX_NOTE_CHARS = 500;

/** The notes of one customer or endpoint. */
export class Notes {
  readonly all: Note[] = [];

  /** Says what is different here. */
  warn(text: string): void {
    this.#add(text, false);
  }

  /** Says what could not be taken over. */
  lose(text: string): void {
    this.#add(text, true);
  }

  #add(text: string, isLoss: boolean): void {
    if (this.all.length < MAX_NOTES) this.all.push({ text: cut(text, MAX_NOTE_CHARS), isLoss });
    else if (this.all.length === MAX_NOTES) this.all.push({ text: 'and more of this', isLoss: true });
  }
}

export interface PlannedCustomer {
  /** What the other service calls it. */
  from: string;
  /** Null when it cannot be taken over. */
  uid: string | null;
  name: string | null;
  metadata: Record<string, string>;
  notes: Notes;
}

/** The fields of an endpoint that is taken over. */
export type EndpointFields = Required<
  Pick<CreateEndpointBody, 'url' | 'headers' | 'metadata' | 'signature' | 'eventTypes'>
> & {
  description: string | null;
  secret: string;
  filter: Record<string, unknown> | null;
  rateLimit: { requests: number; seconds: number } | null;
};

export interface PlannedEndpoint {
  from: string;
  uid: string;
  /** It receives nothing there. */
  isDisabled: boolean;
  /** Headers that the other service does not show. */
  hiddenHeaders: string[];
  /** Null when it cannot be taken over. */
  fields: EndpointFields | null;
  notes: Notes;
}

/** A customer with its endpoints, or those of the project itself. */
export interface Group {
  customer: PlannedCustomer | null;
  endpoints(): AsyncIterable<PlannedEndpoint>;
}

/** An event type that is taken over. */
export interface PlannedType {
  from: string;
  /** Null when it cannot be taken over. */
  fields: {
    name: string;
    description: string | null;
    group: string | null;
    status: 'ACTIVE' | 'DEPRECATED';
    schema: Record<string, unknown> | null;
  } | null;
  notes: Notes;
}

/** Another service, as it is taken over. */
export interface ForeignService {
  name: string;
  groups(): AsyncIterable<Group>;
  eventTypes(): AsyncIterable<PlannedType>;
}
