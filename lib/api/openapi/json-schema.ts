/** A schema of JSON Schema 2020-12, or another part of the document. */
export type JsonSchema = Record<string, unknown>;
