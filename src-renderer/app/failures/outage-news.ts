import { useEffect, useRef } from 'react';
import { announce } from '../../core/announce.ts';
import { isSilence } from '../../core/failure.ts';
import { usePlatform } from '../../core/use-platform.ts';

/** Says to a screen reader that the console answers again: the banner of the outage says only that it does not. */
export function useOutageNews(): void {
  const silent = isSilence(usePlatform().error);
  const wasSilent = useRef(false);
  useEffect(() => {
    if (wasSilent.current && !silent) announce('The console answers again.');
    wasSilent.current = silent;
  }, [silent]);
}
