/**
 * What a field means, by its name. `Schema.field` describes the field of one schema and wins over the name alone; in place
 * of a schema, `path`, `query` and `header` describe parameters, and an operation its own ones. A field that says more
 * where it is declared, with `meta({ description })`, keeps those words.
 */
export type FieldDescriptions = Record<string, string>;
