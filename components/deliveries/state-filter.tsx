import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { DELIVERY_STATE_LABELS, DELIVERY_STATES } from '@/lib/events/delivery-state-policy';

const OPTIONS = [
  { value: ANY, label: 'Any state' },
  ...DELIVERY_STATES.map((state) => ({ value: state, label: DELIVERY_STATE_LABELS[state] })),
  // Links may name it: queued and retrying together.
  { value: 'PENDING', label: 'Queued or retrying' },
];

/** A filter by the state of a delivery. */
export function StateFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return <SelectFilter label={label} width="w-32" options={OPTIONS} value={value} onChange={onChange} />;
}
