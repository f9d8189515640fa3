import type { ReactNode } from 'react';
import { FailurePanel } from './failure-panel.tsx';

type NotAllowedProps = {
  /** Headline naming what is not allowed. */
  readonly title: string;
  /** Explains which allowlist applies and what to do. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
};

/** Instead of content the person may not see: the rule, and who can change it. Never other people's names. */
export function NotAllowed({ title, children, actions }: NotAllowedProps) {
  return (
    <FailurePanel state="idle" label="Not allowed" title={title} actions={actions}>
      {children}
    </FailurePanel>
  );
}
