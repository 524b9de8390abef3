import type { ApiKey, ApiKeyWithSecret } from '@sightline/contract/api-keys'
import { ConfirmDialog, Dialog, FormDialog, OneTimeSecret, TickBox, useForm } from '@sightline/kit'
import { type Dispatch, type SetStateAction, useId, useState } from 'react'
import { useApplication } from '../application.ts'
import { localDate } from '../local-day.ts'
import { type SaveResult, useSave } from '../use-save.ts'
import { KeyFields } from './KeyFields.tsx'
import type { KeyCalls } from './key-calls.ts'
import { type KeyValues, keyBody, keyFields, keyRules, keyValues, newKey } from './key-form.ts'
import { useText } from './text.ts'

/** An action on a key, in a dialog. */
export type KeyAct =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'rotate' | 'delete'; readonly key: ApiKey }
  | { readonly kind: 'store'; readonly made: ApiKeyWithSecret }

interface ActProps {
  calls: KeyCalls
  act: KeyAct | undefined
  timeZone: string
  onAct: Dispatch<SetStateAction<KeyAct | undefined>>
}

/** Closes a dialog of that kind. If the browser closes it later, the next dialog stays open. */
const closing = (onAct: ActProps['onAct'], kind: KeyAct['kind']) => (): void =>
  onAct((now) => (now?.kind === kind ? undefined : now))

const useAskAgain = ({ queryKey }: KeyCalls) => {
  const { queries } = useApplication()
  return () => void queries.invalidateQueries({ queryKey })
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
        title={t('Secret for {name}', { name: made?.name ?? '' })}
      >
        {made === undefined ? null : (
          <div className="mt-4">
            <OneTimeSecret
              warning={t("Copy the secret now. You won't be able to see it again. Anyone who has it can act as you.")}
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
        title={t('Close without saving the secret?')}
        confirm={t('Close')}
        cancel={t('Back to secret')}
        danger
        onClose={() => setAsking(false)}
        onConfirm={close}
      >
        {t("You won't be able to see it again. If you lose it, create a new secret for the key.")}
      </ConfirmDialog>
    </>
  )
}

interface KeyFormDialogProps {
  calls: KeyCalls
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
  const { calls, open, title, submit, success, saved, timeZone, send, onClose, onSaved } = props
  const t = useText()
  const save = useSave()
  const askAgain = useAskAgain(calls)
  const today = localDate(Date.now(), timeZone)
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
        const done: SaveResult<ApiKey | ApiKeyWithSecret> = await save(() => send(keyBody(values, timeZone)), {
          success,
          messages: {
            6: t("You've reached the limit of 100 API keys. Delete a key you no longer use, then try again."),
          },
          form: { fields: keyFields, fieldOfCode: { 5: 'name' }, refuse },
        })
        if (!('saved' in done)) return
        askAgain()
        close()
        onSaved(done.saved)
      })}
    >
      <KeyFields form={form} today={today} isStaff={calls.isStaff} />
    </FormDialog>
  )
}

/** Asks before the secret is replaced, and says how long the old one works. */
function Rotate({ calls, act, onAct }: Omit<ActProps, 'timeZone'>) {
  const t = useText()
  const save = useSave()
  const askAgain = useAskAgain(calls)
  const [busy, setBusy] = useState(false)
  const [endsAtOnce, setEndsAtOnce] = useState(false)
  const id = useId()
  const key = act?.kind === 'rotate' ? act.key : undefined
  const rotate = async () => {
    if (key === undefined) return
    setBusy(true)
    const done = await save(() => calls.rotate(key.apiKeyId, { endOldSecret: endsAtOnce }))
    setBusy(false)
    setEndsAtOnce(false)
    askAgain()
    onAct('saved' in done ? { kind: 'store', made: done.saved } : undefined)
  }
  return (
    <ConfirmDialog
      open={key !== undefined}
      title={t('Create a new secret for {name}?', { name: key?.name ?? '' })}
      confirm={t('Create new secret')}
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
              'The old secret stops working immediately. Programs that use it lose access until you give them the new one.',
            )
          : t('The old secret keeps working for 24 hours, so you have time to update your programs.')}
      </p>
      <label htmlFor={id} className="mt-4 flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
        <TickBox id={id} checked={endsAtOnce} onChange={setEndsAtOnce} />
        {t('Revoke the old secret immediately, for example if it leaked')}
      </label>
    </ConfirmDialog>
  )
}

/** Asks before a key is deleted, and says what stops working. */
function Delete({ calls, act, onAct }: Omit<ActProps, 'timeZone'>) {
  const t = useText()
  const save = useSave()
  const askAgain = useAskAgain(calls)
  const [busy, setBusy] = useState(false)
  const key = act?.kind === 'delete' ? act.key : undefined
  const remove = async () => {
    if (key === undefined) return
    setBusy(true)
    await save(() => calls.remove(key.apiKeyId), {
      success: t('API key deleted'),
      messages: { 4: t('This API key no longer exists.') },
    })
    setBusy(false)
    askAgain()
    onAct(undefined)
  }
  return (
    <ConfirmDialog
      open={key !== undefined}
      title={t('Delete API key {name}?', { name: key?.name ?? '' })}
      confirm={t('Delete key')}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) closing(onAct, 'delete')()
      }}
      onConfirm={() => void remove()}
    >
      {t(
        "Programs that use this key lose access immediately, and any video they're streaming stops. You can't undo this.",
      )}
    </ConfirmDialog>
  )
}

/** Whatever is being done with a key. */
export function KeyDialogs({ calls, act, timeZone, onAct }: ActProps) {
  const t = useText()
  const edited = act?.kind === 'edit' ? act.key : undefined
  return (
    <>
      <KeyFormDialog
        calls={calls}
        open={act?.kind === 'add'}
        title={t('Create API key')}
        submit={t('Create key')}
        success={t('API key created')}
        saved={newKey}
        timeZone={timeZone}
        send={calls.add}
        onClose={closing(onAct, 'add')}
        onSaved={(made) => ('clientSecret' in made ? onAct({ kind: 'store', made }) : undefined)}
      />
      <KeyFormDialog
        calls={calls}
        open={edited !== undefined}
        title={t('Edit API key {name}', { name: edited?.name ?? '' })}
        submit={t('Save changes')}
        success={t('API key saved')}
        saved={edited === undefined ? newKey : keyValues(edited, timeZone)}
        timeZone={timeZone}
        send={(body) => calls.change(edited?.apiKeyId ?? 0, body)}
        onClose={closing(onAct, 'edit')}
        onSaved={() => undefined}
      />
      <Rotate calls={calls} act={act} onAct={onAct} />
      <Delete calls={calls} act={act} onAct={onAct} />
      <Secret act={act} onAct={onAct} />
    </>
  )
}
