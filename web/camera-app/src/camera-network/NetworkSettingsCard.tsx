import { type CameraNetwork, patchCameraNetwork } from '@sightline/contract/camera-network'
import { Card, Notice, Select, Skeleton, Switch, TextField, useForm } from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AddressPasswordField } from './AddressPasswordField.tsx'
import {
  arePortsChanged,
  isAddressChanged,
  isOtherAddress,
  type NetworkValues,
  networkFields,
  networkPatch,
  networkRules,
  networkValues,
} from './network-form.ts'
import { networkQuery } from './network-queries.ts'
import { useText } from './text.ts'

interface NetworkSettingsProps {
  cameraId: number
  isOnline: boolean
  passwordKnown: boolean
  /** Nothing may be changed. */
  fixed: boolean
}

interface PartProps {
  form: ReturnType<typeof useForm<NetworkValues>>
  fixed: boolean
}

/** A camera that moves answers late. */
const TIMEOUT_MS = 90_000

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-4">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  )
}

const NotOffered = () => (
  <p className="text-muted">{useText()('This camera offers no standard way (ONVIF) to set this.')}</p>
)

function AddressPart({ form, fixed }: PartProps) {
  const t = useText()
  const disabled = fixed || form.values.ipv4Dhcp === 'true'
  const common = { dir: 'ltr', autoComplete: 'off', disabled } as const
  return (
    <>
      <Switch
        label={t('Get the address automatically (DHCP)')}
        checked={form.values.ipv4Dhcp === 'true'}
        disabled={fixed}
        onChange={(checked) => form.choose('ipv4Dhcp', String(checked))}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...form.field('address')} {...common} label={t('IPv4 address of the camera')} />
        <TextField {...form.field('prefixLength')} {...common} label={t('Prefix length')} inputMode="numeric" />
        <TextField {...form.field('gateway')} {...common} label={t('Gateway')} />
      </div>
    </>
  )
}

function DnsPart({ form, fixed }: PartProps) {
  const t = useText()
  return (
    <>
      <Switch
        label={t('Get DNS servers automatically (DHCP)')}
        checked={form.values.dnsDhcp === 'true'}
        disabled={fixed}
        onChange={(checked) => form.choose('dnsDhcp', String(checked))}
      />
      {form.values.dnsDhcp === 'true' ? null : (
        <TextField
          {...form.field('dnsServers')}
          label={t('DNS servers')}
          dir="ltr"
          autoComplete="off"
          disabled={fixed}
        />
      )}
    </>
  )
}

function TimePart({ form, fixed }: PartProps) {
  const t = useText()
  return (
    <>
      <Select
        label={t('The camera’s clock is set by')}
        value={form.values.ntp}
        disabled={fixed}
        onChange={(event) => form.choose('ntp', event.target.value)}
      >
        <option value="off">{t('The server')}</option>
        <option value="dhcp">{t('Time servers from DHCP')}</option>
        <option value="given">{t('These time servers')}</option>
      </Select>
      {form.values.ntp === 'given' ? (
        <TextField
          {...form.field('ntpServers')}
          label={t('Time servers (NTP)')}
          dir="ltr"
          autoComplete="off"
          disabled={fixed}
        />
      ) : null}
    </>
  )
}

function PortsPart({ form, fixed, network }: PartProps & { network: CameraNetwork }) {
  const names = (['http', 'https', 'rtsp'] as const).filter((name) => network.ports?.[name] !== null)
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {names.map((name) => (
        <TextField
          key={name}
          {...form.field(name)}
          label={name.toUpperCase()}
          inputMode="numeric"
          dir="ltr"
          autoComplete="off"
          disabled={fixed}
        />
      ))}
    </div>
  )
}

function AddressSection({
  form,
  fixed,
  network,
  movesPorts,
}: PartProps & { network: CameraNetwork; movesPorts: boolean }) {
  const t = useText()
  const { ipv4, dns, unavailable } = network
  // One sentence for all hidden parts is said in place of the ports.
  if (unavailable.ipv4 === 'hidden') return null
  return (
    <>
      <Part title={t('IPv4 address')}>
        {ipv4 === null ? <NotOffered /> : <AddressPart form={form} fixed={fixed || movesPorts} />}
        {movesPorts ? <p className="text-muted">{t('To change the address, save the new ports first.')}</p> : null}
      </Part>
      <Part title={t('DNS')}>{dns === null ? <NotOffered /> : <DnsPart form={form} fixed={fixed} />}</Part>
    </>
  )
}

