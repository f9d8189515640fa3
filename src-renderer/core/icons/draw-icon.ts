import { createElement, type ReactElement, type SVGProps } from 'react';

/** Elements of an SVG of 24 by 24 units with their attributes. */
type Drawing = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

type IconProps = Omit<SVGProps<SVGSVGElement>, 'stroke' | 'ref'> & {
  /** Width and height in px; 24 when left out. */
  readonly size?: number;
  /** Width of a line in units of the drawing; 2 when left out. */
  readonly stroke?: number;
};

type DrawnIcon = (props: IconProps) => ReactElement;

/** An icon of lines in the colour of the text around it. */
export function outline(drawing: Drawing): DrawnIcon {
  return function OutlineIcon({ stroke = 2, ...props }) {
    const lines = { fill: 'none', stroke: 'currentColor', strokeWidth: stroke } as const;
    return draw(drawing, { ...lines, strokeLinecap: 'round', strokeLinejoin: 'round' }, props);
  };
}

/** An icon of areas in the colour of the text around it. */
export function filled(drawing: Drawing): DrawnIcon {
  return function FilledIcon({ stroke: _stroke, ...props }) {
    return draw(drawing, { fill: 'currentColor', stroke: 'none' }, props);
  };
}

function draw(
  drawing: Drawing,
  look: SVGProps<SVGSVGElement>,
  { size = 24, ...rest }: Omit<IconProps, 'stroke'>,
) {
  return createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      ...look,
      ...rest,
    },
    drawing.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index })),
  );
}
