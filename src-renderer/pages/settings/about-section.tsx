import { Button } from '@mantine/core';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { platformLabel } from '../../components/platform-labels.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { inDesktopWindow } from '../../core/desktop.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconExternalLink } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { usePlatform } from '../../core/use-platform.ts';
import css from './about-section.module.css';
import { DiagnosticsSection } from './diagnostics-section.tsx';
import { Section } from './section.tsx';

/** Shows what this console is, what it is attached to, and its interface. */
export function AboutSection() {
  const platform = usePlatform();
  const { readAgain } = useReading();
  if (platform.data === undefined) {
    return (
      <Section title="About">
        {platform.error === null ? (
          <SkeletonRows rows={3} />
        ) : (
          <FailurePanel
            state="unknown"
            label="Not read"
            title="The console did not say what it is attached to"
            raw={sentenceOf(platform.error)}
            actions={<Button onClick={readAgain}>Try again</Button>}
          >
            <p>Asked /api/platform.</p>
          </FailurePanel>
        )}
      </Section>
    );
  }
  const { version, sandbox, studio, read_at, unmeasured } = platform.data;
  const { dot, label } = platformLabel(platform.data, platform.isError);
  return (
    <>
      <Section title="About">
        <dl className={css.facts}>
          <dt>Operator Console</dt>
          <dd>{version}</dd>
          <dt>Address</dt>
          <dd>
            <code>{location.origin}</code>
          </dd>
          <dt>Interface</dt>
          <dd>
            {/* A window that opens no others would do nothing on such a link. */}
            {inDesktopWindow ? (
              <code>{location.origin}/api/openapi.json</code>
            ) : (
              <a href="/api/openapi.json" target="_blank" rel="noreferrer">
                OpenAPI document <IconExternalLink className={css.out} size={12} stroke={2} aria-hidden />
              </a>
            )}
          </dd>
          <dt>Licences</dt>
          <dd>
            {inDesktopWindow ? (
              <code>{location.origin}/third-party-notices.txt</code>
            ) : (
              <a href="/third-party-notices.txt" target="_blank" rel="noreferrer">
                Third-party notices <IconExternalLink className={css.out} size={12} stroke={2} aria-hidden />
              </a>
            )}
          </dd>
        </dl>
      </Section>
      <Section title="Platform">
        <dl className={css.facts}>
          <dt>Kind</dt>
          <dd>{sandbox ? 'Sandbox, started by this console' : 'Attached'}</dd>
          <dt>Studio</dt>
          <dd>
            <code>{studio.upstream}</code>
          </dd>
          <dt>State</dt>
          <dd>
            <State state={dot} label={label} />
          </dd>
          {studio.detail !== undefined && (
            <>
              <dt>Why</dt>
              <dd>{studio.detail}</dd>
            </>
          )}
          {unmeasured.map((reason) => (
            <Unread key={reason} reason={reason} />
          ))}
          <dt>Read</dt>
          <dd>
            <TimeAgo at={Date.parse(read_at)} />
          </dd>
        </dl>
      </Section>
      <DiagnosticsSection />
    </>
  );
}

function Unread({ reason }: { readonly reason: string }) {
  return (
    <>
      <dt>Not read</dt>
      <dd>{reason}</dd>
    </>
  );
}
