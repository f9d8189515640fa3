import { Button } from '@mantine/core';
import { FailurePanel } from '../../components/failure-panel.tsx';
import css from './agent-config-page.module.css';
import type { ConfigModel } from './config-model.ts';

type NoConfigProps = {
  /** The repository the address names; null when it names none. */
  readonly repo: string | null;
  readonly q: string;
  readonly model: ConfigModel;
  readonly onClear: () => void;
};

/** Instead of a file: why there is none to show. */
export function NoConfig({ repo, q, model, onClear }: NoConfigProps) {
  const all = (
    <Button variant="filled" onClick={onClear}>
      Show every repository
    </Button>
  );
  if (repo !== null && model.unread.includes(repo)) {
    return (
      <div className={css.none}>
        <FailurePanel
          state="unknown"
          label="Not read"
          title={`The agents of ${repo} were not read`}
          actions={all}
        >
          <p>The repository may have an agents file. The reason it was not read is shown above.</p>
        </FailurePanel>
      </div>
    );
  }
  if (q !== '') {
    return (
      <div className={css.none}>
        <FailurePanel state="idle" label="Empty" title="No agent, setting or rule matches" actions={all}>
          <p>All files read were searched.</p>
        </FailurePanel>
      </div>
    );
  }
  if (repo !== null) {
    return (
      <div className={css.none}>
        <FailurePanel state="idle" label="Empty" title={`${repo} has no agents of its own`} actions={all}>
          <p>
            It has no <code>.platform/agents.yaml</code> at the head of its default branch, or it is not one
            of the repositories read.
          </p>
        </FailurePanel>
      </div>
    );
  }
  return (
    <div className={css.none}>
      <FailurePanel
        state={model.unread.length === 0 ? 'idle' : 'unknown'}
        label={model.unread.length === 0 ? 'Empty' : 'Not read'}
        title={model.unread.length === 0 ? 'No repository configures agents yet' : 'No agents file was read'}
      >
        <p>
          Agents are configured in <code>.platform/agents.yaml</code> on a repository’s default branch.
        </p>
        {model.without.length > 0 && <p>Without it: {model.without.join(', ')}.</p>}
        {model.unread.length > 0 && <p>Not read: {model.unread.join(', ')}.</p>}
      </FailurePanel>
    </div>
  );
}
