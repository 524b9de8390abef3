import { putWifiNetwork, type WifiNetwork } from '@sightline/contract/camera-wifi'
import { FormDialog, Notice, PasswordField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { type Text, useText } from './text.ts'

interface JoinNetworkProps {
  cameraId: number
  network: WifiNetwork
  onClose: () => void
  onJoined: () => void
}

const passwordProblem = (password: string, isOptional: boolean): Text | undefined =>
  (isOptional && password === '') || /^[ -~]{8,63}$/.test(password) ? undefined : 'Enter 8 to 63 characters.'

/** Connects a camera to a network, after saying what that can cost. */
export function JoinNetwork({ cameraId, network, onClose, onJoined }: JoinNetworkProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const { ssid, security, known } = network
  const needsPassword = security !== 'none'
  const form = useForm(
    { password: '' },
    { password: (password) => passwordProblem(password, known || !needsPassword) },
    t.message,
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Connect to {network}?', { network: ssid })}
      submit={t('Connect')}
      changed={form.changed}
      valid={form.valid}
      sendsUnchanged={known || !needsPassword}
      busy={form.busy}
      onSubmit={form.submit(async ({ password }) => {
        const body = password === '' ? {} : { password }
        const done = await save(() => client.call(putWifiNetwork, { params: { cameraId, ssid }, body }), {
          success: t('The camera is connecting'),
          messages: {
            6: t('The camera doesn’t receive this network now.'),
            11: t('The camera can’t connect to this kind of network from here.'),
            18: t('The camera is offline, so its Wi-Fi can’t be changed.'),
          },
          form: { fields: ['password'], refuse: form.refuse },
        })
        if ('failure' in done) return
        onJoined()
        onClose()
      })}
    >
      <div className="space-y-4">
        <Notice mood="warning">
          {t(
            'The camera may get another address in this network and go offline here for a minute. If the server doesn’t find it again, enter its new address under “Network”.',
          )}
        </Notice>
        {needsPassword ? (
          <PasswordField
            {...form.field('password')}
            label={t('Wi-Fi password')}
            hint={
              known
                ? t('Leave empty to use the password that the camera already has.')
                : t('It is sent to the camera and not saved here.')
            }
            autoComplete="off"
          />
        ) : null}
      </div>
    </FormDialog>
  )
}
