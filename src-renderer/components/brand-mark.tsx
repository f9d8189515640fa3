/** The product's mark: a watched ring with a gap. */
export function BrandMark({ size }: { readonly size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M15.5 6.5A7 7 0 1 0 16 9" />
      <circle cx="9" cy="9" r="2.2" fill="currentColor" stroke="none" />
    </svg>
  );
}
