import { Button } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import type { SettingItem, Settings } from '#shared/api/settings.ts';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Tag } from '../../components/tag.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { useMayAdminister } from '../../core/access.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import css from './configuration-section.module.css';
import { EditSetting } from './edit-setting.tsx';
import { Section } from './section.tsx';
import { grouped, settingMatches, sourceLabels, valueLabel } from './settings-labels.ts';
import { SettingsRead } from './settings-read.tsx';
import { WhoMayChange } from './who-may-change.tsx';

/** Shows the settings this console was started with, each with its source, and edits those that can be changed here. */
export function ConfigurationSection() {
  return (
    <SettingsRead title="Configuration">{(settings) => <Configuration settings={settings} />}</SettingsRead>
  );
}

function Configuration({ settings: { settings, file } }: { readonly settings: Settings }) {
  const may = useMayAdminister() === true;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [editing, setEditing] = useState<SettingItem>();
  useFilterKey(input);
  const groups = grouped(settings.filter((setting) => settingMatches(setting, typed)));
  const waiting = settings.filter(({ pending }) => pending !== undefined).length;
  return (
    <Section
      title="Configuration"
      actions={<FilterInput ref={input} value={typed} onChange={setTyped} label="Filter settings" />}
    >
      <p className={css.about}>
        The environment takes precedence, then the settings file, then the default. Changes made here are
        saved to <code>{file}</code> and take effect at once where Save says so, else at the next start.
      </p>
      {settings.some(({ settable }) => settable) && <WhoMayChange what="settings" />}
      {waiting > 0 && (
        <div className={css.waiting}>
          <Banner look="note" icon={<Glyph state="working" />} title="Restart the console.">
            {counted(waiting, 'change waits', 'changes wait')} for the next start.
          </Banner>
        </div>
      )}
      {groups.map(({ title, settings: inGroup }) => (
        <section key={title} className={css.group} aria-label={title}>
          <h3 className={css.heading}>{title}</h3>
          <ul className={css.settings}>
            {inGroup.map((setting) => (
              <Row key={setting.name} setting={setting} may={may} onEdit={() => setEditing(setting)} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (
        <p className={css.about} role="status">
          Nothing here matches “{typed}”. Esc clears the filter.
        </p>
      )}
      {editing !== undefined && <EditSetting setting={editing} onClose={() => setEditing(undefined)} />}
    </Section>
  );
}

type RowProps = { readonly setting: SettingItem; readonly may: boolean; readonly onEdit: () => void };

function Row({ setting, may, onEdit }: RowProps) {
  const { name, label, sentence, source, pending, settable } = setting;
  return (
    <li className={css.row}>
      <div className={css.words}>
        <p className={css.name}>
          {label} <code className={css.variable}>{name}</code>
        </p>
        <p className={css.sentence}>
          <WithCode>{sentence}</WithCode>
        </p>
        {!settable && may && (
          <p className={css.sentence}>
            {source === 'env'
              ? 'Set by the environment: change it there.'
              : 'Only the environment can set it.'}
          </p>
        )}
      </div>
      <div className={css.value}>
        <div className={css.now}>
          <span className={css.text} data-set={source !== 'unset' && source !== 'default'}>
            {valueLabel(setting)}
          </span>
          {source !== 'unset' && <Tag strong={source !== 'default'}>{sourceLabels[source]}</Tag>}
        </div>
        {pending !== undefined && (
          <div className={css.pending}>
            {pending === '' ? 'not set' : pending} <Tag>from the next start</Tag>
          </div>
        )}
      </div>
      <div className={css.action}>
        {may && settable && (
          <Button size="xs" onClick={onEdit} aria-label={`Edit ${label}`}>
            Edit
          </Button>
        )}
      </div>
    </li>
  );
}

function useFilterKey(input: React.RefObject<HTMLInputElement | null>): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'filter',
        group: 'Moving',
        title: 'Filter the list',
        keys: '/',
        inPalette: false,
        run: () => input.current?.focus(),
      },
    ],
    [input],
  );
  useCommands(commands);
}
