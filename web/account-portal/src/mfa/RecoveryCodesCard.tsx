import type { Passkeys } from '@sightline/contract/passkeys'
import { renewRecoveryCodes } from '@sightline/contract/recovery-codes'
import { Button, Card } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useState } from 'react'
import { ConfirmByProof, passkeysQuery } from '../passkeys/index.ts'
import { mfaQuery } from './mfa-query.ts'
import { useMfaText } from './text.ts'

interface RecoveryCodesCardProps {
  state: Passkeys
  /** Read-only. */
  readOnly: boolean
  /** The ten codes, shown only once. */
  onCreated: (codes: readonly string[]) => void
}

/** The number of recovery codes left, and a way to replace them while the second factor stays on. */
export function RecoveryCodesCard({ state, readOnly, onCreated }: RecoveryCodesCardProps) {
  const { client, queries } = useApplication()
  const t = useMfaText()
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <Card
      title={t('Recovery codes')}
      description={t("If you don't have your app or a passkey, sign in with a recovery code. Each code works once.")}
      footer={
        <Button variant="secondary" disabled={readOnly} onClick={() => setAsking(true)}>
          {t('Create new recovery codes')}
        </Button>
      }
    >
      <p>{t('Recovery codes left: {count}', { count: state.recoveryCodesLeft })}</p>
      {isAsking ? (
        <ConfirmByProof
          state={state}
          title={t('Create new recovery codes?')}
          submit={t('Create codes')}
          change={(proof) => client.call(renewRecoveryCodes, { body: { proof } })}
          onDone={({ recoveryCodes }) => {
            void queries.invalidateQueries(passkeysQuery(client))
            void queries.invalidateQueries(mfaQuery(client))
            close()
            onCreated(recoveryCodes)
          }}
          onClose={close}
        >
          <p>{t("You'll get 10 new codes. Your old codes will stop working immediately.")}</p>
        </ConfirmByProof>
      ) : null}
    </Card>
  )
}
