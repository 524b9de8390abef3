import {
  type ApiKey,
  type ApiKeyWithSecret,
  deleteApiKey,
  patchApiKey,
  postApiKey,
  rotateApiKey,
} from '@sightline/contract/api-keys'
import { ConfirmDialog, Dialog, FormDialog, OneTimeSecret, useForm } from '@sightline/kit'
import { type Saved, useApplication, useSave } from '@sightline/shell'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { dateOf } from '../recordings/index.ts'
import { KeyFields } from './KeyFields.tsx'
import { type KeyValues, keyBody, keyFields, keyRules, keyValues, newKey } from './key-form.ts'
import { useText } from './text.ts'

/** An action on a key, in a dialog. */
export type KeyAct =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'rotate' | 'delete'; readonly key: ApiKey }
  | { readonly kind: 'store'; readonly made: ApiKeyWithSecret }

interface ActProps {
  act: KeyAct | undefined
  timeZone: string
  onAct: Dispatch<SetStateAction<KeyAct | undefined>>
}

/** Closes a dialog of that kind. If the browser closes it later, the next dialog stays open. */
const closing = (onAct: ActProps['onAct'], kind: KeyAct['kind']) => (): void =>
  onAct((now) => (now?.kind === kind ? undefined : now))

const useAskAgain = () => {
  const { queries } = useApplication()
  return () => void queries.invalidateQueries({ queryKey: ['apiKeys'] })
}

/** The secret of a key that was just created or rotated. Asks before the dialog closes if the secret wasn't copied. */
function Secret({ act, onAct }: Pick<ActProps, 'act' | 'onAct'>) {
  const t = useText()
  const [asking, setAsking] = useState(false)
  const made = act?.kind === 'store' ? act.made : undefined
  const leave = closing(onAct, 'store')
  const close = () => {
    setAsking(false)
    leave()
  }
  return (
    <>
      <Dialog
        open={made !== undefined}
        onClose={() => setAsking(made !== undefined)}
        title={t('The secret of {name}', { name: made?.name ?? '' })}
      >
        {made === undefined ? null : (
          <div className="mt-4">
            <OneTimeSecret
              warning={t('Store the secret now: it is shown this once and kept nowhere. Whoever has it acts as you.')}
              fields={[
                { label: t('Client ID'), value: made.clientId },
                { label: t('Secret'), value: made.clientSecret },
              ]}
              onStored={close}
            />
          </div>
        )}
      </Dialog>
      <ConfirmDialog
        open={asking}
        title={t('Close without storing the secret?')}
        confirm={t('Close')}
        cancel={t('Back to the secret')}
        danger
        onClose={() => setAsking(false)}
        onConfirm={close}
      >
        {t('It is never shown again. A new secret can be made for the key.')}
      </ConfirmDialog>
    </>
  )
}

interface KeyFormDialogProps {
  open: boolean
  title: string
  submit: string
  success: string
  saved: KeyValues
  timeZone: string
  send: (body: ReturnType<typeof keyBody>) => Promise<ApiKey | ApiKeyWithSecret>
  onClose: () => void
  onSaved: (key: ApiKey | ApiKeyWithSecret) => void
}

function KeyFormDialog(props: KeyFormDialogProps) {
  const { open, title, submit, success, saved, timeZone, send, onClose, onSaved } = props
  const t = useText()
  const save = useSave()
  const askAgain = useAskAgain()
  const today = dateOf(Date.now(), timeZone)
  const form = useForm(saved, keyRules(today), t.message)
  const refuse = ({ name, expiresAt, allowedAddresses }: { [K in (typeof keyFields)[number]]?: string }) =>
    form.refuse({
      ...(name === undefined ? {} : { name }),
      ...(expiresAt === undefined ? {} : { lastDay: expiresAt }),
      ...(allowedAddresses === undefined ? {} : { addresses: allowedAddresses }),
    })
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={title}
      submit={submit}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async (values) => {
        const done: Saved<ApiKey | ApiKeyWithSecret> = await save(() => send(keyBody(values, timeZone)), {
          success,
          messages: { 6: t('An account has at most 100 API keys. Delete one that is no longer used.') },
          form: { fields: keyFields, fieldOfCode: { 5: 'name' }, refuse },
        })
        if (!('saved' in done)) return
        askAgain()
        close()
        onSaved(done.saved)
      })}
    >
      <KeyFields form={form} today={today} />
    </FormDialog>
  )
}

