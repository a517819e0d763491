/** A dash where a value is missing. `label` says it to screen readers. */
export function NoValue({ label = 'None' }: { label?: string }) {
  return (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
