/** A parameter, or a field of a body, as one row of the reference. */
export interface Field {
  name: string;
  /** In words: "integer", "UUID or null", "array of objects". */
  type: string;
  isRequired: boolean;
  /** Names in backticks are code. */
  description: string | null;
  /** What a value must satisfy, such as "1 to 100 characters". */
  rules: string[];
  /** The only values it can have; empty when there are others. */
  values: string[];
  default: string | null;
  /** The fields of an object, or of the objects in an array; several when there are kinds of objects. */
  kinds: FieldKind[];
}

export interface FieldKind {
  /** What tells the kind from others, such as `type: "BEARER"`; null for the only one. */
  label: string | null;
  fields: Field[];
}