/** Asks before the secret is replaced, and says how long the old one works. */
function Rotate({ act, onAct }: Pick<ActProps, 'act' | 'onAct'>) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const askAgain = useAskAgain()
  const [busy, setBusy] = useState(false)
  const [endsAtOnce, setEndsAtOnce] = useState(false)
  const key = act?.kind === 'rotate' ? act.key : undefined
  const rotate = async () => {
    if (key === undefined) return
    setBusy(true)
    const call = { params: { apiKeyId: key.apiKeyId }, body: { endOldSecret: endsAtOnce } }
    const done = await save(() => client.call(rotateApiKey, call))
    setBusy(false)
    setEndsAtOnce(false)
    askAgain()
    onAct('saved' in done ? { kind: 'store', made: done.saved } : undefined)
  }
  return (
    <ConfirmDialog
      open={key !== undefined}
      title={t('A new secret for {name}?', { name: key?.name ?? '' })}
      confirm={t('Make a new secret')}
      busy={busy}
      danger={endsAtOnce}
      onClose={() => {
        if (!busy) closing(onAct, 'rotate')()
      }}
      onConfirm={() => void rotate()}
    >
      <p>
        {endsAtOnce
          ? t(
              'The old secret and everything signed in with it end at once. Programs that use it stop until they have the new one.',
            )
          : t('The old secret works for 24 hours more, so that programs can be changed one after the other.')}
      </p>
      <label className="mt-4 flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={endsAtOnce}
          onChange={(event) => setEndsAtOnce(event.target.checked)}
          className="size-4.5 shrink-0 accent-control"
        />
        {t('Somebody else may have the old secret: end it at once')}
      </label>
    </ConfirmDialog>
  )
}

/** Asks before a key is deleted, and says what stops working. */
function Delete({ act, onAct }: Pick<ActProps, 'act' | 'onAct'>) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const askAgain = useAskAgain()
  const [busy, setBusy] = useState(false)
  const key = act?.kind === 'delete' ? act.key : undefined
  const remove = async () => {
    if (key === undefined) return
    setBusy(true)
    await save(() => client.call(deleteApiKey, { params: { apiKeyId: key.apiKeyId } }), {
      success: t('The API key was deleted'),
      messages: { 4: t('There is no such key any more.') },
    })
    setBusy(false)
    askAgain()
    onAct(undefined)
  }
  return (
    <ConfirmDialog
      open={key !== undefined}
      title={t('Delete the key {name}?', { name: key?.name ?? '' })}
      confirm={t('Delete the key')}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) closing(onAct, 'delete')()
      }}
      onConfirm={() => void remove()}
    >
      {t(
        'Every program that signs in with this key stops at once, and video it is watching ends. This cannot be undone.',
      )}
    </ConfirmDialog>
  )
}

/** The open dialog, if any. */
export function KeyDialogs({ act, timeZone, onAct }: ActProps) {
  const t = useText()
  const { client } = useApplication()
  const edited = act?.kind === 'edit' ? act.key : undefined
  return (
    <>
      <KeyFormDialog
        open={act?.kind === 'add'}
        title={t('Add an API key')}
        submit={t('Make the key')}
        success={t('The API key was made')}
        saved={newKey}
        timeZone={timeZone}
        send={(body) => client.call(postApiKey, { body })}
        onClose={closing(onAct, 'add')}
        onSaved={(made) => ('clientSecret' in made ? onAct({ kind: 'store', made }) : undefined)}
      />
      <KeyFormDialog
        open={edited !== undefined}
        title={t('Edit the key {name}', { name: edited?.name ?? '' })}
        submit={t('Save changes')}
        success={t('The API key was changed')}
        saved={edited === undefined ? newKey : keyValues(edited, timeZone)}
        timeZone={timeZone}
        send={(body) => client.call(patchApiKey, { params: { apiKeyId: edited?.apiKeyId ?? 0 }, body })}
        onClose={closing(onAct, 'edit')}
        onSaved={() => undefined}
      />
      <Rotate act={act} onAct={onAct} />
      <Delete act={act} onAct={onAct} />
      <Secret act={act} onAct={onAct} />
    </>
  )
}
