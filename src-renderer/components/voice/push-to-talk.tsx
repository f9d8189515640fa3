import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../core/failure.ts';
import { IconMicrophone } from '../../core/icons/icons.ts';
import { Banner } from '../banner.tsx';
import { Glyph } from '../glyph.tsx';
import css from './push-to-talk.module.css';
import { microphones, type Recording, startRecording } from './recorder.ts';
import { failureOf } from './voice-failure.ts';

/** Longest recording, in ms: a command is a sentence. */
const longest = 60_000;

type Step = 'ready' | 'listening' | 'writing';

/** Records while it is on and writes down what was said: nothing is sent before the person stops it. */
export function PushToTalk({ onText }: { readonly onText: (text: string) => void }) {
  const [step, setStep] = useState<Step>('ready');
  const [error, setError] = useState<Error>();
  const [devices, setDevices] = useState<Awaited<ReturnType<typeof microphones>>>([]);
  const [device, setDevice] = useState('');
  const recording = useRef<Recording>(undefined);
  const meter = useRef<HTMLMeterElement>(null);

  const finish = async (): Promise<void> => {
    const ended = recording.current;
    recording.current = undefined;
    if (ended === undefined) return;
    setStep('writing');
    try {
      const response = await fetch('/api/stt', {
        method: 'POST',
        headers: { 'content-type': 'audio/wav' },
        body: await ended.finish(),
      });
      if (!response.ok) throw await failureOf(response);
      const { text = '' }: { text?: string } = await response.json();
      if (text === '') setError(new Error('Nothing was understood: speak a little louder, or closer.'));
      else onText(text);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setStep('ready');
    }
  };

  const begin = async (): Promise<void> => {
    setError(undefined);
    try {
      recording.current = await startRecording(device === '' ? undefined : device);
      setStep('listening');
      // Their names are told once one of them was allowed.
      setDevices(await microphones());
    } catch (failure) {
      setError(failure instanceof Error ? microphoneError(failure) : undefined);
    }
  };

  // The level is drawn past React: sixty times a second.
  useEffect(() => {
    if (step !== 'listening') return;
    let frame = requestAnimationFrame(function draw() {
      if (meter.current !== null) meter.current.value = recording.current?.level() ?? 0;
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [step]);
  const ending = useRef(finish);
  ending.current = finish;
  useEffect(() => {
    if (step !== 'listening') return;
    const timer = setTimeout(() => void ending.current(), longest);
    return () => clearTimeout(timer);
  }, [step]);
  useEffect(() => () => recording.current?.cancel(), []);

  return (
    <div className={css.talk}>
      <div className={css.row}>
        <Button
          variant={step === 'listening' ? 'filled' : 'default'}
          leftSection={<IconMicrophone size={14} stroke={2} aria-hidden />}
          aria-pressed={step === 'listening'}
          loading={step === 'writing'}
          onClick={() => void (step === 'listening' ? finish() : begin())}
        >
          {step === 'listening' ? 'Stop and write down' : 'Talk'}
        </Button>
        <meter ref={meter} className={css.meter} min={0} max={1} aria-label="Level of the microphone" />
        <NativeSelect
          aria-label="Microphone"
          className={css.device}
          value={device}
          disabled={step !== 'ready'}
          onChange={(event) => setDevice(event.currentTarget.value)}
          data={[
            { value: '', label: 'Default microphone' },
            ...devices
              .filter(({ id }) => id !== 'default')
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      <p className={css.state} role="status">
        {step === 'listening' && 'The microphone is on. Speak, then stop.'}
        {step === 'writing' && 'Writing down what you said.'}
      </p>
      {error !== undefined && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Nothing was written down.">
          {sentenceOf(error)}
        </Banner>
      )}
    </div>
  );
}

function microphoneError(error: Error): Error {
  switch (error.name) {
    case 'NotAllowedError':
      return new Error('The microphone is not allowed for this page: allow it in the browser and try again.');
    case 'NotFoundError':
    case 'OverconstrainedError':
      return new Error('There is no such microphone: connect one, or choose another.');
    default:
      return error;
  }
}
