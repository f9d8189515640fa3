/** Longest piece of a text from outside that stands in a sentence of ours, in characters. */
const longest = 300;

/** Stands where an address was. */
const addressRemoved = '(address removed)';

/** Addresses that a person or a program could follow: with a scheme, of a page, of a mailbox, or a host with a path. */
const followed = [
  /!?\[([^\]]*)\]\([^)]*\)/g,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]}]*/gi,
  /\b(?:javascript|data|vbscript|mailto|file|tel):[^\s"'<>)\]}]+/gi,
  /(?<![\w:/])\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s"'<>)\]}]*/gi,
  /\bwww\.[^\s"'<>)\]}]+/gi,
];
/** A tag or comment of HTML; `<none>` of kubectl is none. */
const tag = /<(?:!--[\s\S]*?--|\/?[a-z][a-z0-9-]*(?:\s[^>]*|\/)?)>/gi;
const kubectlWords = /^<(?:none|unknown|invalid|nil|unset|container)>$/i;
const hostWithPath = /\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?\/[^\s"'<>)\]}]*/gi;
/** A group and version (`apps.example/v1`), and an image with a tag or digest: names, not addresses. */
const isName = /\/(?:v\d+(?:(?:alpha|beta)\d+)?|[^?#]*[\w-](?::[\w][\w.-]{0,127}|@sha256:[0-9a-f]{8,64}))$/i;
/** A key of a label, taint or resource, or a type, under a domain whose names Kubernetes and its add-ons use: no page. */
const isClusterKey =
  /^(?:[a-z0-9-]+\.)*(?:kubernetes\.io|k8s\.io|nvidia\.com|amd\.com|intel\.com|openshift\.io|argoproj\.io|fluxcd\.io|helm\.sh|istio\.io|cert-manager\.io|platform\.dev)\/[A-Za-z0-9][\w.-]{0,62}$/;
const bareHost = /\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b(?!\()/gi;
/** Endings of names that look like hosts and lead nowhere outside: the cluster's own, files, fields. */
const insideName =
  /\.(?:svc|local|internal|cluster|invalid|ya?ml|json|log|txt|conf|go|ts|js|py|rb|sh|java|md|pem|crt|key|db|io|dev)$/i;

/**
 * A text of another system, to stand in a sentence of this console: one line, without control characters, HTML and
 * addresses, cut at `most` characters. What it says stays data: nothing reads it for commands.
 */
export function outsideText(text: string, most: number = longest): string {
  const plain = withoutAddresses(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is removed, with marks that turn the direction of text.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is removed, with marks that turn the direction of text.
const unseen = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Removes HTML and every address that could be followed; names of hosts, images and API groups stay. */
function withoutAddresses(text: string): string {
  let plain = text.replace(tag, (found) => (kubectlWords.test(found) ? found : ' '));
  for (const pattern of followed)
    plain = plain.replace(pattern, (_found, label?: unknown) =>
      typeof label === 'string' && label !== '' ? `${label} ${addressRemoved}` : addressRemoved,
    );
  return plain.replace(hostWithPath, (found) =>
    isName.test(found) || isClusterKey.test(found) ? found : addressRemoved,
  );
}

/**
 * The prose of a model: as `withoutAddresses`, and without names of hosts, which a model may have from a text it was told to
 * repeat. `known` hosts stay.
 */
export function modelProse(text: string, known: (host: string) => boolean = () => false): string {
  return withoutAddresses(text)
    .replace(unseen, ' ')
    .replace(bareHost, (found) => (insideName.test(found) || known(found) ? found : addressRemoved));
}
