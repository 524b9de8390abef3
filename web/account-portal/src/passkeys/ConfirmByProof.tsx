import type { PasskeyProof, Passkeys } from '@sightline/contract/passkeys'
import { FormDialog, useForm } from '@sightline/kit'
import { type SaveResult, useSave } from '@sightline/shell'
import { type ReactNode, useState } from 'react'
import { ProofField } from './ProofField.tsx'
import { usePasskeyText } from './text.ts'
import { useProof } from './use-proof.ts'

interface ProofForm extends Record<string, string> {
  readonly proof: string
}

const empty: ProofForm = { proof: '' }

interface ConfirmByProofProps<Reply> {
  state: Passkeys
  title: string
  submit: string
  /** Message after the change; without one, the caller shows the result. */
  success?: string
  change: (proof: PasskeyProof) => Promise<Reply>
  onDone: (reply: Reply) => void
  onClose: () => void
  children: ReactNode
}

/** Asks for the password, a code or a passkey before a change of the sign-in methods. */
export function ConfirmByProof<Reply>(props: ConfirmByProofProps<Reply>) {
  const { state, title, submit, success, change, onDone, onClose, children } = props
  const t = usePasskeyText()
  const save = useSave()
  const proof = useProof(state)
  const [busy, setBusy] = useState(false)
  const form = useForm(empty, { proof: (text) => (text === '' ? 'Required.' : undefined) }, t.message)

  const send = async (given: PasskeyProof) => {
    const outcome: SaveResult<Reply> = await save(() => change(given), {
      ...(success === undefined ? {} : { success }),
      messages: proof.messages,
      form: { fields: ['proof'], fieldOfCode: proof.fieldOfCode, refuse: form.refuse },
    })
    if ('saved' in outcome) onDone(outcome.saved)
  }
  const byPasskey = async () => {
    setBusy(true)
    const given = await proof.byPasskey()
    if (given !== undefined) await send(given)
    setBusy(false)
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      submit={submit}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy || busy}
      onSubmit={form.submit(({ proof: text }) => send(proof.typed(text)))}
    >
      {children}
      <ProofField kind={state.proof} form={form} proof={proof} onPasskey={() => void byPasskey()} />
    </FormDialog>
  )
}
