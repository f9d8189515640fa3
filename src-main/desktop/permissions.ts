import type { MediaAccessPermissionRequest, Session } from 'electron';

/** A permission request of the page. */
export type PermissionRequest = {
  readonly permission: string;
  /** Origin or address of the requesting frame. */
  readonly asker: string | undefined;
  /** Kinds of media, for `media`. */
  readonly media: readonly string[];
};

/** The microphone (voice input) and writing the clipboard, on the console's own origin; nothing else, nowhere else. */
export function isPermitted({ permission, asker, media }: PermissionRequest, origin: string): boolean {
  if (asker === undefined || !URL.canParse(asker) || new URL(asker).origin !== origin) return false;
  if (permission === 'clipboard-sanitized-write') return true;
  return permission === 'media' && media.length > 0 && media.every((kind) => kind === 'audio');
}

/** Applies the rule to everything a page of `session` can request. */
export function guardPermissions(session: Session, currentOrigin: () => string | undefined): void {
  const isAllowed = (request: PermissionRequest): boolean => {
    const origin = currentOrigin();
    return origin !== undefined && isPermitted(request, origin);
  };
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const media = permission === 'media' ? ((details as MediaAccessPermissionRequest).mediaTypes ?? []) : [];
    callback(isAllowed({ permission, asker: details.requestingUrl, media }));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    isAllowed({
      permission,
      asker: requestingOrigin,
      media: details.mediaType === undefined ? [] : [details.mediaType],
    }),
  );
  // USB, HID and serial devices.
  session.setDevicePermissionHandler(() => false);
}
