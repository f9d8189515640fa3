import type { WithoutText } from './third-party-notices.ts';

const apache: WithoutText = {
  reason:
    'States Apache-2.0 in package.json and packs no file; the text is the one this project is under, too.',
  text: ['LICENSE'],
};

/** Packages that ship and pack no licence text, each looked at by a person. */
export const withoutLicenceText: Readonly<Record<string, WithoutText>> = {
  '@aws-sdk/credential-provider-http': apache,
  '@aws-sdk/credential-provider-login': apache,
  '@aws-sdk/nested-clients': apache,
  '@bufbuild/cel': apache,
  '@bufbuild/cel-spec': apache,
  '@bufbuild/protobuf': {
    reason:
      'States Apache-2.0 and, for code that came from Google, BSD-3-Clause in package.json; packs neither.',
    text: ['LICENSE', 'resources/build/licences/protobuf.txt'],
  },
  '@connectrpc/connect': apache,
  '@connectrpc/connect-node': apache,
  '@connectrpc/connect-web': apache,
  'abstract-logging': {
    reason: 'States MIT and its author in package.json and packs no file.',
    text: ['resources/build/licences/abstract-logging.txt'],
  },
  'react-remove-scroll-bar': {
    reason:
      'States MIT in package.json and packs no file; the text is of react-remove-scroll, by the same author.',
    text: ['resources/build/licences/react-remove-scroll-bar.txt'],
  },
};
