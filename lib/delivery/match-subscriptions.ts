const ALL = '*';

/**
 * The subscriptions' event types that match an event's type (CONTRACT 5): itself, `*`, and `order.*` for whatever lies
 * below `order.`, at any depth, but not `order`. They are few (a type has at most 128 characters), so that a
 * subscription is found by equality and never by running a pattern over every subscription of the project.
 */
export function matchingEventTypes(type: string): string[] {
  const patterns = [ALL, type];
  for (let dot = type.indexOf('.'); dot !== -1; dot = type.indexOf('.', dot + 1)) {
    if (dot < type.length - 1) patterns.push(`${type.slice(0, dot + 1)}*`);
  }
  return patterns;
}
