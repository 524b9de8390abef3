import type { Passkeys } from '@sightline/contract/passkeys'
import { Button, type Form, Notice, PasswordField, TextField } from '@sightline/kit'
import { usePasskeyText } from './text.ts'
import type { useProof } from './use-proof.ts'

interface ProofFieldProps<V extends Record<'proof', string>> {
  kind: Passkeys['proof']
  form: Form<V>
  proof: ReturnType<typeof useProof>
  /** Confirms with a passkey instead of the field. */
  onPasskey: () => void
}

/** The password, or a code if there is a second factor; or an existing passkey. */
export function ProofField<V extends Record<'proof', string>>({ kind, form, proof, onPasskey }: ProofFieldProps<V>) {
  const t = usePasskeyText()
  return (
    <>
      {proof.refused ? (
        <Notice mood="warning">{t("Couldn't confirm with a passkey, or you canceled. Try again.")}</Notice>
      ) : null}
      {kind === 'password' ? (
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          required
          {...form.field('proof')}
        />
      ) : (
        <TextField
          label={t('Authentication or recovery code')}
          hint={t('Enter a code from your authenticator app or one of your recovery codes.')}
          required
          dir="ltr"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={16}
          {...form.field('proof')}
        />
      )}
      {proof.canUsePasskey ? (
        <Button variant="quiet" icon="key" className="-ms-4" onClick={onPasskey}>
          {t('Confirm with a passkey instead')}
        </Button>
      ) : null}
    </>
  )
}
