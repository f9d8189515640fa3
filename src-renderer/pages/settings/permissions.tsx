import type { CodeHostAttachment } from '#shared/api/code-host.ts';
import { State } from '../../components/state.tsx';
import css from './permissions.module.css';
import { Section } from './section.tsx';

type PermissionsProps = { readonly installation: NonNullable<CodeHostAttachment['installation']> };

/** Shows what the installation lets this console read, and what is missing without the rest. */
export function Permissions({ installation: { permissions, missing } }: PermissionsProps) {
  return (
    <Section title="Permissions">
      <ul className={css.permissions}>
        {missing.map(({ permission, without }) => (
          <li key={permission}>
            <code>{permission}</code>
            <State state="degraded" label="Not given" />
            <span>{without} cannot be read</span>
          </li>
        ))}
        {Object.entries(permissions).map(([permission, level]) => (
          <li key={permission}>
            <code>{permission}</code>
            <State state="healthy" label={level === 'read' ? 'Read' : `May ${level}`} />
            {level !== 'read' && <span>more than this console uses</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
