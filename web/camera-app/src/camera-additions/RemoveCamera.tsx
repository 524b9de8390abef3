import { type Camera, deleteCamera } from '@sightline/contract/cameras'
import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import { FormDialog, PasswordField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useText } from './text.ts'

const empty = { password: '' }
const rules = {
  password: (password: string) => (password === '' ? 'Please enter your current password' : undefined),
}

/** A dialog that removes a camera after the user has read what is lost and confirmed it with a password. */
export function RemoveCamera({ camera, open, onClose }: { camera: Camera; open: boolean; onClose: () => void }) {
  const t = useText()
  const { client, queries } = useApplication()
  const router = useRouter()
  const save = useSave()
  const form = useForm(empty, rules, t.message)
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t('Remove {camera}?', { camera: camera.name })}
      submit={t('Remove camera')}
      danger
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async ({ password }) => {
        const { cameraId } = camera
        const headers = { [PASSWORD_HEADER]: encodePasswordHeader(password) }
        const done = await save(() => client.call(deleteCamera, { params: { cameraId } }, { headers }), {
          success: t('Camera removed'),
          messages: { 3: t('Incorrect password') },
          form: { fields: ['password'], fieldOfCode: { 3: 'password' }, refuse: form.refuse },
        })
        if ('failure' in done) return
        queries.setQueryData<readonly Camera[]>(['cameras'], (before) =>
          before?.filter((one) => one.cameraId !== cameraId),
        )
        close()
        await router.navigate({ to: '/' })
        void queries.invalidateQueries({ queryKey: ['cameras'] })
      })}
    >
      <p>{t("You won't be able to watch this camera or its recordings anymore, not even if you add it again.")}</p>
      <p>{t('You can add it again two minutes after you remove it.')}</p>
      <PasswordField {...form.field('password')} label={t('Your password')} autoComplete="current-password" />
    </FormDialog>
  )
}
