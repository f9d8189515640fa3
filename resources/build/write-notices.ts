import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageLists } from './bundled-packages.ts';
import { installedPackages, noticesText, readNotice } from './third-party-notices.ts';
import { withoutLicenceText } from './without-licence-text.ts';

// node resources/build/write-notices.ts: the last step of the build. Writes the notices of everything that ships beside the web
// app, which serves them as /third-party-notices.txt.
const root = join(import.meta.dirname, '../..');
const bundled = readdirSync(join(root, packageLists)).flatMap((file): string[] =>
  JSON.parse(readFileSync(join(root, packageLists, file), 'utf8')),
);
const notices = [...new Set([...bundled, ...installedPackages(root)])].map((folder) =>
  readNotice(root, folder, withoutLicenceText),
);
const icons = 'src-renderer/core/icons';
const [, version = ''] =
  /@tabler\/icons-react (\S+)/.exec(readFileSync(join(root, icons, 'icons.ts'), 'utf8')) ?? [];
notices.push({
  name: '@tabler/icons-react',
  version,
  licence: 'MIT',
  text: readFileSync(join(root, icons, 'LICENSE'), 'utf8').trim(),
});
writeFileSync(join(root, 'out/renderer/third-party-notices.txt'), noticesText(notices));
