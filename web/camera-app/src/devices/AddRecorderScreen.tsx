import { type FoundCamera, getCameraDiscovery } from '@sightline/contract/camera-discovery'
import { deleteDevice, postDevice, type RecorderDevice } from '@sightline/contract/devices'
import { Button, Card, EmptyState, PasswordField, Select, TextField } from '@sightline/kit'
import { Screen, useApplication, useMay, useSave } from '@sightline/shell'
import { useState } from 'react'
import { ConnectionChoice, FoundDevices, LoadingForm, type WholeZone, WholeZones } from '../camera-additions/index.ts'
import { useAddingWays } from '../cameras/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { RecorderProgress } from './RecorderProgress.tsx'
import {
  emptyRecorder,
  type RecorderForm,
  type RecorderValues,
  recorderBody,
  recorderFields,
  useRecorderForm,
} from './recorder-form.ts'
import { useText } from './text.ts'

/** A recorder whose addition began, and what was typed for it. */
interface Begun {
  readonly device: RecorderDevice
  readonly values: RecorderValues
  readonly attempt: number
}

/** What answers in the networks of the account; its address goes into the form. */
function Found({ form }: { form: RecorderForm }) {
  const t = useText()
  const may = useMay()
  if (may(getCameraDiscovery) !== true) return null
  const take = ({ address, port, name, brand, model, machines }: FoundCamera) => {
    form.choose('address', address)
    form.choose('port', String(port))
    form.choose('foundAt', address)
    form.choose('machines', machines.join())
    const label = name || [brand, model].filter((text) => text !== '').join(' ')
    if (form.values.name.trim() === '' && label.length <= 32) form.choose('name', label)
  }
  return (
    <FoundDevices
      title={t('Find recorders')}
      nothing={t(
        'Nothing answered. Check that the recorder is switched on and that ONVIF discovery is on, or enter its address below.',
      )}
      action={(found, name) =>
        found.protocol === 'rtsp' ? null : (
          <Button
            variant="secondary"
            disabled={form.values.address === found.address && form.values.port === String(found.port)}
            onClick={() => take(found)}
          >
            {t('Use address')}
            <span className="sr-only">: {name}</span>
          </Button>
        )
      }
    />
  )
}

function SignInFields({ form }: { form: RecorderForm }) {
  const t = useText()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...form.field('username')}
        label={t('Recorder user name')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
      />
      <PasswordField {...form.field('password')} label={t('Recorder password')} autoComplete="new-password" />
    </div>
  )
}

interface RecorderCardProps {
  zones: readonly WholeZone[]
  form: RecorderForm
  onBegun: (device: RecorderDevice, values: RecorderValues) => void
}

function RecorderCard({ zones, form, onBegun }: RecorderCardProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const onSubmit = form.submit(async (values) => {
    const done = await save(() => client.call(postDevice, { body: recorderBody(values) }), {
      messages: {
        5: t('This recorder has already been added to your account.'),
        8: t('This recorder was removed less than two minutes ago. Wait two minutes, then add it again.'),
      },
      form: { fields: recorderFields, fieldOfCode: { 5: 'address', 8: 'address' }, refuse: form.refuse },
    })
    if (!('saved' in done)) return
    void queries.invalidateQueries({ queryKey: ['devices'], exact: true })
    onBegun(done.saved, values)
  })
  return (
    <Card title={t('Recorder')}>
      <form noValidate className="space-y-4" onSubmit={onSubmit}>
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
        <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
          <TextField
            {...form.field('address')}
            label={t('IP address, host name or MAC address')}
            hint={t('For example 192.168.1.64 or 00:1a:2b:3c:4d:5e.')}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            dir="ltr"
          />
          <TextField
            {...form.field('port')}
            label={t('ONVIF port')}
            optional={t('optional')}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
          />
        </div>
        <SignInFields form={form} />
        <ConnectionChoice
          label={t('Allow the recorder password to be sent in plain text')}
          hint={t('Only for recorders that offer nothing better. Others on the network could read the password.')}
          isChosen={form.values.allowBasic === 'yes'}
          onChoose={(isAllowed) => form.choose('allowBasic', isAllowed ? 'yes' : '')}
        />
        <div className="flex justify-end">
          <Button type="submit" busy={form.busy} disabled={!form.valid}>
            {t('Add recorder')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

interface RecorderEntryProps extends Omit<RecorderCardProps, 'form'> {
  start: RecorderValues
}

function RecorderEntry({ start, ...rest }: RecorderEntryProps) {
  const form = useRecorderForm(start)
  return (
    <div className="space-y-6">
      <Found form={form} />
      <RecorderCard form={form} {...rest} />
    </div>
  )
}

/** The form, and after it how the addition goes. A failed one leads back to the form with everything that was typed. */
function Adding({ zones }: { zones: readonly WholeZone[] }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [start, setStart] = useState(() => emptyRecorder(String(zones[0]?.zoneId ?? '')))
  const [begun, begin] = useState<Begun>()
  if (begun === undefined) {
    const onBegun = (device: RecorderDevice, values: RecorderValues) => begin({ device, values, attempt: 0 })
    return <RecorderEntry zones={zones} start={start} onBegun={onBegun} />
  }
  const edit = () => {
    // Another address would be another recorder, and this one was never there.
    void client
      .call(deleteDevice, { params: { deviceId: begun.device.deviceId } })
      .catch(() => undefined)
      .finally(() => void queries.invalidateQueries({ queryKey: ['devices'] }))
    setStart(begun.values)
    begin(undefined)
  }
  const retry = async () => {
    const done = await save(() => client.call(postDevice, { body: recorderBody(begun.values) }))
    if ('saved' in done) begin({ ...begun, device: done.saved, attempt: begun.attempt + 1 })
  }
  return (
    <RecorderProgress
      device={begun.device}
      attempt={begun.attempt}
      onFailure={
        <>
          <Button variant="secondary" onClick={edit}>
            {t('Edit details')}
          </Button>
          <Button onClick={() => void retry()}>{t('Try again')}</Button>
        </>
      }
    />
  )
}

/** A page that adds a recorder by its address. */
export function AddRecorderScreen() {
  const t = useText()
  const own = useOwnPermissions()
  const ways = useAddingWays()
  return (
    <Screen
      title={t('Add recorder')}
      description={t('Add a recorder on your network once, then choose which of its inputs become cameras here.')}
      back={{ href: '/app/recorders', label: t('All recorders') }}
      width="form"
    >
      <Gate
        own={own}
        needs={{ ...postDevice, right: ways?.byAddress === false ? 'addPnpCamera' : 'addCameraManually' }}
        loading={<LoadingForm />}
        instead={
          <EmptyState icon="lock" title={t("You can't add recorders")}>
            {t('Ask the account owner for the right to add cameras.')}
          </EmptyState>
        }
      >
        {() => <WholeZones>{(zones) => <Adding zones={zones} />}</WholeZones>}
      </Gate>
    </Screen>
  )
}
