/** What an agent or a person wrote, as text: only what stands between backticks becomes code. No other mark-up is read. */
export function CodeSpans({ children }: { readonly children: string }) {
  return children
    .split(/(`[^`\n]+`)/)
    .map((piece, index) =>
      index % 2 === 1 ? <code key={`${index} ${piece}`}>{piece.slice(1, -1)}</code> : piece,
    );
}
