import { z } from 'zod';

/*
 * The names of the Kubernetes API, as apimachinery checks them
 * (https://kubernetes.io/docs/concepts/overview/working-with-objects/names/).
 */

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

/** An RFC 1123 label: a namespace, a container. */
export const labelName = z
  .string()
  .max(63)
  .regex(new RegExp(`^${label}$`), 'must be an RFC 1123 label, such as tenant-willow');

/** An RFC 1123 subdomain: what most objects are called. */
export const objectName = z
  .string()
  .max(253)
  .regex(new RegExp(`^${label}(?:\\.${label})*$`), 'must be the name of a Kubernetes object');

/** A name of any kind of object, which is one segment of a path: some, such as roles, have other characters. */
export const segmentName = z
  .string()
  .min(1)
  .max(253)
  .refine(isPathSegment, 'must be the name of a Kubernetes object: not . or .., without / and %');

/** Returns whether a name cannot lead out of its place in a path (apimachinery, IsValidPathSegmentName). */
export function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}
