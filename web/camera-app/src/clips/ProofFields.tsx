import { MAX_EXPORT_REASON } from '@sightline/contract/streams'
import { CopyField, Notice, Switch, TextField } from '@sightline/kit'
import { useQuery } from '@tanstack/react-query'
import { useText } from './text.ts'

/** Whether a file proves itself, and why it is exported. */
export interface ProofWish {
  readonly isWanted: boolean
  readonly reason: string
}

interface ProofFieldsProps {
  wish: ProofWish
  onChange: (wish: ProofWish) => void
  /** Some of the footage is so new that its list isn't signed yet. */
  isRecent: boolean
}

/** Of the key that signs now; null if the installation publishes none. */
async function loadFingerprint(signal: AbortSignal): Promise<string | null> {
  const response = await fetch('/.well-known/footage-keys.json', { signal })
  if (!response.ok) throw new Error(`footage-keys.json: ${response.status}`)
  const { keys }: { keys: readonly { fingerprint: string; retiredAt?: string }[] } = await response.json()
  return keys.find(({ retiredAt }) => retiredAt === undefined)?.fingerprint ?? null
}

/** Makes the download evidence: signed, with a reason, and with what the recipient needs to check it. */
export function ProofFields({ wish, onChange, isRecent }: ProofFieldsProps) {
  const t = useText()
  const { data: fingerprint } = useQuery({
    queryKey: ['footageKeys'],
    queryFn: ({ signal }) => loadFingerprint(signal),
    enabled: wish.isWanted,
  })
  return (
    <>
      <Switch
        label={t('Signed as evidence')}
        description={t(
          'Shows any later change, for example to police or a court. An interrupted download starts over.',
        )}
        checked={wish.isWanted}
        onChange={(isWanted) => onChange({ ...wish, isWanted })}
      />
      {wish.isWanted && isRecent ? (
        <Notice mood="neutral">
          {t('Footage of the last two minutes is proven less completely. Download it again later if you can.')}
        </Notice>
      ) : null}
      {wish.isWanted ? (
        <TextField
          label={t('Reason')}
          optional={t('optional')}
          maxLength={MAX_EXPORT_REASON}
          hint={t('Saved in the file with your name and email address.')}
          value={wish.reason}
          onChange={(event) => onChange({ ...wish, reason: event.currentTarget.value })}
        />
      ) : null}
      {wish.isWanted && typeof fingerprint === 'string' ? (
        <>
          <CopyField
            label={t('Fingerprint of the key')}
            value={fingerprint}
            hint={t('Give it to the recipient separately from the file, for example by phone.')}
          />
          <p className="text-sm">
            <a className="text-link-underline" href="/footage-check.html" target="_blank" rel="noopener">
              {t('Page for checking files')}
            </a>
          </p>
        </>
      ) : null}
    </>
  )
}
