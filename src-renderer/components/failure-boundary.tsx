import { Button } from '@mantine/core';
import { Component, type ErrorInfo, type ReactNode, useEffect, useEffectEvent } from 'react';
import { checkBuild, reloadOnce } from '../core/build.ts';
import { failureReport } from '../core/failure-report.ts';
import { forgetFailedParts, PartNotLoaded } from '../core/load-part.tsx';
import { CopyButton } from './copy-button.tsx';
import { FailurePanel } from './failure-panel.tsx';

type BoundaryProps = {
  /** The part, as a sentence about it begins: `This page`. */
  readonly part: string;
  readonly children: ReactNode;
  /** What the failure stands in; by itself without it. */
  readonly frame?: (failure: ReactNode) => ReactNode;
};

type BoundaryState = { readonly failure: { readonly error: unknown } | undefined; readonly stack: string };

const asItIs = (failure: ReactNode): ReactNode => failure;
const sound: BoundaryState = { failure: undefined, stack: '' };

/** Keeps a failure of one part from taking the window: says what happened in the part's place, and the ways on. */
export class FailureBoundary extends Component<BoundaryProps, BoundaryState> {
  override state = sound;

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  override componentDidCatch(_error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ stack: componentStack ?? '' });
  }

  readonly #tryAgain = (): void => {
    forgetFailedParts();
    this.setState(sound);
  };

  override render(): ReactNode {
    const { failure, stack } = this.state;
    if (failure === undefined) return this.props.children;
    const { part, frame = asItIs } = this.props;
    if (failure.error instanceof PartNotLoaded)
      return frame(<NotLoaded part={part} onAgain={this.#tryAgain} />);
    return frame(<Failed part={part} error={failure.error} stack={stack} onAgain={this.#tryAgain} />);
  }
}

/** Milliseconds between two looks whether the console answers again. */
const everyMs = 5000;

/** The part's files did not come: it is loaded as soon as the console answers, from its new build if it has one. */
function NotLoaded({ part, onAgain }: { readonly part: string; readonly onAgain: () => void }) {
  const look = useEffectEvent(async () => {
    if (await checkBuild()) {
      if (!reloadOnce()) return;
    } else if (await answers()) onAgain();
  });
  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <FailurePanel
      state="unknown"
      label="Not loaded"
      title={`${part} was not loaded`}
      actions={
        <>
          <Button variant="filled" onClick={onAgain}>
            Retry
          </Button>
          <Button onClick={() => location.reload()}>Reload the window</Button>
        </>
      }
    >
      <p>
        The console at <code>{location.host}</code> did not send its files. Check that it runs; this is tried
        again every 5 s.
      </p>
    </FailurePanel>
  );
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { signal: AbortSignal.timeout(everyMs) })).ok;
  } catch {
    return false;
  }
}

type FailedProps = {
  readonly part: string;
  readonly error: unknown;
  readonly stack: string;
  readonly onAgain: () => void;
};

/** A fault of the program: nothing the person did, and nothing of theirs is lost elsewhere in the window. */
function Failed({ part, error, stack, onAgain }: FailedProps) {
  return (
    <FailurePanel
      state="failing"
      label="Failed"
      title={`${part} failed`}
      raw={error instanceof Error ? `${error.name}: ${error.message}` : String(error)}
      actions={
        <>
          <Button variant="filled" onClick={onAgain}>
            Retry
          </Button>
          <Button onClick={() => location.reload()}>Reload the window</Button>
          <CopyButton label="Copy details" text={() => failureReport(part, error, stack)} />
        </>
      }
    >
      <p>
        This is a fault of the console, not of what it shows. The rest of the window goes on working; copy the
        details into a report.
      </p>
    </FailurePanel>
  );
}
