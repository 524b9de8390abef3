import { type Passkeys, patchPasskeys } from '@sightline/contract/passkeys'
import { useApplication } from '@sightline/shell'
import { ConfirmByProof } from './ConfirmByProof.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { usePasskeyText } from './text.ts'

interface AskAfterPasswordProps {
  state: Passkeys
  onClose: () => void
  /** Of the second factor something else is true now. */
  onChanged: () => void
  /** The first ones of the person; they are shown this once. */
  onRecoveryCodes: (codes: readonly string[]) => void
}

/** Switches on, or off, that a passkey is asked for after the password. */
export function AskAfterPassword({ state, onClose, onChanged, onRecoveryCodes }: AskAfterPasswordProps) {
  const { client, queries } = useApplication()
  const t = usePasskeyText()
  const asks = !state.asSecondFactor
  return (
    <ConfirmByProof
      state={state}
      title={t(asks ? 'Ask for a passkey after the password' : 'Stop asking for a passkey')}
      submit={t(asks ? 'Ask for it' : 'Stop asking')}
      success={t(asks ? 'A passkey is now asked for after the password' : 'No passkey is asked for any more')}
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
            ? 'The password alone then lets nobody in. You get recovery codes for the case that you are without your passkeys.'
            : 'The password is then enough again, unless you have an authenticator app. Without one, your recovery codes no longer work.',
        )}{' '}
        {t('You are signed out everywhere else.')}
      </p>
    </ConfirmByProof>
  )
}
