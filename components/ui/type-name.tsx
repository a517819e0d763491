/** An event type in mono: whole in a card, cut with its full text in a tooltip where columns are narrow. */
export function TypeName({ children }: { children: string }) {
  return (
    <code title={children} className="font-mono text-xs max-sm:break-all sm:block sm:max-w-64 sm:truncate">
      {children}
    </code>
  );
}
