/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  info: { version: string };
  tags: { name: string; 'x-displayName': string; description: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  /** Path → verb in lower case → operation. */
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface DocumentOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** Credentials of which a caller presents one, each with the roles or scopes it needs. */
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { description?: string; required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required: boolean;
  schema: Schema;
  example?: unknown;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

/** A schema of JSON Schema 2020-12, with the keywords that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** The named schemas of a document. */
export type Schemas = Readonly<Record<string, Schema>>;
