import { type DestinationStream, pino } from 'pino';
import { sanitize, sanitizeLines } from '@/lib/platform/terminal/sanitize';
import { type Style, styleFor } from '@/lib/platform/terminal/style';
import { SECOND_MS } from './clock';
import { type Config, terminalEnvironment } from './config/config';

/** `npm start` shows the running step in a line without an end, which a line of a part replaces. */
const CLEAR_LINE = '\r\x1b[2K';
const PART_WIDTH = 9;
const INDENT = '    ';
const MAX_FIELD_CHARACTERS = 100;
/** Ids of no use on a terminal, and the time of an earlier line. */
const LEFT_OUT = ['requestId', 'traceId', 'runId', 'startedAt'];

const WARN = 40;
const ERROR = 50;
const LEVELS: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', [WARN]: 'WARN', [ERROR]: 'ERROR', 60: 'FATAL' };

type Line = Record<string, unknown>;

/** Whether lines that go to a stream are made for people (decision 070). */
export function isPretty({ LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>, stream: { isTTY?: boolean }): boolean {
  return LOG_FORMAT === 'auto' ? stream.isTTY === true : LOG_FORMAT === 'pretty';
}

/** Returns a destination for the logger that writes each line for people, at once and in this thread. */
export function prettyStream(stream: { fd: number; isTTY?: boolean }): DestinationStream {
  const style = styleFor({ isTTY: stream.isTTY === true }, terminalEnvironment());
  const output = pino.destination({ dest: stream.fd, sync: true });
  const start = stream.isTTY ? CLEAR_LINE : '';
  return { write: (json) => void output.write(`${start}${toPrettyLine(json, style)}\n`) };
}

/**
 * Returns what a person reads of a line of JSON: time, part, level unless it is info, and message; for a request its verb, route,
 * status and duration. Other fields follow as `name=value`, and the stack of an error on lines of its own. Ends without a line break.
 */
export function toPrettyLine(json: string, style: Style): string {
  const { level, time, process: part, msg, err, ...fields } = JSON.parse(json) as Line;
  const isRequest = typeof fields.route === 'string' && typeof fields.status === 'number' && 'method' in fields;
  const parts = [
    style.dim(timeOfDay(String(time))),
    style.cyan(sanitize(String(part)).padEnd(PART_WIDTH)),
    ...describeLevel(Number(level), style),
    isRequest ? describeRequest(fields, style) : sanitizeLines(String(msg ?? '')).replaceAll('\n', `\n${INDENT}`),
    ...(isRequest ? fieldsOfRequest(fields) : describeFields(fields)).map(style.dim),
  ];
  return `${parts.filter((each) => each !== '').join(' ')}${describeError(err, Number(level), style)}`;
}

/** The clock of the reader: "14:03:07". */
function timeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function describeLevel(level: number, style: Style): string[] {
  const name = LEVELS[level];
  if (name === undefined) return [];
  if (level >= ERROR) return [style.bold(style.red(name))];
  return [level >= WARN ? style.yellow(name) : style.dim(name)];
}

function describeRequest({ method, route, status, durationMs }: Line, style: Style): string {
  const paint = Number(status) >= 500 ? style.red : Number(status) >= 400 ? style.yellow : style.green;
  return `${sanitize(`${method} ${route}`)} ${paint(String(status))} ${formatDuration(Number(durationMs))}`;
}

/** The id of a request helps to find one that failed; nobody reads that of the others. */
function fieldsOfRequest({ method, route, status, durationMs, requestId, projectId, ...others }: Line): string[] {
  return [...describeFields(others), ...(Number(status) >= 500 ? describeField(['requestId', requestId]) : [])];
}

/** "0.4 ms", "12 ms", "1.3 s". */
function formatDuration(ms: number): string {
  if (ms >= SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  return `${ms < 1 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function describeFields({ durationMs, ...fields }: Line): string[] {
  const shown = Object.entries(fields).filter(([name]) => !LEFT_OUT.includes(name));
  const duration = typeof durationMs === 'number' ? [formatDuration(durationMs)] : [];
  return [...shown.flatMap(describeField), ...duration];
}

/** Nothing for an empty value: no text, no rows. */
function describeField([name, value]: [string, unknown]): string[] {
  const text = toText(value);
  return text === '' ? [] : [`${sanitize(name)}=${shorten(sanitize(text))}`];
}

function toText(value: unknown): string {
  if (value === null || value === undefined || value === 0) return '';
  if (typeof value !== 'object' || Array.isArray(value)) return String(value);
  return Object.entries(value)
    .filter(([, each]) => each !== 0)
    .map(([name, each]) => `${name}:${typeof each === 'object' ? JSON.stringify(each) : each}`)
    .join(',');
}

function shorten(text: string): string {
  return text.length > MAX_FIELD_CHARACTERS ? `${text.slice(0, MAX_FIELD_CHARACTERS)}…` : text;
}

/** The message of an error, after a warning; after an error, its stack too, which begins with the message. */
function describeError(err: unknown, level: number, style: Style): string {
  if (typeof err !== 'object' || err === null) return '';
  const { message, stack, code } = err as Line;
  const lines = level >= ERROR && typeof stack === 'string' ? stack : [code, message].filter(Boolean).join(': ');
  const [first = '', ...others] = sanitizeLines(lines).split('\n');
  const below = others.map((line) => style.dim(`\n${INDENT}${line.trim()}`));
  return `\n${INDENT}${level >= ERROR ? style.red(first) : first}${below.join('')}`;
}
