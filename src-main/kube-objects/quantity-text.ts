/** A quantity as an API server writes it, which is how it is in the object; undefined without one. */
export function quantityText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
