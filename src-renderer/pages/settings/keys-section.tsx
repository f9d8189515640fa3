import { useState } from 'react';
import type { KeyItem, Settings } from '#shared/api/settings.ts';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { State } from '../../components/state.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { useMayAdminister } from '../../core/access.ts';
import { DeleteKey } from './delete-key.tsx';
import { GenerateKey } from './generate-key.tsx';
import { HandToStudio } from './hand-to-studio.tsx';
import { KeyRow } from './key-row.tsx';
import css from './keys-section.module.css';
import { Section } from './section.tsx';
import { SetKey } from './set-key.tsx';
import { inUseOrder, keepsLabel, keychainLabels, storeLabel, studioIdentityKey } from './settings-labels.ts';
import { SettingsRead } from './settings-read.tsx';
import { WhoMayChange } from './who-may-change.tsx';

/** The dialog open above the keys. */
type Asking = { readonly what: 'set' | 'generate' | 'delete'; readonly key: KeyItem };

/** The console's secrets: which are set and from where, never their values; and where they are kept. */
export function KeysSection() {
  return <SettingsRead title="Keys">{(settings) => <Keys settings={settings} />}</SettingsRead>;
}

function Keys({ settings }: { readonly settings: Settings }) {
  const may = useMayAdminister() === true;
  const [asking, setAsking] = useState<Asking>();
  const [generated, setGenerated] = useState<string>();
  const close = () => setAsking(undefined);
  return (
    <>
      {settings.store.notice !== undefined && (
        <div className={css.notice}>
          <Banner
            look="note"
            icon={<Glyph state="degraded" />}
            title="The store’s key is not well protected."
          >
            <WithCode>{settings.store.notice}</WithCode>
          </Banner>
        </div>
      )}
      <Section title="Keys">
        <p className={css.about}>
          Keys are never shown, not even to you: they can only be replaced or deleted.{' '}
          <WithCode>{keepsLabel(settings)}</WithCode>
        </p>
        {settings.keys.some(({ settable }) => settable) && <WhoMayChange what="keys" />}
        {settings.keys.length === 0 ? (
          <p className={css.about}>This console uses no keys.</p>
        ) : (
          <ul className={css.keys} aria-label="Keys">
            {inUseOrder(settings.keys).map((key) => (
              <KeyRow
                key={key.name}
                item={key}
                may={may}
                told={settings.keep_secrets_notice}
                onSet={() => setAsking({ what: 'set', key })}
                onGenerate={() => setAsking({ what: 'generate', key })}
                onDelete={() => setAsking({ what: 'delete', key })}
              >
                {key.name === studioIdentityKey && key.set && (
                  <HandToStudio
                    key={generated}
                    fresh={generated === key.name}
                    readable={key.source === 'keychain' || key.source === 'sealed'}
                  />
                )}
              </KeyRow>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Storage">
        <dl className={css.facts}>
          <dt>Keychain</dt>
          <dd>
            <State {...keychainLabels[settings.keychain.state]} />
            <p className={css.detail}>
              <WithCode>{settings.keychain.detail}</WithCode>
            </p>
          </dd>
          <dt>Store</dt>
          <dd>
            {storeLabel(settings.store)}
            <p className={css.detail}>
              <code>{settings.store.place}</code>
            </p>
          </dd>
        </dl>
      </Section>
      {asking?.what === 'set' && <SetKey item={asking.key} onClose={close} />}
      {asking?.what === 'generate' && (
        <GenerateKey item={asking.key} onDone={() => setGenerated(asking.key.name)} onClose={close} />
      )}
      {asking?.what === 'delete' && <DeleteKey item={asking.key} onClose={close} />}
    </>
  );
}
