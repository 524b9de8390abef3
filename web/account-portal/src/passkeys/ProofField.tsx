import type { Passkeys } from '@sightline/contract/passkeys'
import { Button, type Form, Notice, PasswordField, TextField } from '@sightline/kit'
import { usePasskeyText } from './text.ts'
import type { useProof } from './use-proof.ts'

interface ProofFieldProps<V extends Record<'proof', string>> {
  kind: Passkeys['proof']
  form: Form<V>
  proof: ReturnType<typeof useProof>
  /** Does it by a passkey in place of what is typed. */
  onPasskey: () => void
}

/** Password, or code where there is a second factor; or a passkey that is there already. */
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
