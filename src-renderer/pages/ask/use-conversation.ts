import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { OpenBeside } from '#shared/api/chat.ts';
import { AskService } from '#shared/gen/platform/v1/ask_pb.js';
import { call } from '../../core/api.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { sentenceOf } from '../../core/failure.ts';
import { type Address, usePageAddress } from '../../core/page-address.ts';
import { consoleStream } from '../../core/rpc-stream.ts';
import { useSession } from '../../core/session.tsx';
import { createHistory, type Entry, type Place } from './history.ts';

const history = createHistory(sessionStorage);

/** The questions of this tab, and asking another; what is asked knows the target and what is open beside it. */
export function useConversation() {
  const { me } = useSession();
  const [address] = usePageAddress();
  const target = useClusterTarget();
  useEffect(() => history.open(me.email ?? 'nobody'), [me.email]);
  const entries = useSyncExternalStore(history.subscribe, history.entries);
  const open = useMemo(() => openBeside(address), [address]);
  const ask = useCallback((question: string) => void say(question, { target, open }), [target, open]);
  const isReading = entries.some(({ state }) => state === 'reading');
  return { entries, ask, isReading, clear: history.clear, open };
}

/** The object that the address has open. */
function openBeside(address: Address): OpenBeside | undefined {
  const { tab, record, kind, name, namespace } = address;
  if (tab === 'nodes' && record !== null) return { kind: 'Node', name: record };
  if (tab === 'namespaces' && name !== null)
    return { ...(kind === null ? {} : { kind }), name, ...(record === null ? {} : { namespace: record }) };
  if (tab === 'logs' && name !== null)
    return { kind: 'Pod', name, ...(namespace === null ? {} : { namespace }) };
  if (tab === 'services' && record?.includes('/') === true) {
    const [within = '', service = ''] = record.split('/');
    return { kind: 'Service', name: service, namespace: within };
  }
  return undefined;
}

type Beside = { readonly target: string | undefined; readonly open: OpenBeside | undefined };

/** Asks the chat; what it does not understand is searched for an answer. */
async function say(question: string, { target, open }: Beside): Promise<void> {
  const id = crypto.randomUUID();
  const blank: Entry = {
    id,
    question,
    at: Date.now(),
    state: 'reading',
    text: '',
    by: '',
    places: [],
    notRead: [],
  };
  // The code of a confirmation is not shown again, nor kept.
  const isConfirmation = /^confirm\s+\S/i.test(question);
  if (isConfirmation) history.closeProposals();
  history.add(isConfirmation ? { ...blank, question: 'Confirm' } : blank);
  try {
    const answer = await call('chat.say', {
      body: {
        message: question,
        ...(target === undefined ? {} : { target }),
        ...(open === undefined ? {} : { open }),
      },
    });
    if (!answer.understood) return await searchFor(id, question, { target, notUnderstood: answer.reply });
    if (answer.confirm !== undefined) history.closeProposals();
    history.change(id, (entry) => ({
      ...entry,
      state: 'answered',
      // The reply of a proposal ends with its code, which is kept with the proposal alone.
      text: answer.confirm?.summary ?? answer.reply,
      by: answer.read_by,
      ...(answer.tool === undefined ? {} : { tool: answer.tool.name }),
      places: answer.citations.map(({ label, address, quote = '' }) => ({ label, address, quote })),
      notRead: answer.unmeasured,
      ...(answer.confirm === undefined ? {} : { confirm: answer.confirm }),
    }));
  } catch (error) {
    history.change(id, (entry) => ({ ...entry, state: 'failed', text: sentenceOf(error) }));
  }
}

async function searchFor(
  id: string,
  question: string,
  { target, notUnderstood }: { readonly target: string | undefined; readonly notUnderstood: string },
): Promise<void> {
  const places: Place[] = [];
  const stream = consoleStream(
    AskService.method.ask,
    { question, target: target ?? '' },
    AbortSignal.timeout(120_000),
  );
  for await (const { part } of stream) {
    if (part.case === 'citation') {
      const { number, label, address, quote } = part.value;
      places.push({ number, label, address, quote });
      history.change(id, (entry) => ({ ...entry, places: [...places] }));
    } else if (part.case === 'text') {
      const { value } = part;
      history.change(id, (entry) => ({ ...entry, text: entry.text + value }));
    } else if (part.case === 'done') {
      const { writtenBy, hasEvidence, notSearched } = part.value;
      history.change(id, (entry) => ({
        ...entry,
        state: 'answered',
        by: writtenBy,
        text: hasEvidence ? entry.text : `${entry.text} ${notUnderstood}`,
        notRead: [...notSearched],
      }));
    }
  }
}
