import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that ships, with the licence it is given under. */
export type Notice = {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package states it. */
  readonly licence: string;
  readonly text: string;
};

/** A package that packs no licence text: what a person found, and where the text is. */
export type WithoutText = {
  readonly reason: string;
  /** Files below the project's root. */
  readonly text: readonly string[];
};

type Manifest = { name?: string; version?: string; license?: string | { type?: string } };

/**
 * Reads the notice of a package: its licence files, else the text it is listed with in `withoutText`, else it is an error
 * that names the package.
 */
export function readNotice(
  root: string,
  folder: string,
  withoutText: Readonly<Record<string, WithoutText>>,
): Notice {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const { name = folder, version = '', license } = manifest;
  const licence = typeof license === 'string' ? license : license?.type;
  if (licence === undefined) throw new Error(`${name} ${version} (${folder}) states no licence.`);
  const texts =
    packedTexts(join(root, folder)) ?? withoutText[name]?.text.map((file) => join(root, file)).map(readText);
  if (texts === undefined)
    throw new Error(
      `${name} ${version} (${folder}) has no licence text: list it in resources/build/without-licence-text.ts, with the reason.`,
    );
  return { name, version, licence, text: texts.join('\n\n') };
}

/** The texts of the package's licence files, else of the section of its readme that grants it. */
function packedTexts(folder: string): string[] | undefined {
  const files = readdirSync(folder).toSorted();
  const licences = files.filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file));
  if (licences.length > 0) return licences.map((file) => readText(join(folder, file)));
  const readme = files.find((file) => /^readme\.md$/i.test(file));
  if (readme === undefined) return undefined;
  const sections = readText(join(folder, readme)).split(/^(?:#+[ \t]*(?=licen[cs]e)|(?=licen[cs]e\n-+\n))/im);
  const granting = sections
    .slice(1)
    .find((text) => /permission is hereby granted|redistribution and use/i.test(text));
  return granting === undefined ? undefined : [granting.replace(/\n#+ [\s\S]*$/, '').trim()];
}

function readText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
}

const rule = '-'.repeat(80);

/** Returns the file that ships: each package once, by name, with version, licence and text. */
export function noticesText(notices: readonly Notice[]): string {
  const once = new Map(notices.map((notice) => [`${notice.name} ${notice.version}`, notice]));
  const sorted = [...once].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.map(
    ([title, { licence, text }]) => `${rule}\n${title}\nLicence: ${licence}\n\n${text}\n`,
  );
  return `Third-party notices of Operator Console\n\n${sorted.length} packages ship with this program.\n\n${parts.join('\n')}`;
}

type Lock = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly os?: readonly string[] }>>;
};

/**
 * Returns the folders of packages that are installed beside the program: everything in the lock that is not for developers.
 * Builds for one system carry the licence of the package that brings them, and Node itself is not packed.
 */
export function installedPackages(root: string): string[] {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages).flatMap(([folder, { dev, os }]) =>
    folder === '' || dev === true || os !== undefined ? [] : folder,
  );
}
