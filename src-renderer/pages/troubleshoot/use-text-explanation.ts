import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { TextReport } from '#shared/api/troubleshoot.ts';
import { call } from '../../core/api.ts';

/** The explanation of a pasted text. The text itself is not kept, only what was found in it. */
export type TextExplanation = {
  /** Report on the last text; discarded with the page. */
  readonly report: TextReport | undefined;
  readonly error: Error | null;
  readonly explaining: boolean;
  readonly explain: (text: string, onDone: (found: TextReport) => void) => void;
  /** Ends what is under way and puts away a failure. */
  readonly dismiss: () => void;
  /** Puts away what was found. */
  readonly forget: () => void;
};

/** Has texts explained, one at a time. */
export function useTextExplanation(): TextExplanation {
  const [report, setReport] = useState<TextReport>();
  const {
    error,
    isPending: explaining,
    mutate,
    reset: dismiss,
  } = useMutation({
    mutationFn: (text: string) => call('troubleshoot.text', { body: { text } }),
    // A mutation that has ended stays in memory with what it was given, the text.
    gcTime: 0,
  });
  const explain = useCallback(
    (text: string, onDone: (found: TextReport) => void) =>
      mutate(text, {
        onSuccess: (found) => {
          setReport(found);
          dismiss();
          onDone(found);
        },
      }),
    [mutate, dismiss],
  );
  const forget = useCallback(() => setReport(undefined), []);
  return useMemo(
    () => ({ report, error, explaining, explain, dismiss, forget }),
    [report, error, explaining, explain, dismiss, forget],
  );
}
