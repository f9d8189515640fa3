/** A time of the Kubernetes API (RFC 3339) in epoch ms; undefined for none, and for what is no time. */
export function kubeTime(text: string | undefined): number | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
