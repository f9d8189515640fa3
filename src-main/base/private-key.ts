import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * An RSA private key in PEM (PKCS#1 or PKCS#8). Line ends may be written as the two characters `\n`, as environment files
 * need them. Throws for anything else.
 */
export function rsaPrivateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError(`it is ${key.asymmetricKeyType}, not RSA`);
  return key;
}
