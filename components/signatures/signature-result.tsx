import { Callout } from '@/components/ui/callout';
import type { SignatureCheck, SignatureDifference } from '@/lib/delivery/schema';

/** Requests are often checked long after they arrived: their signature is right. */
const HEADLINES: Partial<Record<SignatureCheck['reason'], string>> = {
  timestamp_too_old: 'Its time has passed.',
  timestamp_in_future: 'Its time has not come.',
};

/** What a check of a signature found. @param next what to do about it */
export function SignatureResult({ result, next }: { result: SignatureCheck; next?: React.ReactNode }) {
  const { verified, reason, detail, difference } = result;
  const isTime = reason in HEADLINES;
  return (
    <Callout tone={verified ? 'success' : isTime ? 'warning' : 'danger'} role="status">
      <p className="wrap-anywhere">
        <span className="font-medium">{HEADLINES[reason] ?? (verified ? 'It verifies.' : 'It doesn’t verify.')}</span>{' '}
        {detail}
      </p>
      {difference === null ? null : <Difference {...difference} />}
      {next}
    </Callout>
  );
}

/** Both bodies at the first byte that differs. */
function Difference({ offset, before, signed, received }: SignatureDifference) {
  const rows = [
    { label: 'Signed', text: signed },
    { label: 'Received', text: received },
  ];
  return (
    <div className="mt-2">
      <p>
        {offset === 0
          ? 'They differ from the first byte.'
          : `They differ after byte ${offset.toLocaleString('en-US')}:`}
      </p>
      <dl className="mt-1 grid gap-x-3 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        {rows.map(({ label, text }) => (
          <div key={label} className="contents">
            <dt className="font-medium">{label}</dt>
            <dd className="min-w-0 break-all rounded-sm bg-surface px-1.5 font-mono text-xs leading-5">
              <span className="text-muted">{before}</span>
              {text === '' ? <span className="text-muted italic">end of the body</span> : <strong>{text}</strong>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
