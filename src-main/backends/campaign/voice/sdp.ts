import { z } from 'zod';

/** Largest session description, in characters: one with many candidates and codecs is about a tenth of it. */
export const longestSdp = 64 * 1024;
const longestLine = 4096;
const mostLines = 2000;
/** `<type>=<value>`; a value holds no control characters but tabs. */
const line = /^[a-z]=(?:\P{Cc}|\t)*$/u;

/**
 * True for a session description that has the form of one (RFC 8866, 5): `v=0`, then `o=` and `s=`, at least one `t=` and one media
 * description, only lines `<type>=<value>`. What the lines mean is for the agent.
 */
export function isSessionDescription(text: string): boolean {
  if (text.length > longestSdp) return false;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > mostLines || !lines.every((each) => each.length <= longestLine && line.test(each)))
    return false;
  const types = lines.map((each) => each.slice(0, 1));
  const media = types.indexOf('m');
  const time = types.indexOf('t');
  return (
    lines[0] === 'v=0' &&
    types[1] === 'o' &&
    types[2] === 's' &&
    time > 2 &&
    media > time &&
    // A session has one of each; media descriptions have neither.
    ['v', 'o', 's'].every((type) => types.lastIndexOf(type) < 3)
  );
}

const sdp = z.string().refine(isSessionDescription);

/** A WebRTC offer, as browsers write it in JSON (W3C WebRTC, RTCSessionDescriptionInit). */
export const offerShape = z.object({ sdp, type: z.literal('offer') });
/** The answer of the calling agent. */
export const answerShape = z.object({ sdp, type: z.literal('answer') });
