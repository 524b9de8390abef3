import { deletePasskey, type Passkey, passkeyNameProblem, patchPasskey } from '@sightline/contract/passkeys'
import { ConfirmDialog, FormDialog, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { passkeysQuery } from './passkeys-query.ts'
import { usePasskeyText } from './text.ts'

interface OneProps {
  one: Passkey
  onClose: () => void
}

export function RenamePasskey({ one, onClose }: OneProps) {
  const { client, queries } = useApplication()
  const t = usePasskeyText()
  const save = useSave()
  const form = useForm<Record<'name', string>>({ name: one.name }, { name: passkeyNameProblem }, t.message)
  const rename = async ({ name }: Record<'name', string>) => {
    const { passkeyId } = one
    const outcome = await save(() => client.call(patchPasskey, { params: { passkeyId }, body: { name } }), {
      success: t('Passkey renamed'),
      form: { fields: ['name'], refuse: form.refuse },
    })
    await queries.invalidateQueries(passkeysQuery(client))
    if ('saved' in outcome) onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Rename passkey')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(rename)}
    >
      <TextField label={t('Name')} autoComplete="off" maxLength={64} required {...form.field('name')} />
    </FormDialog>
  )
}

/** The last passkey, while one is required after the password; code 6 in the error catalog. */
const STAYS = 6

/** Says what the user loses before the passkey is removed. */
export function RemovePasskey({ one, onClose }: OneProps) {
  const { client, queries } = useApplication()
  const t = usePasskeyText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const { passkeyId } = one
    await save(() => client.call(deletePasskey, { params: { passkeyId } }), {
      success: t('Passkey removed'),
      messages: {
        [STAYS]: t('This is your last passkey. Before you remove it, stop requiring a passkey after your password.'),
      },
    })
    await queries.invalidateQueries(passkeysQuery(client))
    setBusy(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={t('Remove {name}?', { name: one.name })}
      confirm={t('Remove passkey')}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      {t("You can no longer sign in with it, and you'll be signed out everywhere else.")}{' '}
      {t("To delete the passkey from your device as well, open the device's password settings.")}
    </ConfirmDialog>
  )
}
