/** A part of a script that may hide a semicolon: a comment, a text, a name, the body of a function. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|[\s\S]/g;

/**
 * Splits a script of migrations into its statements: Citus sends the whole text of a query to its machines for each statement of it. Knows
 * no texts with backslashes.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const [token] of script.matchAll(TOKEN)) {
    if (token === ';') {
      statements.push(current);
      current = '';
    } else if (!token.startsWith('--') && !token.startsWith('/*')) current += token;
  }
  return [...statements, current].map((sql) => sql.trim()).filter((sql) => sql !== '');
}
