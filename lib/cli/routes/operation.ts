import type { Verb } from '@/lib/client/path';

/** What a value of a field is: how an option reads it, and how a column shows it. */
export type FieldKind =
  | 'id'
  | 'text'
  | 'number'
  | 'flag'
  | 'time'
  | 'choice'
  /** A list of texts or ids, of whole numbers. */
  | 'texts'
  | 'numbers'
  /** An object, or what has no other kind. */
  | 'json';

/** A field of a body or of a query. */
export interface Field {
  kind: FieldKind;
  /** The words of its schema, with the default at their end. */
  description: string;
  isRequired?: true;
  isNullable?: true;
  /** A flag that is true unless the request says otherwise. */
  isOn?: true;
  choices?: readonly string[];
  min?: number;
  max?: number;
  /** For the help, of a field that an example needs. */
  example?: string;
}

/** The fields of an answer: each with its kind, its own fields, or, in a list of one, those of its items. */
export interface Answer {
  readonly [name: string]: Shown | readonly [Shown];
}
type Shown = FieldKind | Answer;

/** A route as commands are made from it. */
export interface Operation {
  verb: Verb;
  /** Such as `/api/v1/orgs/{orgId}/members/{userId}`. */
  path: string;
  caller: 'person' | 'key' | 'person-or-key' | 'operator' | 'anyone';
  summary: string;
  /** The fields of its body, or of the query of a GET or DELETE. */
  input?: Readonly<Record<string, Field>>;
  /** It answers pages of these. */
  rows?: Answer;
  /** It answers one of these; without it and `rows`, nothing. */
  record?: Answer;
  /** It answers bytes. */
  isFile?: true;
}
