import { CopyValue } from './copy-value';
import { OurSecret } from './our-secret';
import { Name, type SetupStep, StepText } from './step-list';

/** GitHub takes the URL and our secret in one form. */
export function githubSteps(url: string): SetupStep[] {
  return [
    {
      title: 'Open your repository or organization’s webhook settings',
      content: (
        <StepText>
          On GitHub, open <Name>Settings → Webhooks</Name> and click <Name>Add webhook</Name>.
        </StepText>
      ),
    },
    {
      title: 'Paste the URL and the secret',
      content: (
        <>
          <CopyValue label="Payload URL" value={url} />
          <OurSecret label="Secret" />
          <StepText>
            Set <Name>Content type</Name> to <Name>application/json</Name>, and leave <Name>SSL verification</Name>{' '}
            enabled.
          </StepText>
        </>
      ),
    },
    {
      title: 'Choose events and save',
      content: (
        <StepText>
          Select the events you want, keep <Name>Active</Name> checked, and click <Name>Add webhook</Name>. GitHub sends
          a ping right away.
        </StepText>
      ),
    },
  ];
}
