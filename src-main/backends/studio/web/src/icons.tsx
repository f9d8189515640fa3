import type { ReactNode } from 'react';

const paths = {
  studio:
    'M8 2.5v2M4.5 4.5h7a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2ZM6 8v1M10 8v1M6.5 12.5v1.2M9.500 12.5v1.2',
  data: 'M3 4c0-1.100 2.200-2 5-2s5 .9 5 2-2.200 2-5 2-5-.9-5-2Zm0 0v8c0 1.100 2.200 2 5 2s5-.9 5-2V4M3 8c0 1.100 2.200 2 5 2s5-.9 5-2',
  screen: 'M3.500 2.500h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM2.500 6h11',
  rule: 'M2.500 4.200 3.700 5.400 5.800 3M2.500 10.800 3.700 12 5.800 9.600M8.500 4.500h5M8.500 11h5',
  notice: 'M4.500 11V7a3.500 3.500 0 0 1 7 0v4l1 1.500h-9L4.500 11ZM6.800 14h2.400',
  output: 'M8 10V2.500M5 5.500l3-3 3 3M3 10v3.500h10V10',
  part: 'M8 2 13.500 5v6L8 14 2.500 11V5L8 2ZM2.500 5 8 8l5.500-3M8 8v6',
  panel: 'M3.500 2.500h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM10 2.500v11',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M6 5.500h6.500a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6.500a1 1 0 0 1 1-1ZM3 11a1 1 0 0 1-.5-.9V3.500a1 1 0 0 1 1-1H10a1 1 0 0 1 .9.500',
} as const;

export type IconName = keyof typeof paths;

/** A line icon, 14 px. Decorative: the word beside it says what it means. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.400"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The turning arc: work is going on. The only loop of the design; still under reduced motion. */
export function WorkingGlyph(): ReactNode {
  return (
    <svg className="glyph working" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="5.250" fill="none" stroke="currentColor" strokeWidth="1.600" opacity=".28" />
      <path
        className="arc"
        d="M7 1.750A5.250 5.250 0 1 1 1.750 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.800"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** The filled triangle of a degraded state. */
export function WarningGlyph(): ReactNode {
  return (
    <svg className="glyph degraded" viewBox="0 0 14 14" aria-hidden="true">
      <path d="M7 1.200 13.400 12.600H.6Z" fill="currentColor" />
      <path
        d="M7 5.200v3.400M7 10.300v.9"
        stroke="var(--surface)"
        strokeWidth="1.400"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** The filled octagon of a failing state. */
export function FailingGlyph(): ReactNode {
  return (
    <svg className="glyph failing" viewBox="0 0 14 14" aria-hidden="true">
      <path d="M4.400.8h5.200l3.600 3.600v5.200l-3.600 3.600H4.400L.8 9.600V4.400Z" fill="currentColor" />
      <path
        d="m4.900 4.900 4.200 4.200M9.100 4.900 4.900 9.100"
        stroke="var(--surface)"
        strokeWidth="1.500"
        strokeLinecap="round"
      />
    </svg>
  );
}
