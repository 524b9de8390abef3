import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import { deleteDevice, type RecorderDevice } from '@sightline/contract/devices'
import { Button, Dialog, FormDialog, PasswordField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { cameraQueries } from '../cameras/index.ts'
import { useText } from './text.ts'

const empty = { password: '' }
const rules = {
  password: (password: string) => (password === '' ? 'Please enter your current password' : undefined),
}

interface RemoveRecorderProps {
  device: RecorderDevice
  open: boolean
  onClose: () => void
}

/** Says which cameras have to be removed first. */
function StillAttached({ device, open, onClose }: RemoveRecorderProps) {
  const t = useText()
  const { client } = useApplication()
  const cameras = useQuery(cameraQueries(client).list).data
  const attached = device.channels.filter((channel) => channel.attached)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("{recorder} can't be removed yet", { recorder: device.name })}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <p className="mt-4">{t('These inputs are still cameras. Remove the cameras first, then the recorder.')}</p>
      <ul className="mt-3 list-disc space-y-1 ps-5">
        {attached.map(({ channelId, channel, cameraId }) => (
          <li key={channelId}>
            {t('Input {number}', { number: channel })}:{' '}
            {cameraId === null ? (
              t("a camera that you don't have access to")
            ) : (
              <a data-here href={`/app/cameras/${cameraId}`} className="text-link-underline">
                {cameras?.find((camera) => camera.cameraId === cameraId)?.name ?? t('Camera')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Removes a recorder after the user confirmed it with a password. */
export function RemoveRecorder(props: RemoveRecorderProps) {
  const { device, open, onClose } = props
  const t = useText()
  const { client, queries } = useApplication()
  const router = useRouter()
  const save = useSave()
  const form = useForm(empty, rules, t.message)
  if (device.channels.some(({ attached }) => attached)) return <StillAttached {...props} />
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t('Remove {recorder}?', { recorder: device.name })}
      submit={t('Remove recorder')}
      danger
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async ({ password }) => {
        const { deviceId } = device
        const headers = { [PASSWORD_HEADER]: encodePasswordHeader(password) }
        const done = await save(() => client.call(deleteDevice, { params: { deviceId } }, { headers }), {
          success: t('Recorder removed'),
          messages: { 3: t('Incorrect password') },
          form: { fields: ['password'], fieldOfCode: { 3: 'password' }, refuse: form.refuse },
        })
        if ('failure' in done) return
        close()
        await router.navigate({ to: '/recorders' })
        void queries.invalidateQueries({ queryKey: ['devices'] })
      })}
    >
      <p>{t('Its name, its log and its sign-in details are deleted here. You can add the recorder again later.')}</p>
      <PasswordField {...form.field('password')} label={t('Your password')} autoComplete="current-password" />
    </FormDialog>
  )
}
