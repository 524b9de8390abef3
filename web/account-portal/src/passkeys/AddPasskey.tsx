import {
  beginPasskey,
  type PasskeyProof,
  type Passkeys,
  passkeyNameProblem,
  postPasskey,
} from '@sightline/contract/passkeys'
import { FormDialog, Notice, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { type BrowserError, makePasskey } from './in-browser.ts'
import { ProofField } from './ProofField.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { type PasskeyText, usePasskeyText } from './text.ts'
import { useProof } from './use-proof.ts'

interface NewPasskey extends Record<string, string> {
  readonly name: string
  readonly proof: string
}

const refusals: Readonly<Record<BrowserError, PasskeyText>> = {
  exists: 'This device already has one of your passkeys for this site.',
  refused: "The passkey wasn't created, or you canceled. Try again.",
}

/** The passkey already exists; code 5 in the error catalog. */
const KNOWN = 5

interface AddPasskeyProps {
  state: Passkeys
  onClose: () => void
}

/** Asks for a name and a proof, then creates a passkey in the browser. */
export function AddPasskey({ state, onClose }: AddPasskeyProps) {
  const { client, queries } = useApplication()
  const t = usePasskeyText()
  const save = useSave()
  const proof = useProof(state)
  const [refused, setRefused] = useState<BrowserError>()
  const [busy, setBusy] = useState(false)
  const form = useForm<NewPasskey>(
    { name: t('My device'), proof: '' },
    { name: passkeyNameProblem, proof: (text) => (text === '' ? 'Required.' : undefined) },
    t.message,
  )
  const told = { fields: ['name', 'proof'] as const, fieldOfCode: proof.fieldOfCode, refuse: form.refuse }

  const add = async (name: string, given: PasskeyProof) => {
    setRefused(undefined)
    const begun = await save(() => client.call(beginPasskey, { body: { proof: given } }), {
      messages: proof.messages,
      form: told,
    })
    if ('failure' in begun) return
    const credential = await makePasskey(begun.saved)
    if (typeof credential === 'string') {
      setRefused(credential)
      return
    }
    const added = await save(() => client.call(postPasskey, { body: { name, credential } }), {
      success: t('Passkey added'),
      messages: { [KNOWN]: t(refusals.exists) },
      form: told,
    })
    await queries.invalidateQueries(passkeysQuery(client))
    if ('saved' in added) onClose()
  }
  const whileBusy = async (work: () => Promise<void>) => {
    setBusy(true)
    await work().finally(() => setBusy(false))
  }
  const byPasskey = () => {
    const { name } = form.values
    const problem = passkeyNameProblem(name)
    // A device keeps the new passkey even if the server rejects its name.
    if (problem !== undefined) return form.refuse({ name: problem })
    void whileBusy(async () => {
      const given = await proof.byPasskey()
      if (given !== undefined) await add(name, given)
    })
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add passkey')}
      submit={t('Add passkey')}
      changed={form.values.proof !== ''}
      valid={form.valid}
      busy={form.busy || busy}
      onSubmit={form.submit(({ name, proof: text }) => add(name, proof.typed(text)))}
    >
      <p>{t('Your browser will ask where to save it: on this device, a phone or a security key.')}</p>
      {refused === undefined ? null : <Notice mood="warning">{t(refusals[refused])}</Notice>}
      <TextField
        label={t('Name')}
        hint={t('A name that helps you recognize it.')}
        autoComplete="off"
        maxLength={64}
        required
        {...form.field('name')}
      />
      <ProofField kind={state.proof} form={form} proof={proof} onPasskey={byPasskey} />
    </FormDialog>
  )
}
