import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readJsonArgument, readSecret } from '@/lib/cli/input/read-input';
import {
  choice,
  duration,
  enabledOf,
  enabling,
  flag,
  hidden,
  integer,
  integers,
  pausing,
  text,
  texts,
  time,
  wholeHours,
} from '@/lib/cli/options';
import { findByName } from '@/lib/cli/session/choose';
import type { OptionSpec, Options } from '@/lib/cli/spec';
import type { Verb } from '@/lib/client/path';
import { CUSTOMER, dashed, flagOf, NAMED, nounOf, SECRET, WORDS } from './names';
import type { Field } from './operation';

type Given = Record<string, unknown>;

/** The options of a field, and what they make of it. */
export interface FieldOptions {
  options: Options;
  /** Returns the value of the field; undefined when it is not given, null when it is cleared. */
  read(given: Given, context: Context): unknown;
}

/**
 * Makes the options of a field. `enabled` is --disabled where something is created, and --enable and --disable where it is changed; what
 * can be paused has other words. What a change may leave empty has a second option: --no-description removes the description.
 */
export function optionsOf(name: string, field: Field, verb: Verb, canPause = false): FieldOptions {
  const isChange = verb === 'PATCH';
  if (name === 'enabled' && isChange) {
    return { options: canPause ? pausing : enabling, read: (given) => enabledOf(given as never) };
  }
  if (name === 'enabled' && field.isOn) {
    const disabled = flag('--disabled', 'start disabled');
    const options: Options = canPause
      ? { paused: flag('--paused', 'start paused'), disabled: hidden(disabled) }
      : { disabled };
    return { options, read: (given) => (given.disabled || given.paused ? false : undefined) };
  }
  const canClear = isChange && (field.isNullable || field.kind === 'texts' || field.kind === 'numbers');
  const [option, read] = optionAndReader(name, field, verb);
  if (!canClear) return { options: { [name]: option }, read: (given, context) => read(given[name], context) };
  const clear = flag(`--no-${flagOf(name)}`, `remove the ${dashed(name).replaceAll('-', ' ')}`);
  return {
    options: { [name]: option, [`${name}Cleared`]: clear },
    read: (given, context) => {
      // Both options have one name for commander, and so one value.
      if (given[name] === false || given[name] === '') return field.isNullable ? null : [];
      return read(given[name], context);
    },
  };
}

type Read = (value: unknown, context: Context) => unknown;

const asGiven: Read = (value) => value;

function optionAndReader(name: string, field: Field, verb: Verb): [OptionSpec<unknown>, Read] {
  const { kind, choices = [], min = 0, max = Number.MAX_SAFE_INTEGER } = field;
  const words = `${wordsOf(field.description)}${field.isRequired ? ' (required)' : ''}`;
  const long = `--${flagOf(name)}`;
  const last = dashed(name).split('-').at(-1) ?? name;
  if (SECRET.test(name)) return [flag(long, `${words}, ${FROM_WHERE}`), secretOf(nounOf(name))];
  switch (kind) {
    case 'id':
      if (name in NAMED) return [text(`${long} <id|name>`, words), idOf(name as keyof typeof NAMED)];
      return [text(`${long} <id>`, words), (value) => value || undefined];
    case 'time':
      return [time(`${long} <time>`, words), asGiven];
    case 'choice':
      return [choice(`${long} <${last}>`, words, choices), asGiven];
    case 'texts':
      return [
        texts(`${long} <${last.replace(/s$/, '')}>`, `${words} (repeatable)`),
        (value) => (isEmpty(value) ? undefined : value),
      ];
    case 'numbers':
      return [integers(`${long} <list>`, words), asGiven];
    case 'number':
      if (last === 'hours')
        return [duration(`${long} <duration>`, hoursOf(words)), (value) => wholeHours(long, value as number)];
      return [integer(`${long} <number>`, words, min, max), asGiven];
    case 'flag':
      return flagOption(long, words, field, verb);
    case 'json':
      return [text(`${long} <json|@file|->`, words), jsonOf(long)];
    default:
      return [text(`${long} <${name === CUSTOMER ? 'id|uid' : last}>`, words), asGiven];
  }
}

/** A flag that a creation leaves out has its default; elsewhere, left out, false and true are three things. */
function flagOption(long: string, given: string, { isOn }: Field, verb: Verb): [OptionSpec<unknown>, Read] {
  const words = given.replace(/^whether /, '').replace(/ \(default [^)]*\)$/, '');
  if (verb !== 'POST')
    return [choice(`${long} <true|false>`, words, ['true', 'false']), (value) => value && value === 'true'];
  if (isOn) return [flag(long.replace('--', '--no-'), words), (value) => (value === false ? false : undefined)];
  return [flag(long, words), (value) => value || undefined];
}

function idOf(name: keyof typeof NAMED): Read {
  return async (value, { client }) => {
    if (typeof value !== 'string' || value === '') return undefined;
    return (await findByName<{ id: string; name: string }>(value, nounOf(name), client[NAMED[name]])).id;
  };
}

function secretOf(noun: string): Read {
  return async (value, context) => (value ? await readSecret(context, `the ${noun}`) : undefined);
}

function jsonOf(option: string): Read {
  return async (value, { terminal }) =>
    value === undefined
      ? undefined
      : await readJsonArgument(terminal, String(value), { option, what: `the value of ${option}` });
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Returns the words of a schema as the help has them: they begin in lower case and have no full stop. */
export function wordsOf(description: string): string {
  const [plain = '', standard] = description.replace(/; null [^;]*$/, '').split('. Default: ');
  const words =
    WORDS[plain] ?? (standard === undefined || standard === '`[]`' ? plain : `${plain} (default ${standard})`);
  return /^[A-Z](?=[a-z ])/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** The API counts hours; people name them. */
function hoursOf(words: string): string {
  return words
    .replace(/^hours that/, 'how long')
    .replace(/; 0 /, '; `0h` ')
    .replace(/`(\d+)`/, '`$1h`');
}

/** @throws CliError for the first field without which the API refuses the request */
export function requireFields(fields: Readonly<Record<string, Field>>, input: Given): void {
  for (const [name, { isRequired }] of Object.entries(fields)) {
    if (isRequired && input[name] === undefined)
      throw usageError(`Give --${flagOf(name)}.`, 'Add --help to see the options.');
  }
}
