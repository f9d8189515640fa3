/** One server-sent event as it was read. */
export type RawEvent = { readonly event: string; readonly data: string; readonly id: string | undefined };

/**
 * Parses server-sent events as they come (WHATWG HTML, section 9.2.6). `onBytes` hears of everything that comes, comments
 * too. The body is cancelled when the reader leaves.
 */
export async function* parseEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<RawEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const fields = newFields();
  let unread = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      unread += decoder.decode(value, { stream: true });
      // A CR at the end may be half of a CRLF: it waits for what comes after.
      const end = unread.endsWith('\r') ? unread.length - 1 : unread.length;
      const lines = unread.slice(0, end).split(/\r\n|\r|\n/);
      unread = (lines.pop() ?? '') + unread.slice(end);
      for (const line of lines) {
        const event = line === '' ? fields.take() : fields.add(line);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** The fields of the event that is being read. An id stays for the events after it. */
function newFields() {
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  return {
    add(line: string): undefined {
      const colon = line.indexOf(':');
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
      if (name === 'event') event = value;
      if (name === 'data') data.push(value);
      if (name === 'id' && !value.includes('\0')) id = value;
    },
    /** The event that a blank line ends, or undefined when it has no data. */
    take(): RawEvent | undefined {
      const taken = { event: event === '' ? 'message' : event, data: data.join('\n'), id };
      const isEmpty = data.length === 0;
      event = '';
      data = [];
      return isEmpty ? undefined : taken;
    },
  };
}
