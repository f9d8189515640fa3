import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import { FilterInput } from './filter-input.tsx';

/** Debounce of typing, in milliseconds. */
const restMs = 250;

/** Characters an address keeps of it. */
const longest = 200;

type TextFilterProps = {
  readonly ref: Ref<HTMLInputElement>;
  /** Value in the address. */
  readonly value: string;
  readonly label: string;
  /** False for one that `/` does not go to. */
  readonly keyed?: boolean;
  readonly onChange: (value: string) => void;
};

/** The text filter of a list. It follows the address, and the address follows it once typing rests. */
export function TextFilter({ ref, value, label, keyed = true, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (followed !== value) {
    setFollowed(value);
    setTyped(value);
  }
  const tell = useEffectEvent((text: string) => onChange(text));
  useEffect(() => {
    const text = typed.trim().slice(0, longest);
    if (text === value) return;
    const timer = setTimeout(() => tell(text), restMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return <FilterInput ref={ref} value={typed} onChange={setTyped} label={label} keyed={keyed} />;
}
