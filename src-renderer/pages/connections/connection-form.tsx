import { Button, InputBase, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import {
  type ConnectionType,
  type CredentialField,
  type SettingField,
  SettingKind,
} from '#shared/gen/datasource/v1/connections_pb.js';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { type ConnectionInput, type Faults, faultsOf, refusedField } from './connection-fields.ts';
import css from './connections.module.css';

type ConnectionFormProps = {
  readonly type: ConnectionType;
  readonly first: ConnectionInput;
  /** The verb of the button. */
  readonly verb: string;
  /** Such as `The connection was not added.` */
  readonly failed: string;
  readonly working: boolean;
  readonly error: Error | null;
  readonly onSubmit: (input: ConnectionInput) => void;
  /** In place of a credential's field. */
  readonly kept?: (field: CredentialField, input: ReactNode) => ReactNode;
  /** Left of the button. */
  readonly children: ReactNode;
};

/** The form of a connection: its name and tenant, the settings and credentials of its type. */
export function ConnectionForm(props: ConnectionFormProps) {
  const {
    type,
    first,
    verb,
    failed,
    working,
    error,
    onSubmit,
    kept = (_field, input) => input,
    children,
  } = props;
  const [input, setInput] = useState(first);
  const [tried, setTried] = useState(false);
  const [sent, setSent] = useState(input);
  const found = tried ? faultsOf(type, input) : {};
  // What the console refused is said until the form is changed.
  const refused = error === null || sent !== input ? undefined : sentenceOf(error);
  const field = refused === undefined ? undefined : refusedField(type, refused);
  const faults: Faults = field === undefined ? found : { ...found, [field]: refused ?? '' };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const [wrong] = Object.keys(faultsOf(type, input));
    if (wrong !== undefined) {
      const control = event.currentTarget.elements.namedItem(wrong);
      if (control instanceof HTMLElement) control.focus();
      return;
    }
    setSent(input);
    onSubmit(input);
  };
  const setSetting = (name: string, value: string) =>
    setInput({ ...input, settings: { ...input.settings, [name]: value } });
  const setCredential = (key: string, value: string) =>
    setInput({ ...input, credentials: { ...input.credentials, [key]: value } });
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <div className={css.pair}>
        <TextInput
          name="name"
          label="Name"
          description="Unique in its tenant."
          value={input.name}
          onChange={(event) => setInput({ ...input, name: event.currentTarget.value })}
          error={faults.name}
          required
          {...plain}
          data-autofocus
        />
        <TextInput
          name="tenant"
          label="Tenant"
          description="Whose data it is."
          value={input.tenant}
          onChange={(event) => setInput({ ...input, tenant: event.currentTarget.value })}
          error={faults.tenant}
          required
          {...plain}
        />
      </div>
      <fieldset className={css.group}>
        <legend>Settings</legend>
        {type.settings.map((setting) => (
          <SettingInput
            key={setting.name}
            setting={setting}
            value={input.settings[setting.name] ?? ''}
            error={faults[setting.name]}
            onChange={(value) => setSetting(setting.name, value)}
          />
        ))}
      </fieldset>
      {type.credentials.length > 0 && (
        <fieldset className={css.group}>
          <legend>Credentials</legend>
          <p className={css.quiet}>
            Kept in the keychain, or sealed in the store, and never shown again. A test sends none of them.
          </p>
          {type.credentials.map((credential) => (
            <div key={credential.key}>
              {kept(
                credential,
                <CredentialInput
                  credential={credential}
                  value={input.credentials[credential.key] ?? ''}
                  error={faults[credential.key]}
                  onChange={(value) => setCredential(credential.key, value)}
                />,
              )}
            </div>
          ))}
        </fieldset>
      )}
      <div className={css.end}>
        {refused !== undefined && field === undefined && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title={failed}>
            {refused}
          </Banner>
        )}
        <div className={css.foot}>
          {children}
          <Button type="submit" variant="filled" loading={working}>
            {verb}
          </Button>
        </div>
      </div>
    </form>
  );
}

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

type SettingInputProps = {
  readonly setting: SettingField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

function SettingInput({ setting, value, error, onChange }: SettingInputProps) {
  const { name, label, kind, required, options, hint } = setting;
  const common = {
    name,
    label,
    required,
    ...(hint !== '' && { description: hint }),
    error,
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  if (kind === SettingKind.CHOICE) return <NativeSelect {...common} data={[...options]} />;
  if (kind === SettingKind.PEM)
    return (
      <InputBase
        {...common}
        component="textarea"
        multiline
        rows={4}
        placeholder="-----BEGIN CERTIFICATE-----"
        classNames={{ input: css.area ?? '', label: css.label ?? '', description: css.description ?? '' }}
        {...plain}
      />
    );
  return (
    <TextInput
      {...common}
      placeholder={setting.default}
      {...(kind === SettingKind.PORT && { inputMode: 'numeric' as const })}
      {...plain}
    />
  );
}

type CredentialInputProps = {
  readonly credential: CredentialField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

function CredentialInput({ credential, value, error, onChange }: CredentialInputProps) {
  const { key, label, multiline, hint, required } = credential;
  const later = required ? 'May also be given later.' : 'Optional.';
  const common = {
    name: key,
    label,
    description: hint === '' ? later : `${hint} ${later}`,
    error,
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  // Dots hide a key of several lines from who looks over the shoulder, too.
  if (multiline)
    return (
      <InputBase
        {...common}
        component="textarea"
        multiline
        rows={4}
        classNames={{ input: css.secret ?? '', label: css.label ?? '', description: css.description ?? '' }}
        {...plain}
      />
    );
  return (
    <PasswordInput
      {...common}
      {...plain}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': `Show ${label.toLowerCase()}` }}
    />
  );
}
