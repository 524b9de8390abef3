import { type CameraMobileNetwork, putMobileNetwork } from '@sightline/contract/mobile-networks'
import {
  Button,
  Card,
  EmptyState,
  type Form,
  Notice,
  PasswordField,
  Skeleton,
  Switch,
  TextField,
  useForm,
} from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { AccessPointFields } from './AccessPointFields.tsx'
import { mobileNetworkQuery } from './body-camera-queries.ts'
import {
  codeRules,
  type MobileNetworkValues,
  networkBody,
  networkCode,
  networkRules,
  networkValues,
} from './mobile-network-form.ts'
import { QrCode } from './QrCode.tsx'
import { useText } from './text.ts'

interface NetworkProps extends SettingsTabProps {
  saved: CameraMobileNetwork
  form: Form<MobileNetworkValues>
}

function NetworkCard({ camera, readOnly, form }: NetworkProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const { cameraId } = camera
  const isFixed = readOnly !== undefined
  const onSave = async (values: MobileNetworkValues) => {
    const body = networkBody(values)
    const done = await save(() => client.call(putMobileNetwork, { params: { cameraId }, body }), {
      success: t('Saved. Let the camera scan the code below.'),
      form: { fields: ['name'], refuse: form.refuse },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(mobileNetworkQuery(client, cameraId).queryKey, done.saved)
  }
  return (
    <SaveCard
      title={t('Mobile network')}
      description={t('The network of the SIM card in the camera. The camera gets it by scanning a code.')}
      form={form}
      onSave={onSave}
      readOnly={isFixed}
    >
      <div className="max-w-2xl space-y-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field('name')}
            label={t('Name')}
            hint={t('For yourself, for example the operator.')}
            autoComplete="off"
            disabled={isFixed}
          />
          <AccessPointFields form={form} disabled={isFixed} />
        </div>
        <Switch
          label={t('The operator asks for a password')}
          description={t('You enter it when you create the code. It isn’t saved.')}
          checked={form.values.needsPassword === 'true'}
          disabled={isFixed}
          onChange={(checked) => form.choose('needsPassword', String(checked))}
        />
      </div>
    </SaveCard>
  )
}

/** The code, made in the browser: the password goes nowhere else. */
function ShownCode({ text, name, onHide }: { text: string; name: string; onHide: () => void }) {
  const t = useText()
  return (
    <div className="grid gap-6 sm:grid-cols-[18rem_1fr]">
      <QrCode text={text} label={t('Mobile network code for {camera}', { camera: name })} />
      <div className="space-y-4">
        <ol className="list-decimal space-y-2 ps-5">
          <li>{t('Turn on the camera and start its set-up mode.')}</li>
          <li>{t('Hold its lens in front of this code, about 20 cm away.')}</li>
          <li>{t('Wait until the camera has joined the network.')}</li>
        </ol>
        <Notice mood="warning">
          {t('The code contains the sign-in of the mobile network. Show it only to the camera.')}
        </Notice>
        <Button variant="secondary" onClick={onHide}>
          {t('Hide code')}
        </Button>
      </div>
    </div>
  )
}

function CodeForm({
  saved,
  isChanged,
  onCode,
}: {
  saved: CameraMobileNetwork
  isChanged: boolean
  onCode: (password: string) => void
}) {
  const t = useText()
  const form = useForm({ password: '' }, codeRules(saved), t.message)
  return (
    <form noValidate className="max-w-md space-y-4" onSubmit={form.submit(async ({ password }) => onCode(password))}>
      {saved.needsPassword ? (
        <PasswordField
          {...form.field('password')}
          label={t('Password of the mobile network')}
          hint={t('It goes into the code only and never leaves this browser.')}
          autoComplete="off"
        />
      ) : null}
      {isChanged ? <p className="text-muted">{t('Save your changes first.')}</p> : null}
      <Button type="submit" disabled={isChanged || !form.valid}>
        {t('Create code')}
      </Button>
    </form>
  )
}

/** How the camera learns the saved network. */
function CodeOfNetwork({ camera, saved, form }: NetworkProps) {
  const t = useText()
  const [password, setPassword] = useState<string>()
  const text = networkCode(saved, password ?? '')
  if (text === undefined) {
    return (
      <Card title={t('Code for the camera')}>
        <EmptyState icon="settings" title={t('No mobile network saved yet')}>
          {t('Save the network first. Then create a code here that the camera scans.')}
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card
      title={t('Code for the camera')}
      description={t('The camera uses the network after it has scanned this code. Its track stays as it is.')}
    >
      {password === undefined || form.changed ? (
        <CodeForm saved={saved} isChanged={form.changed} onCode={setPassword} />
      ) : (
        <ShownCode text={text} name={camera.name} onHide={() => setPassword(undefined)} />
      )}
    </Card>
  )
}

function Network(props: SettingsTabProps & { saved: CameraMobileNetwork }) {
  const t = useText()
  const form = useForm<MobileNetworkValues>(networkValues(props.saved), networkRules, t.message)
  return (
    <div className="space-y-5">
      <NetworkCard {...props} form={form} />
      <CodeOfNetwork {...props} form={form} />
    </div>
  )
}

/** The mobile network of a body-worn camera: saved here, and given to the camera by a QR code. */
export function MobileNetworkTab(props: SettingsTabProps) {
  const { client } = useApplication()
  const network = useQuery(mobileNetworkQuery(client, props.camera.cameraId))
  return (
    <Loaded asked={[network] as const} place={<Skeleton className="h-96 w-full" />}>
      {(saved) => <Network {...props} saved={saved} />}
    </Loaded>
  )
}
