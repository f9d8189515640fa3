import {
  type Connection,
  type ConnectionType,
  type SettingField,
  SettingKind,
} from '#shared/gen/datasource/v1/connections_pb.js';

/** Contents of the form of a connection. */
export type ConnectionInput = {
  readonly name: string;
  readonly tenant: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Only those that were given. */
  readonly credentials: Readonly<Record<string, string>>;
};

/** What is wrong with fields of the form, by the field: `name`, `tenant`, or a setting or credential. */
export type Faults = Readonly<Record<string, string>>;

/** The form of a new connection of a type. */
export const emptyInput = (type: ConnectionType): ConnectionInput => ({
  name: '',
  tenant: '',
  settings: Object.fromEntries(type.settings.map((field) => [field.name, chosenByDefault(field)])),
  credentials: {},
});

/** The form of a connection that is changed. Its credentials are not known here. */
export const inputOf = (type: ConnectionType, { name, tenant, settings }: Connection): ConnectionInput => ({
  name,
  tenant,
  settings: Object.fromEntries(
    type.settings.map((field) => [field.name, settings[field.name] ?? chosenByDefault(field)]),
  ),
  credentials: {},
});

/** A choice has its default chosen; another field shows its own while it is empty. */
const chosenByDefault = (field: SettingField): string =>
  field.kind === SettingKind.CHOICE ? field.default : '';

/** Returns what the console would refuse, so that it is said of every field at once. */
export function faultsOf(type: ConnectionType, { name, tenant, settings }: ConnectionInput): Faults {
  const faults = new Map<string, string>();
  if (name.trim() === '') faults.set('name', 'A connection needs a name.');
  if (tenant.trim() === '') faults.set('tenant', 'A connection belongs to a tenant.');
  for (const field of type.settings) {
    const value = settings[field.name]?.trim() ?? '';
    const fault =
      value === '' ? (field.required ? 'This is required.' : undefined) : settingFault(field, value);
    if (fault !== undefined) faults.set(field.name, fault);
  }
  return Object.fromEntries(faults);
}

function settingFault({ kind, pattern }: SettingField, value: string): string | undefined {
  switch (kind) {
    case SettingKind.PORT:
      return /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65_535
        ? undefined
        : 'Must be a port from 1 to 65535.';
    case SettingKind.URL:
      return /^https?:\/\/[^/]/.test(value) ? undefined : 'Must begin with http:// or https://.';
    case SettingKind.PEM:
      return value.includes('-----BEGIN CERTIFICATE-----')
        ? undefined
        : 'Must hold -----BEGIN CERTIFICATE-----.';
    case SettingKind.TEXT:
      return pattern === '' || new RegExp(`^(?:${pattern})$`, 'u').test(value)
        ? undefined
        : `Must match ${pattern}`;
    default:
      return undefined;
  }
}

/** Returns the field that a refusal names, such as `host` of `The setting "host" must be …`. */
export function refusedField(type: ConnectionType, message: string): string | undefined {
  const named = /"([\w.]+)"/.exec(message)?.[1]?.split('.').at(-1);
  const known = ['name', 'tenant', ...type.settings.map((field) => field.name)];
  return [...known, ...type.credentials.map(({ key }) => key)].find((field) => field === named);
}
