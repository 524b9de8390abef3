import { type PasskeyProof, type Passkeys, patchPasskeys } from '@sightline/contract/passkeys'
import { useForm } from '@sightline/kit'
import { FormDialog } from '@sightline/kit/page'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { ProofField } from './ProofField.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { usePasskeyText } from './text.ts'
import { useProof } from './use-proof.ts'

interface ProofForm extends Record<string, string> {
  readonly proof: string
}

const empty: ProofForm = { proof: '' }

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
  const save = useSave()
  const proof = useProof(state)
  const [busy, setBusy] = useState(false)
  const form = useForm(empty, { proof: (text) => (text === '' ? 'Required.' : undefined) }, t.message)
  const asks = !state.asSecondFactor

  const change = async (given: PasskeyProof) => {
    const outcome = await save(() => client.call(patchPasskeys, { body: { asSecondFactor: asks, proof: given } }), {
      success: t(asks ? 'A passkey is now asked for after the password' : 'No passkey is asked for any more'),
      messages: proof.messages,
      form: { fields: ['proof'], fieldOfCode: proof.fieldOfCode, refuse: form.refuse },
    })
    if ('failure' in outcome) return
    const { recoveryCodes, ...changed } = outcome.saved
    queries.setQueryData(passkeysQuery(client).queryKey, changed)
    onChanged()
    onClose()
    if (recoveryCodes !== undefined) onRecoveryCodes(recoveryCodes)
  }
  const byPasskey = async () => {
    setBusy(true)
    const given = await proof.byPasskey()
    if (given !== undefined) await change(given)
    setBusy(false)
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={t(asks ? 'Ask for a passkey after the password' : 'Stop asking for a passkey')}
      submit={t(asks ? 'Ask for it' : 'Stop asking')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy || busy}
      onSubmit={form.submit(({ proof: text }) => change(proof.typed(text)))}
    >
      <p>
        {t(
          asks
            ? 'The password alone then lets nobody in. You get recovery codes for the case that you are without your passkeys.'
            : 'The password is then enough again, unless you have an authenticator app. Without one, your recovery codes no longer work.',
        )}{' '}
        {t('You are signed out everywhere else.')}
      </p>
      <ProofField kind={state.proof} form={form} proof={proof} onPasskey={() => void byPasskey()} />
    </FormDialog>
  )
}
