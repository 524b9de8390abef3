import { retryCameraAddition } from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import { Button, PasswordField, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import type { ReactNode } from 'react'
import { useText } from './text.ts'

interface RetryAdditionProps {
  camera: Camera
  /** The user name that was tried. */
  username: string
  /** The camera rejected the credentials: others are asked for. */
  asksCredentials: boolean
  /** Beside the button. */
  others: ReactNode
  onRetry: () => void
}

/** Tries a failed addition again, with other credentials if the camera rejected those that it got. */
export function RetryAddition({ camera, username, asksCredentials, others, onRetry }: RetryAdditionProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const form = useForm({ username, password: '' }, {}, t.message)
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={form.submit(async (values) => {
        const body = asksCredentials ? { username: values.username.trim(), password: values.password } : {}
        const done = await save(
          () => client.call(retryCameraAddition, { params: { cameraId: camera.cameraId }, body }),
          { form: { fields: ['username', 'password'], fieldOfCode: {}, refuse: form.refuse } },
        )
        if ('saved' in done) onRetry()
      })}
    >
      {asksCredentials ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field('username')}
            label={t('Camera user name')}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            dir="ltr"
          />
          <PasswordField {...form.field('password')} label={t('Camera password')} autoComplete="new-password" />
        </div>
      ) : null}
      <div className="flex flex-wrap justify-end gap-3">
        {others}
        <Button type="submit" busy={form.busy} disabled={asksCredentials && form.values.username.trim() === ''}>
          {t('Try again')}
        </Button>
      </div>
    </form>
  )
}
