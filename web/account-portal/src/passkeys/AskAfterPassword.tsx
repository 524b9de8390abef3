import { type Passkeys, patchPasskeys } from '@sightline/contract/passkeys'
import { useApplication } from '@sightline/shell'
import { ConfirmByProof } from './ConfirmByProof.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { usePasskeyText } from './text.ts'

interface AskAfterPasswordProps {
  state: Passkeys
  onClose: () => void
  /** Called when the state of the second factor changed. */
  onChanged: () => void
  /** The user's first recovery codes, shown only once. */
  onRecoveryCodes: (codes: readonly string[]) => void
}

/** Turns the passkey after the password on or off. */
export function AskAfterPassword({ state, onClose, onChanged, onRecoveryCodes }: AskAfterPasswordProps) {
  const { client, queries } = useApplication()
  const t = usePasskeyText()
  const asks = !state.asSecondFactor
  return (
    <ConfirmByProof
      state={state}
      title={t(asks ? 'Require a passkey after your password' : 'Stop requiring a passkey')}
      submit={t(asks ? 'Require passkey' : 'Stop requiring passkey')}
      success={t(asks ? 'A passkey is now required after your password' : 'A passkey is no longer required')}
      change={(proof) => client.call(patchPasskeys, { body: { asSecondFactor: asks, proof } })}
      onDone={({ recoveryCodes, ...changed }) => {
        queries.setQueryData(passkeysQuery(client).queryKey, changed)
        onChanged()
        onClose()
        if (recoveryCodes !== undefined) onRecoveryCodes(recoveryCodes)
      }}
      onClose={onClose}
    >
      <p>
        {t(
          asks
            ? "Your password alone will no longer be enough to sign in. You'll get recovery codes in case you lose your passkeys."
            : 'Your password will be enough to sign in, unless you use an authenticator app. Without an app, your recovery codes will stop working.',
        )}{' '}
        {t("You'll be signed out everywhere else.")}
      </p>
    </ConfirmByProof>
  )
}
