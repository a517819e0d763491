/** An event type. In narrow columns it is truncated, with the full text in a tooltip. */
export function TypeName({ children }: { children: string }) {
  return (
    <code title={children} className="font-mono text-xs max-sm:break-all sm:block sm:max-w-64 sm:truncate">
      {children}
    </code>
  );
}