function PortsSection({
  form,
  fixed,
  network,
  movesAddress,
}: PartProps & { network: CameraNetwork; movesAddress: boolean }) {
  const t = useText()
  if (network.unavailable.ports === 'hidden')
    return (
      <p className="text-muted">
        {t(
          'To see and change the address, DNS servers and ports, ask the account owner for the “Local addresses” right.',
        )}
      </p>
    )
  if (network.ports === null)
    return (
      <Part title={t('Ports')}>
        <NotOffered />
      </Part>
    )
  return (
    <Part title={t('Ports')}>
      <PortsPart form={form} fixed={fixed || movesAddress} network={network} />
      {movesAddress ? <p className="text-muted">{t('To change the ports, save the new address first.')}</p> : null}
    </Part>
  )
}

function NetworkSettings({
  cameraId,
  network,
  passwordKnown,
  fixed,
}: NetworkSettingsProps & { network: CameraNetwork }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useForm<NetworkValues>(networkValues(network), networkRules, t.message)
  const onSave = async (values: NetworkValues) => {
    const body = networkPatch(network, values)
    const options = { timeoutMs: TIMEOUT_MS }
    const done = await save(() => client.call(patchCameraNetwork, { params: { cameraId }, body }, options), {
      messages: {
        5: t('Your account already has a camera at this address.'),
        6: t('Cameras of your account can’t be in this network. Nothing was changed.'),
        12: t('The camera rejected its password. Its user needs to be an administrator of the camera.'),
        13: t('The camera refused these settings.'),
        18: t('The camera is offline, so its network can’t be changed.'),
      },
      form: { fields: networkFields, fieldOfCode: { 5: 'address', 6: 'address' }, refuse: form.refuse },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(networkQuery(client, cameraId).queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: ['cameras', cameraId, 'connection'] })
  }
  const part = { form, fixed }
  const movesAddress = isAddressChanged(network, form.values)
  const movesPorts = arePortsChanged(network, form.values)
  return (
    <SaveCard title={t('Network of the camera')} form={form} onSave={onSave} readOnly={fixed}>
      <div className="max-w-2xl space-y-6">
        {network.confirmed ? null : <Unconfirmed />}
        <AddressSection {...part} network={network} movesPorts={movesPorts} />
        <Part title={t('Clock')}>{network.ntp === null ? <NotOffered /> : <TimePart {...part} />}</Part>
        <PortsSection {...part} network={network} movesAddress={movesAddress} />
        {movesAddress || movesPorts ? (
          <Notice mood="warning">
            {t(
              'The camera goes offline for a moment and may restart. With a wrong address it can’t be reached anymore and has to be reset by hand.',
            )}
          </Notice>
        ) : null}
        {passwordKnown && isOtherAddress(network, form.values) ? (
          <AddressPasswordField {...form.field('password')} disabled={fixed} />
        ) : null}
      </div>
    </SaveCard>
  )
}

/** What to do about a camera that doesn't come back. */
function Unconfirmed() {
  const t = useText()
  return (
    <Notice mood="warning">
      {t(
        'The camera accepted the change and hasn’t responded since. Wait two minutes. If it stays offline, check that its new address fits your network and enter its address under “Address”. If no address works, reset the camera by hand.',
      )}
    </Notice>
  )
}

/** Address, DNS, clock and ports of a camera, as it says. */
export function NetworkSettingsCard(props: NetworkSettingsProps) {
  const t = useText()
  const { client } = useApplication()
  const network = useQuery({ ...networkQuery(client, props.cameraId), enabled: props.isOnline })
  if (!props.isOnline)
    return (
      <Card title={t('Network of the camera')}>
        {network.data?.confirmed === false ? (
          <Unconfirmed />
        ) : (
          <p className="text-muted">{t('The camera is offline, so its network can’t be changed.')}</p>
        )}
      </Card>
    )
  return (
    <Loaded asked={[network] as const} place={<Skeleton className="h-64 w-full" />}>
      {(loaded) => <NetworkSettings {...props} network={loaded} />}
    </Loaded>
  )
}
