import { CopyIcon } from '../../components/copy-icon.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { utcTime } from '../../components/format-time.ts';
import css from './certificate-facts.module.css';
import { chainLabel, daysLabel, useLabels } from './certificate-labels.ts';
import type { CertificateRow } from './certificate-row.ts';
import { Validity } from './validity.tsx';

/** One certificate: where it is, who it is, how long it holds, and its fingerprint to compare. */
export function CertificateFacts({ ca }: { readonly ca: CertificateRow }) {
  const { found_in, subject, issuer, fingerprint, not_before, not_after, days_left, chain_ok } = ca;
  const { use, places = [], place_count = places.length } = ca;
  const moment = (at: string) => <time dateTime={at}>{utcTime(Date.parse(at), Date.now())} UTC</time>;
  return (
    <>
      <Facts>
        <Fact name="Time left">{daysLabel(days_left)}</Fact>
        <Fact name="Used">
          <Validity ca={ca} />
        </Fact>
        <Fact name="From">{moment(not_before)}</Fact>
        <Fact name="Until">{moment(not_after)}</Fact>
        <Fact name="Use">{useLabels[use]}</Fact>
        {use === 'mesh_ca' && (
          <Fact name="Chain">
            {chain_ok === undefined ? 'Self-signed: no other certificate' : chainLabel(ca)}
          </Fact>
        )}
        <Fact name="Found in">
          {place_count < 2 ? (
            found_in
          ) : (
            <ul>
              {places.map((place) => (
                <li key={`${place.namespace}/${place.found_in}`}>
                  {place.namespace}: {place.found_in}
                </li>
              ))}
              {place_count > places.length && <li>and {place_count - places.length} more</li>}
            </ul>
          )}
        </Fact>
        {issuer !== undefined && <Fact name="Issuer">{issuer}</Fact>}
        <Fact name="Subject">
          <span>{subject}</span>
          <CopyIcon text={() => subject} label="Copy the subject" />
        </Fact>
      </Facts>
      <Part title="Fingerprint" sub="SHA-256">
        <p className={css.fingerprint}>
          <code>{fingerprint}</code>
          <CopyIcon text={() => fingerprint} label="Copy the fingerprint" />
        </p>
      </Part>
    </>
  );
}
