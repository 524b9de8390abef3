import { postSetupCode } from '@sightline/contract/body-cameras'
import { postCamera } from '@sightline/contract/camera-additions'
import type { Camera } from '@sightline/contract/cameras'
import { Button, buttonClass, Card, EmptyState, Icon, PasswordField, Select, TextField } from '@sightline/kit'
import { Screen, useApplication, useMay, useSave } from '@sightline/shell'
import { type ClipboardEvent, useState } from 'react'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { AdditionProgress } from './AdditionProgress.tsx'
import {
  type AdditionForm,
  type AdditionValues,
  additionBody,
  additionFields,
  emptyAddition,
  parseStreamAddress,
  useAdditionForm,
} from './addition-form.ts'
import { ConnectionChoice } from './ConnectionChoice.tsx'
import { useText } from './text.ts'
import { LoadingForm, WholeZones } from './WholeZones.tsx'

/** A camera whose addition began, and what was typed for it. */
interface Begun {
  readonly camera: Camera
  readonly values: AdditionValues
}

function StreamFields({ form }: { form: AdditionForm }) {
  const t = useText()
  return (
    <div className="mt-3 grid gap-4 sm:grid-cols-2">
      <TextField
        {...form.field('port')}
        label={t('Port')}
        optional={t('optional')}
        hint={t('The ONVIF port, or the RTSP port with a stream path.')}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
      />
      <TextField
        {...form.field('streamPath')}
        label={t('Stream path')}
        optional={t('optional')}
        hint={t('For cameras without ONVIF, for example /stream1.')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
      />
      <TextField
        {...form.field('subStreamPath')}
        label={t('Sub-stream path')}
        optional={t('optional')}
        hint={t('A smaller stream for small pictures, for example /stream2.')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
      />
      <TextField
        {...form.field('channel')}
        label={t('Input')}
        optional={t('optional')}
        hint={t('Only for recorders with several cameras: 1 is the first.')}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
      />
      <TextField {...form.field('brand')} label={t('Brand')} optional={t('optional')} autoComplete="off" />
      <TextField {...form.field('model')} label={t('Model')} optional={t('optional')} autoComplete="off" />
    </div>
  )
}

function ConnectionFields({ form }: { form: AdditionForm }) {
  const t = useText()
  // Clearing a field doesn't close the options around it.
  const [isOpen, setOpen] = useState(false)
  const { port, streamPath, subStreamPath, channel, brand, model, https, allowBasic } = form.values
  const isFilled = [port, streamPath, subStreamPath, channel, brand, model, https, allowBasic].some(
    (value) => value !== '',
  )
  const onPaste = (event: ClipboardEvent) => {
    const parts = parseStreamAddress(event.clipboardData.getData('text'))
    if (parts === undefined) return
    event.preventDefault()
    for (const [name, value] of Object.entries(parts)) if (value !== undefined) form.choose(name, value)
  }
  return (
    <>
      <TextField
        {...form.field('address')}
        label={t('IP address or host name')}
        hint={t('For example 192.168.1.64. You can also paste an rtsp:// address.')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
        onPaste={onPaste}
      />
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
      <details
        className="group"
        open={isOpen || isFilled}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 font-medium text-link pointer-coarse:min-h-11">
          {t('More options')}
          <Icon name="chevronDown" size={16} className="group-open:rotate-180" />
        </summary>
        <StreamFields form={form} />
        <ConnectionChoice
          label={t('Connect over HTTPS (TLS) only')}
          hint={t("The camera's certificate is remembered, and another one is refused.")}
          isChosen={form.values.https === 'yes'}
          onChoose={(isSecure) => form.choose('https', isSecure ? 'yes' : '')}
        />
        <ConnectionChoice
          label={t('Allow the camera password to be sent in plain text')}
          hint={t('Only for cameras that offer nothing better. Others on the network could read the password.')}
          isChosen={form.values.allowBasic === 'yes'}
          onChoose={(isAllowed) => form.choose('allowBasic', isAllowed ? 'yes' : '')}
        />
      </details>
    </>
  )
}

interface CameraFormProps {
  zones: readonly { readonly zoneId: number; readonly name: string }[]
  start: AdditionValues
  onBegun: (camera: Camera, values: AdditionValues) => void
}

function CameraForm({ zones, start, onBegun }: CameraFormProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useAdditionForm(start)
  return (
    <Card title={t('Camera')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.submit(async (values) => {
          const done = await save(() => client.call(postCamera, { body: additionBody(values) }), {
            messages: { 5: t('This camera has already been added to your account.') },
            form: { fields: additionFields, fieldOfCode: { 5: 'address' }, refuse: form.refuse },
          })
          if (!('saved' in done)) return
          void queries.invalidateQueries({ queryKey: ['cameras'], exact: true })
          onBegun(done.saved, values)
        })}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('name')} label={t('Name')} autoComplete="off" />
          <Select
            label={t('Zone')}
            value={form.values.zoneId}
            onChange={(event) => form.choose('zoneId', event.target.value)}
          >
            {zones.map(({ zoneId, name }) => (
              <option key={zoneId} value={zoneId}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        <ConnectionFields form={form} />
        <div className="flex justify-end">
          <Button type="submit" busy={form.busy} disabled={!form.valid}>
            {t('Add camera')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The form, and after it how the addition goes. A failed one leads back to the form with everything that was typed. */
function Addition({ zones }: Pick<CameraFormProps, 'zones'>) {
  const [start, setStart] = useState(() => emptyAddition(String(zones[0]?.zoneId ?? '')))
  const [begun, begin] = useState<Begun>()
  if (begun === undefined) {
    return <CameraForm zones={zones} start={start} onBegun={(camera, values) => begin({ camera, values })} />
  }
  const { zoneId } = begun.values
  return (
    <AdditionProgress
      camera={begun.camera}
      username={begun.values.username.trim()}
      onEdit={() => {
        setStart(begun.values)
        begin(undefined)
      }}
      input={Number(begun.values.channel) || 1}
      onAddInput={(input) => {
        setStart({ ...begun.values, name: '', channel: String(input) })
        begin(undefined)
      }}
      onAddAnother={() => {
        setStart(emptyAddition(zoneId))
        begin(undefined)
      }}
    />
  )
}

/** The other pages that add cameras. */
function OtherWays() {
  const t = useText()
  const may = useMay()
  return (
    <>
      {may(postSetupCode) === true ? (
        <a data-here href="/app/body-cameras/add" className={buttonClass('secondary')}>
          {t('Add body-worn camera')}
        </a>
      ) : null}
      <a data-here href="/app/cameras/add/several" className={buttonClass('secondary')}>
        {t('Add several cameras')}
      </a>
    </>
  )
}

/** A page that adds one camera by its address. */
export function AddCameraScreen() {
  const t = useText()
  const own = useOwnPermissions()
  return (
    <Screen
      title={t('Add camera')}
      description={t('Add a camera on your network by its address. Recording starts as soon as it is connected.')}
      back={{ href: '/app/', label: t('All cameras') }}
      width="form"
      actions={<OtherWays />}
    >
      <Gate
        own={own}
        needs={postCamera}
        loading={<LoadingForm />}
        instead={
          <EmptyState icon="lock" title={t("You can't add cameras")}>
            {t('Ask the account owner for the right to add cameras.')}
          </EmptyState>
        }
      >
        {() => <WholeZones>{(zones) => <Addition zones={zones} />}</WholeZones>}
      </Gate>
    </Screen>
  )
}
