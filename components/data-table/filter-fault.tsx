/** Says below a text filter why its text is not applied. The status is always in the page, so that a change is announced. */
export function FilterFault({ id, fault }: { id: string; fault: string | undefined }) {
  return (
    <p id={id} role="status" className="max-w-64 text-danger-text text-xs not-empty:mt-1">
      {fault}
    </p>
  );
}
