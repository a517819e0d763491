import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode, type Ref, use } from 'react';

type Attributes = HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> | undefined };

/**
 * Gives its attributes to its only child, an element without a ref. The child keeps its own ones, except that classes are
 * joined and both handlers of an event run, the child's first.
 */
export function Slot({ children, ...own }: Attributes & { type?: string; children?: ReactNode }) {
  const child = elementOf(children);
  const merged: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(own)) {
    const theirs = (child.props as Record<string, unknown>)[name];
    if (theirs === undefined) merged[name] = value;
    else if (name === 'className') merged[name] = `${value} ${theirs}`;
    else if (typeof value === 'function' && typeof theirs === 'function' && /^on[A-Z]/.test(name)) {
      merged[name] = (...args: unknown[]) => {
        theirs(...args);
        value(...args);
      };
    }
  }
  return cloneElement(child, merged);
}

/** An element that a component of the server renders can arrive as a reference to what is still being received. */
function elementOf(children: ReactNode): ReactElement<Attributes> {
  const lazy = children as { $$typeof?: symbol; _payload?: PromiseLike<ReactNode> };
  if (lazy?.$$typeof === Symbol.for('react.lazy') && lazy._payload && 'then' in lazy._payload) {
    return use(lazy._payload as Promise<ReactElement<Attributes>>);
  }
  return children as ReactElement<Attributes>;
}
