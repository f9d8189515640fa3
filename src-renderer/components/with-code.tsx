/** Matches text to be typed or searched for exactly: between backticks, variables and addresses. */
const literals = /(`[^`]+`|[A-Z]+(?:_[A-Z]+)+|https?:\/\/[^\s,]*[^\s,.])/;

/** A sentence with what is code in it in mono. */
export function WithCode({ children }: { readonly children: string }) {
  return children
    .split(literals)
    .map((piece, index) =>
      index % 2 === 1 ? <code key={`${index} ${piece}`}>{piece.replaceAll('`', '')}</code> : piece,
    );
}
