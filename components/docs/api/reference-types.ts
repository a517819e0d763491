import type { SampleRequest } from './samples/sample-request';
import type { Field } from './schema/field';

/** The API as its pages show it. */
export interface Reference {
  version: string;
  groups: { title: string; pages: ReferencePage[] }[];
}

/** The operations of one tag. */
export interface ReferencePage {
  /** The last part of its path, such as `api-keys`. */
  slug: string;
  title: string;
  description: string;
  operations: Operation[];
}

/** Who may call an operation. */
export type Caller =
  | { kind: 'key'; scope: string | null }
  | { kind: 'person'; role: string | null }
  | { kind: 'operator' };

export interface Operation {
  /** Such as `apiKeys.create`. */
  id: string;
  /** The id of its element on the page, such as `create`. */
  anchor: string;
  /** A short name for the navigation, such as "Create". */
  name: string;
  method: string;
  path: string;
  title: string;
  description: string | null;
  /** Empty: anyone, without a credential. */
  callers: Caller[];
  pathFields: Field[];
  queryFields: Field[];
  headerFields: Field[];
  body: Body | null;
  responses: SuccessResponse[];
  problems: ProblemGroup[];
  request: SampleRequest;
}

/** The body of a request. */
export interface Body {
  isRequired: boolean;
  contentType: string;
  description: string | null;
  fields: Field[];
}

export interface SuccessResponse {
  status: number;
  meaning: string;
  contentType: string | null;
  fields: Field[];
  example: unknown;
}

/** The problems of one status. */
export interface ProblemGroup {
  status: number;
  problems: { code: string; meaning: string }[];
}
