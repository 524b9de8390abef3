import { getDeviceUsers, postDeviceUser } from '@sightline/contract/device-users'
import {
  deleteDevice,
  getDeviceConnection,
  patchDevice,
  patchDeviceCredentials,
  type RecorderDevice,
} from '@sightline/contract/devices'
import {
  Button,
  Card,
  Details,
  PasswordField,
  Select,
  Skeleton,
  SkeletonGroup,
  TextField,
  useForm,
} from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CameraUsersCard } from '../camera-users/index.ts'
import { type OwnPermissions, useReadOnlyReason } from '../rights/index.ts'
import { zoneQueries } from '../zones/index.ts'
import { deviceQueries } from './device-queries.ts'
import { RemoveRecorder } from './RemoveRecorder.tsx'
import { settingsValues, useSettingsForm } from './recorder-form.ts'
import type { RecorderTabProps } from './recorder-tab.ts'
import { useText } from './text.ts'

const Loading = () => (
  <SkeletonGroup>
    <Skeleton className="h-48 w-full" />
  </SkeletonGroup>
)

function NameAndZone({ device }: { device: RecorderDevice }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useSettingsForm(settingsValues(device))
  const zones = useQuery(zoneQueries(client).list).data ?? []
  const usable = zones.filter(({ whole, zoneId }) => whole || zoneId === device.zoneId)
  const onSave = async ({ name, zoneId }: typeof form.values) => {
    const call = { params: { deviceId: device.deviceId }, body: { name: name.trim(), zoneId: Number(zoneId) } }
    const done = await save(() => client.call(patchDevice, call), {
      success: t('Recorder saved'),
      form: { fields: ['name', 'zoneId'], refuse: form.refuse },
    })
    if ('saved' in done) queries.setQueryData(deviceQueries(client).device(device.deviceId).queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: ['devices'], exact: true })
  }
  return (
    <SaveCard title={t('Name and zone')} form={form} onSave={onSave}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('name')} label={t('Name')} autoComplete="off" />
        <Select
          label={t('Zone')}
          hint={t('Its cameras stay in their own zones.')}
          value={form.values.zoneId}
          onChange={(event) => form.choose('zoneId', event.target.value)}
        >
          {usable.map(({ zoneId, name }) => (
            <option key={zoneId} value={zoneId}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </SaveCard>
  )
}

function CredentialsForm({ deviceId, username }: { deviceId: number; username: string }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useForm(
    { username, password: '' },
    { username: (name) => (name.trim() === '' ? 'Please enter a user name' : undefined) },
    t.message,
  )
  const onSave = async (values: typeof form.values) => {
    // Another user has another password; an empty one is sent only with a new user name.
    const isOther = values.username.trim() !== username
    const body = {
      username: values.username.trim(),
      ...(values.password !== '' || isOther ? { password: values.password } : {}),
    }
    const done = await save(() => client.call(patchDeviceCredentials, { params: { deviceId }, body }), {
      success: t('Sign-in details saved'),
      messages: { 12: t('The recorder rejected this user name and password. Nothing was changed.') },
      form: { fields: ['username', 'password'], fieldOfCode: { 12: 'password' }, refuse: form.refuse },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(deviceQueries(client).credentials(deviceId).queryKey, done.saved)
  }
  return (
    <SaveCard
      title={t('Sign-in')}
      description={t('The server uses these to connect to the recorder and to the cameras at its inputs.')}
      form={form}
      onSave={onSave}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('username')}
          label={t('Recorder user name')}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          dir="ltr"
        />
        <PasswordField
          {...form.field('password')}
          label={t('New password')}
          hint={t('Leave empty to keep the current password.')}
          autoComplete="new-password"
        />
      </div>
    </SaveCard>
  )
}

/** Where the server reaches it, and how it signs in; for users who may change that. */
function Connection({ device, own }: { device: RecorderDevice; own: OwnPermissions }) {
  const t = useText()
  const { client } = useApplication()
  const queries = deviceQueries(client)
  const connection = useQuery(queries.connection(device.deviceId))
  const credentials = useQuery(queries.credentials(device.deviceId))
  return (
    <Loaded asked={[connection, credentials] as const} place={<Loading />}>
      {({ localIp, localPort, https }, { username, passwordKnown, allowBasic }) => (
        <>
          <Card title={t('Connection')}>
            <Details
              details={[
                { label: t('Address'), value: <bdi dir="ltr">{localIp ?? t('Unknown')}</bdi> },
                { label: t('ONVIF port'), value: localPort ?? t('Unknown') },
                { label: t('Encryption'), value: https ? 'HTTPS (TLS)' : t('None') },
                { label: t('Password'), value: passwordKnown ? t('Saved') : t('Not set') },
                ...(own.may(patchDeviceCredentials)
                  ? []
                  : [{ label: t('Recorder user name'), value: username ?? '–' }]),
              ]}
            />
          </Card>
          {own.may(patchDeviceCredentials) ? (
            <CredentialsForm deviceId={device.deviceId} username={username ?? ''} />
          ) : null}
          {own.may(getDeviceUsers) ? (
            <CameraUsersCard
              host={{ kind: 'recorder', id: device.deviceId }}
              isOnline={device.status === 'online'}
              needsConsent={!(https || allowBasic)}
              fixed={!own.may(postDeviceUser)}
            />
          ) : null}
        </>
      )}
    </Loaded>
  )
}

function About({ device, showsZone }: { device: RecorderDevice; showsZone: boolean }) {
  const t = useText()
  const { client } = useApplication()
  const info = useQuery(deviceQueries(client).info(device.deviceId))
  const zone = useQuery(zoneQueries(client).list).data?.find(({ zoneId }) => zoneId === device.zoneId)
  const shown = (value: string | null) => (value === null || value === '' ? t('Unknown') : value)
  return (
    <Loaded asked={[info] as const} place={<Loading />}>
      {({ brand, model, firmwareVersion, serial, ethMacAddress, channelCount }) => (
        <Card title={t('Device')}>
          <Details
            details={[
              { label: t('Brand'), value: shown(brand) },
              { label: t('Model'), value: shown(model) },
              { label: t('Firmware version'), value: shown(firmwareVersion) },
              { label: t('Serial number'), value: shown(serial) },
              { label: t('MAC address'), value: <bdi dir="ltr">{shown(ethMacAddress)}</bdi> },
              { label: t('Inputs'), value: channelCount },
              ...(showsZone ? [{ label: t('Zone'), value: zone?.name ?? t('Unknown') }] : []),
            ]}
          />
        </Card>
      )}
    </Loaded>
  )
}

function Removal({ device }: { device: RecorderDevice }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t('Remove recorder')}
      description={t('Cameras at its inputs have to be removed first. Footage on the recorder itself stays there.')}
    >
      <Button variant="danger" icon="trash" onClick={() => setOpen(true)}>
        {t('Remove recorder')}
      </Button>
      <RemoveRecorder device={device} open={isOpen} onClose={() => setOpen(false)} />
    </Card>
  )
}

/** What a recorder is, and what of it can be changed. */
export function RecorderSettings({ device, own }: RecorderTabProps) {
  const reason = useReadOnlyReason(own)
  const isReadOnly = reason !== undefined && own.standstill !== 'support'
  const isEditable = own.may(patchDevice) && !isReadOnly
  return (
    <div className="space-y-5">
      {isEditable ? <NameAndZone device={device} /> : null}
      <About device={device} showsZone={!isEditable} />
      {own.may(getDeviceConnection) ? <Connection device={device} own={own} /> : null}
      {own.may(deleteDevice) ? <Removal device={device} /> : null}
    </div>
  )
}
