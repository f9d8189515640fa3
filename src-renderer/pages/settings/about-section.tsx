import type { Platform } from '#shared/api/system.ts';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { platformLabel } from '../../components/platform-labels.ts';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { inDesktopWindow } from '../../core/desktop.ts';
import { IconExternalLink } from '../../core/icons/icons.ts';
import { usePlatform } from '../../core/use-platform.ts';
import css from './about-section.module.css';
import { DiagnosticsSection } from './diagnostics-section.tsx';
import { Section } from './section.tsx';

/** Shows what this console is, what it is attached to, and its interface. */
export function AboutSection() {
  const platform = usePlatform();
  return (
    <>
      <Section title="About">
        <PlainAnswer
          query={platform}
          what="the facts about this console"
          meanwhile="What it is attached to is not known right now."
        >
          {({ version }) => <AboutFacts version={version} />}
        </PlainAnswer>
      </Section>
      {platform.data !== undefined && <PlatformSection platform={platform.data} silent={platform.isError} />}
      <DiagnosticsSection />
    </>
  );
}

function AboutFacts({ version }: { readonly version: string }) {
  return (
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
  );
}

type PlatformSectionProps = { readonly platform: Platform; readonly silent: boolean };

function PlatformSection({ platform, silent }: PlatformSectionProps) {
  const { sandbox, studio, read_at, unmeasured } = platform;
  const { dot, label } = platformLabel(platform, silent);
  return (
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
