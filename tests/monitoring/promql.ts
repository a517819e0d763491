/** A metric that an expression selects. */
export interface Selector {
  metric: string;
  /** Names of the labels in its matchers. */
  labels: string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);
const LABEL_LIST = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/g;

/** Lists the selectors of a PromQL expression: the names that are neither functions, operators nor labels. */
export function listSelectors(expression: string): Selector[] {
  const bare = expression
    .replaceAll('$__rate_interval', '5m')
    .replaceAll(LABEL_LIST, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b\d[\w.]*/g, ' ');
  return [...bare.matchAll(SELECTOR)].flatMap(([, metric = '', matchers = '', call]) => {
    if (call !== undefined || WORDS.has(metric)) return [];
    return [{ metric, labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map((match) => match[1] ?? '') }];
  });
}
