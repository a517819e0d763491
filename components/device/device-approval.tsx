'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { CodeForm } from './code-form';
import { DeviceOutcome } from './device-outcome';
import { RequestReview } from './request-review';
import { useDeviceRequest } from './use-device-request';
import { formatUserCode, readUserCode } from './user-code';

/** Leads from the code to the decision. The code is in the URL, so that a reload and the Back button keep it. */
export function DeviceApproval() {
  const router = useRouter();
  const asked = useSearchParams().get('userCode') ?? '';
  const userCode = readUserCode(asked);
  const [decided, setDecided] = useState<{ userCode: string; approved: boolean; clientName: string | null } | null>(
    null,
  );
  // A decided request cannot be looked up again.
  const isDecided = decided !== null && decided.userCode === userCode;
  const { request, error, loading, lookAgain, approve, deny } = useDeviceRequest(isDecided ? null : userCode);
  const enterAnother = () => router.push('/device');
  if (isDecided) return <DeviceOutcome {...decided} onAnother={enterAnother} />;
  if (request === undefined || userCode === null) {
    return (
      <CodeForm
        key={asked}
        initialCode={formatUserCode(asked)}
        loading={loading}
        error={error}
        onSubmit={(code) => {
          if (code === userCode) void lookAgain();
          else router.push(`/device?${new URLSearchParams({ userCode: code })}`);
        }}
      />
    );
  }
  const decide = async (approved: boolean) => {
    await (approved ? approve() : deny());
    setDecided({ userCode, approved, clientName: request.clientName });
  };
  return (
    <RequestReview
      key={userCode}
      userCode={userCode}
      request={request}
      onDecide={decide}
      onGone={() => void lookAgain()}
      onAnother={enterAnother}
    />
  );
}
