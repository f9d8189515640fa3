import { Button, InputBase, NativeSelect, TextInput } from '@mantine/core';
import type { ActableObject, ActId } from '#shared/api/acts.ts';
import { sentenceOf } from '../../core/failure.ts';
import { Banner } from '../banner.tsx';
import { exactTime } from '../format-time.ts';
import { Glyph } from '../glyph.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import css from './act-dialog.module.css';

type Args = Readonly<Record<string, unknown>>;

const withArguments: readonly ActId[] = ['scale', 'rollback', 'set_image', 'set_env', 'apply', 'drain'];

/** Returns whether an act takes arguments. */
export const needsArguments = (act: ActId): boolean => withArguments.includes(act);

type ActArgumentsProps = {
  readonly act: ActId;
  /** The object's values; undefined until they are read. */
  readonly actable: ActableObject | undefined;
  readonly error: Error | null;
  readonly given: Args;
  readonly working: boolean;
  readonly onChange: (args: Args) => void;
  readonly onPreview: () => void;
};

/** Asks for what an act needs, with the object's values of now. */
export function ActArguments(props: ActArgumentsProps) {
  const { act, actable, error, given, working, onChange, onPreview } = props;
  if (error !== null && actable === undefined)
    return (
      <Banner look="failing" icon={<Glyph state="failing" />} title="The object was not read.">
        {sentenceOf(error)}
      </Banner>
    );
  if (actable === undefined) return <SkeletonRows rows={2} />;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        onPreview();
      }}
    >
      <Fields act={act} actable={actable} given={given} onChange={onChange} />
      <Button type="submit" variant="filled" loading={working} disabled={!isComplete(act, given)}>
        Preview
      </Button>
    </form>
  );
}

function isComplete(act: ActId, given: Args): boolean {
  const required: Partial<Record<ActId, string>> = {
    scale: 'replicas',
    rollback: 'revision',
    set_image: 'image',
    set_env: 'name',
    apply: 'yaml',
  };
  const field = required[act];
  return field === undefined || (given[field] !== undefined && given[field] !== '');
}

type FieldsProps = Pick<ActArgumentsProps, 'act' | 'given' | 'onChange'> & {
  readonly actable: ActableObject;
};

function Fields({ act, actable, given, onChange }: FieldsProps) {
  const set = (name: string, value: unknown): void => {
    const { [name]: _before, ...rest } = given;
    onChange(value === undefined ? rest : { ...rest, [name]: value });
  };
  switch (act) {
    case 'scale':
      return (
        <TextInput
          label="Replicas"
          description={`Now ${actable.replicas ?? 'unknown'}.`}
          type="number"
          min={0}
          max={10_000}
          step={1}
          data-autofocus
          value={typeof given.replicas === 'number' ? String(given.replicas) : ''}
          onChange={({ currentTarget: { value } }) =>
            set('replicas', /^\d+$/.test(value) ? Number(value) : undefined)
          }
        />
      );
    case 'rollback':
      return <Revisions actable={actable} given={given} set={set} />;
    case 'set_image':
      return (
        <>
          <ContainerField actable={actable} given={given} set={set} />
          <TextInput
            label="Image"
            description={`Now ${containerOf(actable, given)?.image ?? 'unknown'}.`}
            data-autofocus
            value={textOf(given.image)}
            onChange={(event) => set('image', event.currentTarget.value)}
          />
        </>
      );
    case 'set_env':
      return <Variable actable={actable} given={given} set={set} />;
    case 'drain':
      return (
        <div className={css.checks}>
          <Check label="Also pods that no controller makes again" name="bare_pods" given={given} set={set} />
          <Check label="Also pods whose emptyDir volumes are lost" name="empty_dir" given={given} set={set} />
        </div>
      );
    case 'apply':
      return (
        <InputBase
          component="textarea"
          label="YAML"
          description="Values shown as ***HIDDEN*** stay as they are."
          classNames={{ input: css.yaml ?? '' }}
          spellCheck={false}
          rows={20}
          data-autofocus
          value={textOf(given.yaml ?? actable.yaml)}
          onChange={(event) => set('yaml', event.currentTarget.value)}
        />
      );
    default:
      return null;
  }
}

type PartProps = {
  readonly actable: ActableObject;
  readonly given: Args;
  readonly set: (name: string, value: unknown) => void;
};

type CheckProps = Omit<PartProps, 'actable'> & { readonly label: string; readonly name: string };

function Check({ label, name, given, set }: CheckProps) {
  return (
    <label className={css.check}>
      <input
        type="checkbox"
        checked={given[name] === true}
        onChange={(event) => set(name, event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function Revisions({ actable: { revisions = [] }, given, set }: PartProps) {
  if (revisions.every(({ current }) => current)) return <p>No earlier revision is kept.</p>;
  return (
    <NativeSelect
      label="Revision"
      data-autofocus
      data={[
        { value: '', label: 'Choose a revision' },
        ...revisions.map(({ revision, images, created_at, current }) => ({
          value: String(revision),
          label: `${revision}: ${images.join(', ')}${created_at === undefined ? '' : `, ${exactTime(Date.parse(created_at))}`}${current ? ' (now)' : ''}`,
          disabled: current,
        })),
      ]}
      value={given.revision === undefined ? '' : String(given.revision)}
      onChange={({ currentTarget: { value } }) => set('revision', value === '' ? undefined : Number(value))}
    />
  );
}

function ContainerField({ actable: { containers = [] }, given, set }: PartProps) {
  if (containers.length < 2) return null;
  return (
    <NativeSelect
      label="Container"
      data={['', ...containers.map(({ name }) => name)]}
      value={typeof given.container === 'string' ? given.container : ''}
      onChange={({ currentTarget: { value } }) => set('container', value === '' ? undefined : value)}
    />
  );
}

function Variable({ actable, given, set }: PartProps) {
  const known = containerOf(actable, given)?.env ?? [];
  const before = known.find(({ name }) => name === given.name);
  return (
    <>
      <ContainerField actable={actable} given={given} set={set} />
      <TextInput
        label="Name"
        data-autofocus
        list="act-variables"
        value={textOf(given.name)}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <datalist id="act-variables">
        {known.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextInput
        label="Value"
        description={before === undefined ? 'Not set now.' : `Now ${before.value ?? 'from a reference'}.`}
        value={textOf(given.value)}
        onChange={(event) => set('value', event.currentTarget.value)}
      />
      {before !== undefined && given.value === undefined && (
        <p className={css.note}>Without a value the variable is removed.</p>
      )}
    </>
  );
}

function containerOf({ containers = [] }: ActableObject, { container }: Args) {
  return containers.find(({ name }) => name === container) ?? containers[0];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
