/** Where links lead: to the window once it can go there. */
export type LinkTarget = {
  show(): void;
  open(address: string): void;
};

/**
 * Takes links from the start on and hands them over once there is a window that can follow them. Nothing of a link is
 * used before `parse` has checked it; a link with anything unknown only brings the window to the front.
 */
export function linksInTurn(): {
  take(link: string | undefined): void;
  /** The newest link of before that names an address. */
  first(parse: (link: string) => string | undefined): string | undefined;
  /** From now on links go there. */
  follow(target: LinkTarget, parse: (link: string) => string | undefined): void;
  /** Brings this to the front until links are followed. */
  showing(target: Pick<LinkTarget, 'show'>): void;
} {
  const waiting: string[] = [];
  let shown: Pick<LinkTarget, 'show'> | undefined;
  let followed: { target: LinkTarget; parse: (link: string) => string | undefined } | undefined;
  const take = (link: string | undefined): void => {
    shown?.show();
    if (link === undefined) return;
    if (followed === undefined) {
      waiting.push(link);
      return;
    }
    const address = followed.parse(link);
    if (address !== undefined) followed.target.open(address);
  };
  return {
    take,
    first(parse) {
      const addresses = waiting.splice(0).flatMap((link) => parse(link) ?? []);
      return addresses.at(-1);
    },
    follow(target, parse) {
      shown = target;
      followed = { target, parse };
      for (const link of waiting.splice(0)) take(link);
    },
    showing(target) {
      shown = target;
    },
  };
}
