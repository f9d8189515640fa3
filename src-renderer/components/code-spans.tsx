/**
 * Renders text written by an agent or a person, with text between backticks as code. No other markup is interpreted.
 */
export function CodeSpans({ children }: { readonly children: string }) {
  return children
    .split(/(`[^`\n]+`)/)
    .map((piece, index) =>
      index % 2 === 1 ? <code key={`${index} ${piece}`}>{piece.slice(1, -1)}</code> : piece,
    );
}
