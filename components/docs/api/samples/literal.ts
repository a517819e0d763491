/** How a language writes values. */
export interface LiteralStyle {
  true: string;
  false: string;
  null: string;
  quote: (text: string) => string;
  /** The name of a member, with its colon. */
  key: (name: string) => string;
  /** Whether a list on several lines ends with a comma. */
  hasTrailingComma: boolean;
  /** Between the braces and the members of a short object. */
  padding: string;
  /** The indentation of one level. */
  step: string;
}

/** Writes a string with single quotes if nothing in it needs an escape. Both languages read the escapes of JSON. */
function quote(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

export const JSON_STYLE: LiteralStyle = {
  ...{ true: 'true', false: 'false', null: 'null', quote: JSON.stringify },
  key: (name) => `${JSON.stringify(name)}: `,
  ...{ hasTrailingComma: false, padding: '', step: '  ' },
};

export const JAVASCRIPT_STYLE: LiteralStyle = {
  ...{ true: 'true', false: 'false', null: 'null', quote },
  // A member __proto__ without brackets would set the prototype.
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? `${name}: ` : `[${quote(name)}]: `),
  ...{ hasTrailingComma: true, padding: ' ', step: '  ' },
};

export const PYTHON_STYLE: LiteralStyle = {
  ...{ true: 'True', false: 'False', null: 'None', quote },
  key: (name) => `${quote(name)}: `,
  ...{ hasTrailingComma: true, padding: '', step: '    ' },
};

/** Longer lists and objects are written on several lines. */
const MAX_LINE_CHARS = 48;

/**
 * Writes a JSON value as source code.
 * @param indent precedes its lines after the first
 */
export function writeLiteral(value: unknown, style: LiteralStyle, indent = ''): string {
  if (value === true || value === false || value === null) return style[`${value}`];
  if (typeof value === 'string') return style.quote(value);
  if (typeof value === 'number') return String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = (inner: string) =>
    Array.isArray(value)
      ? value.map((each) => writeLiteral(each, style, inner))
      : Object.entries(value ?? {}).map(([name, each]) => style.key(name) + writeLiteral(each, style, inner));
  const inline = members('').join(', ');
  if (inline === '') return open + close;
  const padding = Array.isArray(value) ? '' : style.padding;
  const isShort = inline.length <= MAX_LINE_CHARS && !inline.includes('\n');
  if (isShort) return `${open}${padding}${inline}${padding}${close}`;
  const lines = members(indent + style.step).map((member) => `\n${indent}${style.step}${member}`);
  return `${open}${lines.join(',')}${style.hasTrailingComma ? ',' : ''}\n${indent}${close}`;
}
